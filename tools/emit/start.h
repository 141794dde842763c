/* What the wrappers that `wrappers.py` writes stand on: how arguments are read, and how answers and faults are made. */
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define PY_ARRAY_UNIQUE_SYMBOL CAROM_NUMPY_API
#ifndef CAROM_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <stdint.h>

/* Bytes of all arrays of a call above which the GIL is let go: to give it up and ask for it again takes some 50 ns. */
#define MUCH_WORK 16384

extern PyMethodDef METHODS[];
typedef struct {
    const char *name;
    void *code;
} Place;
extern const Place PLACES[]; /* the machine code of each kernel, in its first form, and 0 */
void choose(int level); /* takes the copies of kernels for newer processors of that level; 0 is the oldest */
extern const char *DTYPES[]; /* structured dtypes, as Python writes them, and 0 */
extern PyArray_Descr *KNOWN[]; /* the same as objects */
extern const char *SUBPACKAGES[]; /* subpackage=key, and 0 */

static inline int is_known(PyArray_Descr *given, int which)
{
    return given == KNOWN[which] || PyArray_EquivTypes(given, KNOWN[which]);
}
static inline int is_record(PyArrayObject *array, int which) { return is_known(PyArray_DESCR(array), which); }

static inline int is_number(PyArrayObject *array, char kind, int bytes)
{
    PyArray_Descr *given = PyArray_DESCR(array);
    return given->kind == kind && PyArray_ITEMSIZE(array) == bytes && PyArray_ISNBO(given->byteorder);
}

/* One row of a table, `table[0]`; its data lie in the table. */
static inline int is_row(PyObject *row, int which) { return is_known(((PyVoidScalarObject *)row)->descr, which); }
static inline void *row_data(PyObject *row) { return ((PyVoidScalarObject *)row)->obval; }

static inline int read_bool(PyObject *given, int *out)
{
    if (given == Py_True || given == Py_False) {
        *out = given == Py_True;
        return 1;
    }
    if (!PyArray_IsScalar(given, Bool)) return 0;
    *out = PyObject_IsTrue(given);
    return 1;
}

static inline int read_float(PyObject *given, double *out)
{
    *out = PyFloat_AsDouble(given);
    if (*out != -1.0 || !PyErr_Occurred()) return 1;
    PyErr_Clear();
    return 0;
}

static inline int read_int(PyObject *given, int64_t *out)
{
    if (!PyLong_Check(given) && !PyArray_IsScalar(given, Integer)) return 0;
    *out = PyLong_AsLongLong(given);
    if (*out != -1 || !PyErr_Occurred()) return 1;
    PyErr_Clear();
    return 0;
}

PyObject *refused(const char *name, PyObject *const *args, Py_ssize_t n);
PyObject *failed(int status, void *fault);
PyObject *pack_tuple(int n, ...);
