/* The extension module: kernels by name, faults as exceptions, the keys of the sources, and the few functions of Numba's
   run time and of libm that the kernels call by Numba's names. */
#define CAROM_IMPORTS_NUMPY
#include "start.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory of the arrays that kernels make for themselves; the layout is Numba's --- */

typedef struct {
    size_t count;
    void (*destructor)(void *, size_t, void *);
    void *argument, *data;
    size_t size;
} MemInfo;

void *NRT_MemInfo_alloc_aligned(size_t size, unsigned align)
{
    size_t step = align < 16 ? 16 : align;
    if (size > SIZE_MAX - sizeof(MemInfo) - 2 * step) return 0;
    MemInfo *made = malloc(sizeof(MemInfo) + step + size);
    if (!made) return 0;
    made->count = 1;
    made->destructor = 0;
    made->argument = 0;
    made->size = size;
    made->data = (void *)(((uintptr_t)(made + 1) + step - 1) / step * step);
    return made;
}
void *NRT_MemInfo_alloc_safe_aligned(size_t size, unsigned align) { return NRT_MemInfo_alloc_aligned(size, align); }
void *NRT_MemInfo_alloc_safe(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }
void *NRT_MemInfo_alloc(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }
void NRT_MemInfo_call_dtor(void *info) { free(info); }

/* An array is made and dropped by one call of one kernel, in one thread: its count needs no atomic operation. */
void NRT_incref(void *info)
{
    if (info) ((MemInfo *)info)->count++;
}
void NRT_decref(void *info)
{
    if (info && --((MemInfo *)info)->count == 0) free(info);
}

/* --- libm --- */

double numba_nextafter(double x, double y) { return nextafter(x, y); }
double numba_frexp(double x, int *exponent)
{
    if (isfinite(x) && x != 0.0) return frexp(x, exponent);
    *exponent = 0;
    return x;
}
double numba_ldexp(double x, int exponent)
{
    return isfinite(x) && x != 0.0 && exponent ? ldexp(x, exponent) : x;
}

/* --- faults --- */

/* Numba leaves (type, arguments, place) of an exception as a pickle. */
PyObject *failed(int status, void *fault)
{
    if (status == 1 && fault) {
        struct {
            char *bytes;
            int32_t count;
        } *left = fault;
        PyObject *pickle = PyImport_ImportModule("pickle");
        PyObject *what = pickle ? PyObject_CallMethod(pickle, "loads", "y#", left->bytes, (Py_ssize_t)left->count) : 0;
        Py_XDECREF(pickle);
        if (what && PyTuple_Check(what) && PyTuple_Size(what) >= 2)
            PyErr_SetObject(PyTuple_GetItem(what, 0), PyTuple_GetItem(what, 1));
        Py_XDECREF(what);
    }
    if (!PyErr_Occurred()) PyErr_Format(PyExc_SystemError, "a kernel ended with status %d", status);
    return 0;
}

PyObject *refused(const char *name, PyObject *const *args, Py_ssize_t n)
{
    PyObject *kinds = PyList_New(0);
    for (Py_ssize_t k = 0; kinds && k < n; k++) {
        int is_array = PyArray_Check(args[k]);
        PyObject *owner = is_array ? args[k] : (PyObject *)Py_TYPE(args[k]);
        PyObject *kind = PyObject_GetAttrString(owner, is_array ? "dtype" : "__name__");
        if (!kind || PyList_Append(kinds, kind) < 0) Py_CLEAR(kinds);
        Py_XDECREF(kind);
    }
    if (kinds) PyErr_Format(PyExc_TypeError, "%s was not compiled for arguments of the types %R", name, kinds);
    Py_XDECREF(kinds);
    return 0;
}

/* --- the small work of single calls: pairs of plain numbers read, named tuples made --- */

/* Plain is what is of just these types: float and int; tuple, list and one more, a tuple too, which `readers` is told. */
typedef struct {
    PyTypeObject *pair;
    double most; /* the largest magnitude of a number */
    PyObject *careful; /* answers in place of `point` where a value is not plain */
} Rule;
static Rule RULE;

static inline int is_list(PyObject *given)
{
    return PyTuple_CheckExact(given) || PyList_CheckExact(given) || Py_TYPE(given) == RULE.pair;
}
static inline Py_ssize_t length(PyObject *list) { return PyList_Check(list) ? PyList_Size(list) : PyTuple_Size(list); }
static inline PyObject *item(PyObject *list, Py_ssize_t k)
{
    return PyList_Check(list) ? PyList_GetItem(list, k) : PyTuple_GetItem(list, k);
}
static inline int read_plain(PyObject *given, double *out)
{
    if (PyFloat_CheckExact(given)) {
        *out = PyFloat_AsDouble(given);
        return 1;
    }
    if (!PyLong_CheckExact(given)) return 0;
    *out = PyLong_AsDouble(given);
    if (*out != -1.0 || !PyErr_Occurred()) return 1;
    PyErr_Clear(); /* an int beyond all floats */
    return 0;
}
static inline int read_pair(PyObject *given, double *out)
{
    return is_list(given) && length(given) == 2 && read_plain(item(given, 0), out) && read_plain(item(given, 1), out + 1);
}
static inline int in_range(double x) { return -RULE.most <= x && x <= RULE.most; }

/* plain_pairs(one, other): as `inputs.plain_pairs`. */
static PyObject *plain_pairs(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    double x[4];
    if (n != 2) return PyErr_Format(PyExc_TypeError, "plain_pairs takes two values, not %zd", n);
    if (!read_pair(args[0], x) || !read_pair(args[1], x + 2)) Py_RETURN_NONE;
    for (int k = 0; k < 4; k++)
        if (!in_range(x[k])) Py_RETURN_NONE;
    PyObject *made = PyTuple_New(4);
    for (int k = 0; made && k < 4; k++) {
        PyObject *number = PyFloat_FromDouble(x[k]);
        if (!number || PyTuple_SetItem(made, k, number) < 0) Py_CLEAR(made);
    }
    return made;
}

/* point(where, name, value): as `inputs.point`; what is not plain is answered by Python. */
static PyObject *point(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    double x[2];
    if (n != 3 || !read_pair(args[2], x) || !in_range(x[0]) || !in_range(x[1])) {
        if (!RULE.careful) return PyErr_Format(PyExc_RuntimeError, "point: `readers` has not been called");
        PyObject *all = PyTuple_New(n), *answer;
        for (Py_ssize_t k = 0; all && k < n; k++) PyTuple_SetItem(all, k, Py_NewRef(args[k]));
        answer = all ? PyObject_Call(RULE.careful, all, 0) : 0;
        Py_XDECREF(all);
        return answer;
    }
    PyObject *made = PyTuple_New(2);
    for (int k = 0; made && k < 2; k++) {
        PyObject *number = PyFloat_FromDouble(x[k] + 0.0);
        if (!number || PyTuple_SetItem(made, k, number) < 0) Py_CLEAR(made);
    }
    return made;
}

/* plain_table(pairs): as `shape_inputs.plain_table`. */
static PyObject *plain_table(PyObject *module, PyObject *given)
{
    Py_ssize_t n = is_list(given) ? length(given) : 0;
    npy_intp shape[2] = {n, 2};
    PyObject *made = n ? PyArray_SimpleNew(2, shape, NPY_DOUBLE) : 0;
    if (!made) {
        if (n) return 0;
        Py_RETURN_NONE;
    }
    double *out = PyArray_DATA((PyArrayObject *)made);
    for (Py_ssize_t k = 0; k < n; k++)
        if (!read_pair(item(given, k), out + 2 * k)) {
            Py_DECREF(made);
            Py_RETURN_NONE;
        }
    return made;
}

/* new(type, values): tuple.__new__, of a type of tuples and anything whose items can be taken one by one. */
static PyObject *new(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    if (n < 1 || n > 2 || !PyType_Check(args[0]) || !PyType_IsSubtype((PyTypeObject *)args[0], &PyTuple_Type))
        return PyErr_Format(PyExc_TypeError, "new takes a type of tuples and their items");
    PyObject *values = n == 2 ? PySequence_Tuple(args[1]) : PyTuple_New(0); /* a plain tuple is itself */
    if (!values) return 0;
    Py_ssize_t count = PyTuple_Size(values);
    PyObject *made = PyType_GenericAlloc((PyTypeObject *)args[0], count);
    for (Py_ssize_t k = 0; made && k < count; k++)
        if (PyTuple_SetItem(made, k, Py_NewRef(PyTuple_GetItem(values, k))) < 0) Py_CLEAR(made);
    Py_DECREF(values);
    return made;
}

/* readers(type, most, careful) tells the rule that the functions above go by. */
static PyObject *readers(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    if (n != 3 || !PyType_Check(args[0]) || !PyType_IsSubtype((PyTypeObject *)args[0], &PyTuple_Type)
        || !PyFloat_Check(args[1]) || !PyCallable_Check(args[2]))
        return PyErr_Format(PyExc_TypeError, "readers takes a type of tuples, a number and a function");
    Rule old = RULE;
    RULE.pair = (PyTypeObject *)Py_NewRef(args[0]);
    RULE.most = PyFloat_AsDouble(args[1]);
    RULE.careful = Py_NewRef(args[2]);
    Py_XDECREF((PyObject *)old.pair);
    Py_XDECREF(old.careful);
    Py_RETURN_NONE;
}

/* --- the module --- */

static int add_dtypes(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy"), *made = 0;
    PyObject *eval = PyImport_ImportModule("builtins");
    if (eval) {
        PyObject *module = eval;
        eval = PyObject_GetAttrString(module, "eval");
        Py_DECREF(module);
    }
    PyObject *scope = numpy && eval ? PyModule_GetDict(numpy) : 0;
    for (int k = 0; scope && DTYPES[k]; k++) {
        made = PyObject_CallFunction(eval, "sO", DTYPES[k], scope);
        if (!made) break;
        KNOWN[k] = (PyArray_Descr *)made;
    }
    Py_XDECREF(numpy);
    Py_XDECREF(eval);
    return PyErr_Occurred() ? -1 : 0;
}

static int add_subpackages(PyObject *module)
{
    PyObject *subpackages = PyDict_New();
    for (int k = 0; subpackages && SUBPACKAGES[k]; k++) {
        const char *key = SUBPACKAGES[k];
        while (*key != '=') key++;
        PyObject *name = PyUnicode_FromStringAndSize(SUBPACKAGES[k], key - SUBPACKAGES[k]);
        PyObject *value = PyUnicode_FromString(key + 1);
        if (!name || !value || PyDict_SetItem(subpackages, name, value) < 0) Py_CLEAR(subpackages);
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    int status = subpackages ? PyModule_AddObjectRef(module, "SUBPACKAGES", subpackages) : -1;
    Py_XDECREF(subpackages);
    return status;
}

/* For compiled code of users, which calls kernels without Python between them. */
static PyObject *address(PyObject *module, PyObject *name)
{
    const char *wanted = PyUnicode_AsUTF8AndSize(name, 0);
    if (!wanted) return 0;
    for (const Place *place = PLACES; place->name; place++)
        if (strcmp(place->name, wanted) == 0) return PyLong_FromVoidPtr(place->code);
    return PyErr_Format(PyExc_KeyError, "no kernel %R", name);
}
#define QUICK(function) {#function, (PyCFunction)(void (*)(void))function, METH_FASTCALL, 0}
static PyMethodDef OWN[] = {
    {"address", address, METH_O, 0}, {"plain_table", plain_table, METH_O, 0},
    QUICK(plain_pairs), QUICK(point), QUICK(new), QUICK(readers), {0}};

/* How new the processor is, of those that `emit.py` has copies for: x86-64-v3 is 1, x86-64-v4 is 2. */
static int level(void)
{
#ifdef WIDE
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) return 0;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512cd")
        || !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return 1;
    return 2;
#else
    return 0;
#endif
}

static int fill(PyObject *module)
{
    choose(level());
    if (PyModule_AddIntConstant(module, "LEVEL", level()) < 0) return -1;
    if (PyArray_ImportNumPyAPI() < 0 || add_dtypes() < 0 || add_subpackages(module) < 0) return -1;
    return PyModule_AddFunctions(module, OWN) < 0 ? -1 : PyModule_AddFunctions(module, METHODS);
}

static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, fill}, {0}};
static PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_kernels", 0, 0, 0, SLOTS};
PyMODINIT_FUNC PyInit__kernels(void) { return PyModuleDef_Init(&MODULE); }
