/* How Python calls a kernel: arguments are read into words by a table of their kinds, the kernel is called, and its
   answer is made from words. A form that the arguments do not fit leaves the call to the next one; if none fits, TypeError.
   All that belongs to Python is read before the GIL is let go, and it is let go only where arrays hold enough work. */
#include "start.h"
#include <string.h>

/* Bytes of all arrays of a call above which the GIL is let go: to give it up and ask for it again takes some 50 ns. */
#define MUCH_WORK 16384
/* Words of the arguments and of the answer of one kernel, at most: `wrappers.py` sees to it. */
#define MOST_WORDS 1024
#define MOST_ANSWERS 32

typedef struct {
    const char *kinds; /* what is to be read next */
    int64_t *next; /* where the next word goes */
    int64_t bytes; /* of all arrays so far */
} Reading;

static int is_known(PyArray_Descr *given, int which)
{
    return given == KNOWN[which] || PyArray_EquivTypes(given, KNOWN[which]);
}

static int read_array(Reading *reading, PyObject *given)
{
    int form = *reading->kinds++;
    int kind = *reading->kinds++;
    int size = (unsigned char)*reading->kinds++;
    if (!PyArray_Check(given)) return 0;
    PyArrayObject *array = (PyArrayObject *)given;
    int dimensions = form & 15, wanted = NPY_ARRAY_ALIGNED;
    if (form & 16) wanted |= NPY_ARRAY_C_CONTIGUOUS;
    if (form & 32) wanted |= NPY_ARRAY_F_CONTIGUOUS;
    if (form & 64) wanted |= NPY_ARRAY_WRITEABLE;
    if (PyArray_NDIM(array) != dimensions || !PyArray_CHKFLAGS(array, wanted)) return 0;
    PyArray_Descr *dtype = PyArray_DESCR(array);
    if (kind == 'R') {
        if (!is_known(dtype, size)) return 0;
    } else if (dtype->kind != kind || PyArray_ITEMSIZE(array) != size || !PyArray_ISNBO(dtype->byteorder)) {
        return 0;
    }
    int64_t bytes = PyArray_ITEMSIZE(array), *next = reading->next;
    *next++ = (int64_t)(intptr_t)PyArray_DATA(array);
    for (int axis = 0; axis < dimensions; axis++) {
        next[axis] = PyArray_DIM(array, axis);
        next[axis + dimensions] = PyArray_STRIDE(array, axis);
        bytes *= next[axis];
    }
    reading->next = next + 2 * dimensions;
    reading->bytes += bytes;
    return 1;
}

static int read_one(Reading *reading, PyObject *given)
{
    switch (*reading->kinds++) {
    case 'A': return read_array(reading, given);
    case '(': {
        int count = (unsigned char)*reading->kinds++;
        if (!PyTuple_Check(given) || PyTuple_Size(given) != count) return 0;
        for (int k = 0; k < count; k++)
            if (!read_one(reading, PyTuple_GetItem(given, k))) return 0;
        return 1;
    }
    case 'd': {
        double number = PyFloat_AsDouble(given);
        memcpy(reading->next++, &number, sizeof number);
        if (number != -1.0 || !PyErr_Occurred()) return 1;
        PyErr_Clear();
        return 0;
    }
    case 'q':
        if (!PyLong_Check(given) && !PyArray_IsScalar(given, Integer)) return 0;
        *reading->next = PyLong_AsLongLong(given);
        if (*reading->next++ != -1 || !PyErr_Occurred()) return 1;
        PyErr_Clear();
        return 0;
    case '?':
        if (given == Py_True || given == Py_False) {
            *reading->next++ = given == Py_True;
            return 1;
        }
        if (!PyArray_IsScalar(given, Bool)) return 0;
        *reading->next++ = PyObject_IsTrue(given);
        return 1;
    case 'R': { /* one row of a table, `table[0]`; its data lie in the table */
        int which = (unsigned char)*reading->kinds++;
        if (!PyArray_IsScalar(given, Void) || !is_known(((PyVoidScalarObject *)given)->descr, which)) return 0;
        *reading->next++ = (int64_t)(intptr_t)((PyVoidScalarObject *)given)->obval;
        return 1;
    }
    }
    return 0;
}

static PyObject *made(const char **kinds, const int64_t **words)
{
    double number;
    switch (*(*kinds)++) {
    case '(': {
        int count = (unsigned char)*(*kinds)++;
        PyObject *tuple = PyTuple_New(count);
        for (int k = 0; tuple && k < count; k++) {
            PyObject *part = made(kinds, words);
            if (!part || PyTuple_SetItem(tuple, k, part) < 0) Py_CLEAR(tuple);
        }
        return tuple;
    }
    case 'd': memcpy(&number, (*words)++, sizeof number); return PyFloat_FromDouble(number);
    case 'q': return PyLong_FromLongLong(*(*words)++);
    case '?': return PyBool_FromLong(*(*words)++ != 0);
    }
    return Py_NewRef(Py_None);
}

PyObject *call(const Kernel *kernel, PyObject *const *args, Py_ssize_t n)
{
    int64_t words[MOST_WORDS], answer[MOST_ANSWERS];
    for (const Form *form = kernel->forms; form < kernel->forms + kernel->count; form++) {
        if (n != form->n) continue;
        Reading reading = {form->takes, words, 0};
        Py_ssize_t k = 0;
        while (k < n && read_one(&reading, args[k])) k++;
        if (k < n) continue;
        void *fault = 0;
        PyThreadState *held = reading.bytes > MUCH_WORK ? PyEval_SaveThread() : 0;
        int status = form->code(words, answer, &fault);
        if (held) PyEval_RestoreThread(held);
        if (status != 0 && status != -2) return failed(status, fault);
        const char *gives = form->gives;
        const int64_t *next = answer;
        return made(&gives, &next);
    }
    return refused(kernel->name, args, n);
}
