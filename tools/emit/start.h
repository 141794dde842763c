/* What the tables that `wrappers.py` writes, `call.c` and `start.c` have in common. */
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

/* A kernel: words of arguments in; words of the answer, or of a fault, and a status out. */
typedef int Code(const int64_t *words, int64_t *answer, void **fault);
typedef struct {
    const char *takes, *gives; /* as `words.py` writes them */
    Py_ssize_t n; /* arguments */
    Code *code;
} Form;
typedef struct {
    const char *name;
    const Form *forms;
    int count;
} Kernel;
PyObject *call(const Kernel *kernel, PyObject *const *args, Py_ssize_t n);
#define CALLED(k) \
    static PyObject *call_##k(PyObject *module, PyObject *const *args, Py_ssize_t n) { return call(KERNELS + k, args, n); }

extern PyMethodDef METHODS[];
typedef struct {
    const char *name;
    void *code;
} Place;
extern const Place PLACES[]; /* the machine code of kernels that compiled code of users may call, and 0 */
void choose(int level); /* takes the copies of kernels for newer processors of that level; 0 is the oldest */
extern const char *DTYPES[]; /* structured dtypes, as Python writes them, and 0 */
extern PyArray_Descr *KNOWN[]; /* the same as objects */
extern const char *SUBPACKAGES[]; /* subpackage=key, and 0 */

PyObject *refused(const char *name, PyObject *const *args, Py_ssize_t n);
PyObject *failed(int status, void *fault);
