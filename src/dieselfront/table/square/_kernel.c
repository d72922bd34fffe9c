/* The compiled twin of the hot questions about masks of squares: floods, their costs and ways back. Same answers, sooner.

   Every function here has a Python function of the same name that says what it means; native.py puts one in the place
   of the other, and tests/table/test_square_kernel.py compares them. A mask of more than WORDS * 64 places, or anything
   of another type, goes to the Python function ("asked" below), so that no answer depends on this file. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define INTERFACE 1 /* as in native.py */
#define WORDS 16
#define MOST_STEPS 64
#define MOST_LAYERS 64
#define UNUSED __attribute__((unused))

typedef struct {
    uint64_t word[WORDS];
} Mask;

typedef struct {
    long offset;
    int diagonal;
    Mask leaving;
} Step;

static PyObject *oracle; /* the Python functions by name */

static PyObject *asked(const char *name, PyObject *const *args, Py_ssize_t count) {
    PyObject *function = PyDict_GetItemString(oracle, name);
    if (function == NULL) {
        PyErr_Format(PyExc_RuntimeError, "The compiled kernel has no Python function %s to ask.", name);
        return NULL;
    }
    return PyObject_Vectorcall(function, args, count, NULL);
}

/* ---------------------------------------------------------------- masks from Python and back */

static int as_bytes(PyLongObject *number, unsigned char *bytes, size_t count) {
#if PY_VERSION_HEX >= 0x030D0000
    return _PyLong_AsByteArray(number, bytes, count, 1, 0, 0);
#else
    return _PyLong_AsByteArray(number, bytes, count, 1, 0);
#endif
}

/* The mask of a whole number that is not negative; 0 when it is something else or too large. */
static int read_mask(PyObject *object, Mask *mask) {
    if (!PyLong_CheckExact(object)) return 0;
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
    /* Digit by digit, which is faster than byte by byte; later versions keep the digits elsewhere. */
    Py_ssize_t digits = Py_SIZE(object);
    if (digits >= 0 && digits <= WORDS * 64 / PyLong_SHIFT) {
        memset(mask, 0, sizeof(*mask));
        for (Py_ssize_t i = 0; i < digits; i++) {
            uint64_t value = ((PyLongObject *)object)->ob_digit[i];
            int word = (int)(i * PyLong_SHIFT >> 6), part = (int)(i * PyLong_SHIFT & 63);
            mask->word[word] |= value << part;
            if (part > 64 - PyLong_SHIFT) mask->word[word + 1] |= value >> (64 - part);
        }
        return 1;
    }
#endif
    if (_PyLong_Sign(object) < 0 || _PyLong_NumBits(object) > WORDS * 64) return 0;
    if (as_bytes((PyLongObject *)object, (unsigned char *)mask->word, sizeof(mask->word)) < 0) {
        PyErr_Clear();
        return 0;
    }
    return 1;
}

static PyObject *to_int(const Mask *mask, int words) {
    while (words > 1 && mask->word[words - 1] == 0) words--;
    if (words == 1) return PyLong_FromUnsignedLongLong(mask->word[0]);
    return _PyLong_FromByteArray((const unsigned char *)mask->word, (size_t)words * 8, 1, 0);
}

static int read_long(PyObject *object, long least, long most, long *value) {
    int overflow;
    if (!PyLong_Check(object)) return 0;
    *value = PyLong_AsLongAndOverflow(object, &overflow);
    return !overflow && *value >= least && *value <= most;
}

static int has(const Mask *mask, long place) { return place >= 0 && mask->word[place >> 6] >> (place & 63) & 1; }

static void put(Mask *mask, long place) { mask->word[place >> 6] |= (uint64_t)1 << (place & 63); }

static int is_empty(const Mask *mask, int words) {
    for (int i = 0; i < words; i++)
        if (mask->word[i]) return 0;
    return 1;
}

/* How many words a mask takes. */
static int length(const Mask *mask) {
    int words = WORDS;
    while (words > 1 && mask->word[words - 1] == 0) words--;
    return words;
}

/* into |= (from & leaving) moved by an offset; what leaves the first words is lost. */
static void move(Mask *into, const Mask *from, const Mask *leaving, long offset, int words) {
    if (offset >= 0) {
        int whole = (int)(offset >> 6), part = (int)(offset & 63);
        for (int i = words - 1; i >= whole; i--) {
            uint64_t low = from->word[i - whole] & leaving->word[i - whole];
            uint64_t moved = low << part;
            if (part && i - whole > 0)
                moved |= (from->word[i - whole - 1] & leaving->word[i - whole - 1]) >> (64 - part);
            into->word[i] |= moved;
        }
    } else {
        int whole = (int)(-offset >> 6), part = (int)(-offset & 63);
        for (int i = 0; i + whole < words; i++) {
            uint64_t high = from->word[i + whole] & leaving->word[i + whole];
            uint64_t moved = high >> part;
            if (part && i + whole + 1 < words)
                moved |= (from->word[i + whole + 1] & leaving->word[i + whole + 1]) << (64 - part);
            into->word[i] |= moved;
        }
    }
}

static int read_steps(PyObject *list, Step *steps) {
    if (!PyList_CheckExact(list) || PyList_GET_SIZE(list) > MOST_STEPS) return -1;
    int count = (int)PyList_GET_SIZE(list);
    for (int i = 0; i < count; i++) {
        PyObject *step = PyList_GET_ITEM(list, i);
        if (!PyTuple_Check(step) || PyTuple_GET_SIZE(step) != 3) return -1;
        if (!read_long(PyTuple_GET_ITEM(step, 0), -WORDS * 64, WORDS * 64, &steps[i].offset)) return -1;
        steps[i].diagonal = PyTuple_GET_ITEM(step, 1) == Py_True;
        if (!read_mask(PyTuple_GET_ITEM(step, 2), &steps[i].leaving)) return -1;
    }
    return count;
}

/* The layers of a flood as Python keeps them: [(unspent, spent), ...]. */
static int read_layers(PyObject *list, Mask layers[][2]) {
    if (!PyList_CheckExact(list) || PyList_GET_SIZE(list) > MOST_LAYERS) return -1;
    int count = (int)PyList_GET_SIZE(list);
    for (int i = 0; i < count; i++) {
        PyObject *pair = PyList_GET_ITEM(list, i);
        if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) return -1;
        if (!read_mask(PyTuple_GET_ITEM(pair, 0), &layers[i][0])) return -1;
        if (!read_mask(PyTuple_GET_ITEM(pair, 1), &layers[i][1])) return -1;
    }
    return count;
}

/* ---------------------------------------------------------------- geometry.py */

static PyObject *mask_of(PyObject *module UNUSED, PyObject *const *args, Py_ssize_t count) {
    if (count != 1) return asked("mask_of", args, count);
    PyObject *places = PySequence_Fast(args[0], "places");
    if (places == NULL) return NULL;
    Mask mask;
    memset(&mask, 0, sizeof(mask));
    long most = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(places); i++) {
        long place;
        if (!read_long(PySequence_Fast_GET_ITEM(places, i), 0, WORDS * 64 - 1, &place)) {
            PyErr_Clear();
            PyObject *answer = asked("mask_of", &places, 1);
            Py_DECREF(places);
            return answer;
        }
        put(&mask, place);
        if (place > most) most = place;
    }
    Py_DECREF(places);
    return to_int(&mask, (int)(most >> 6) + 1);
}

static PyObject *places_of(PyObject *module UNUSED, PyObject *const *args, Py_ssize_t count) {
    Mask mask;
    if (count != 1 || !read_mask(args[0], &mask)) return asked("places_of", args, count);
    int words = length(&mask);
    Py_ssize_t size = 0;
    for (int i = 0; i < words; i++) size += __builtin_popcountll(mask.word[i]);
    PyObject *places = PyTuple_New(size);
    if (places == NULL) return NULL;
    Py_ssize_t next = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t left = mask.word[i]; left; left &= left - 1) {
            PyObject *place = PyLong_FromLong(i * 64 + __builtin_ctzll(left));
            if (place == NULL) {
                Py_DECREF(places);
                return NULL;
            }
            PyTuple_SET_ITEM(places, next++, place);
        }
    return places;
}

/* ---------------------------------------------------------------- flood.py */

static PyObject *flood(PyObject *module UNUSED, PyObject *const *args, Py_ssize_t count) {
    Step steps[MOST_STEPS];
    Mask enter;
    long start, budget;
    int number;
    if (count != 5 || !read_long(args[0], 0, WORDS * 64 - 1, &start) || (number = read_steps(args[1], steps)) < 0 ||
        !read_mask(args[2], &enter) || !read_long(args[3], 0, MOST_LAYERS - 4, &budget) || !PyBool_Check(args[4])) {
        PyErr_Clear();
        return asked("flood", args, count);
    }
    static const Mask nothing;
    Mask unspent_at[MOST_LAYERS], spent_at[MOST_LAYERS];
    put(&enter, start);
    int words = length(&enter);
    for (int i = 0; i < budget + 3; i++) unspent_at[i] = spent_at[i] = nothing;
    put(args[4] == Py_True ? &spent_at[0] : &unspent_at[0], start);
    Mask free_left = enter, spent_left = enter;
    PyObject *layers = PyList_New(budget + 1);
    if (layers == NULL) return NULL;
    for (int cost = 0; cost <= budget; cost++) {
        Mask free, used;
        for (int i = 0; i < words; i++) {
            free.word[i] = unspent_at[cost].word[i] & free_left.word[i];
            free_left.word[i] ^= free.word[i];
            spent_left.word[i] &= ~free.word[i];
            used.word[i] = spent_at[cost].word[i] & spent_left.word[i];
            spent_left.word[i] ^= used.word[i];
        }
        PyObject *one = to_int(&free, words), *other = to_int(&used, words);
        PyObject *pair = one == NULL || other == NULL ? NULL : PyTuple_Pack(2, one, other);
        Py_XDECREF(one);
        Py_XDECREF(other);
        if (pair == NULL) {
            Py_DECREF(layers);
            return NULL;
        }
        PyList_SET_ITEM(layers, cost, pair);
        if (cost == budget) break;
        int any_free = !is_empty(&free, words), any_used = !is_empty(&used, words);
        if (!any_free && !any_used) continue;
        for (int i = 0; i < number; i++) {
            const Step *step = &steps[i];
            if (any_free)
                move(step->diagonal ? &spent_at[cost + 1] : &unspent_at[cost + 1], &free, &step->leaving, step->offset,
                     words);
            if (any_used) move(&spent_at[cost + 1 + step->diagonal], &used, &step->leaving, step->offset, words);
        }
    }
    return layers;
}

static PyObject *walk_back(PyObject *module UNUSED, PyObject *const *args, Py_ssize_t count) {
    Step steps[MOST_STEPS];
    Mask layers[MOST_LAYERS][2];
    long cost, spent, node;
    int number, depth;
    if (count != 5 || (depth = read_layers(args[0], layers)) < 0 || (number = read_steps(args[1], steps)) < 0 ||
        !read_long(args[2], 0, depth - 1, &cost) || !read_long(args[3], 0, 1, &spent) ||
        !read_long(args[4], 0, WORDS * 64 - 1, &node)) {
        PyErr_Clear();
        return asked("walk_back", args, count);
    }
    long nodes[MOST_LAYERS];
    int taken = 0;
    while (cost) {
        nodes[taken++] = node;
        int arrived = 0;
        for (int i = 0; i < number && !arrived; i++) {
            long source = node - steps[i].offset;
            if (source < 0 || source >= WORDS * 64 || !has(&steps[i].leaving, source)) continue;
            if (!steps[i].diagonal) {
                if (has(&layers[cost - 1][spent], source)) {
                    cost -= 1, node = source, arrived = 1;
                }
            } else if (spent) {
                if (has(&layers[cost - 1][0], source)) {
                    cost -= 1, spent = 0, node = source, arrived = 1;
                } else if (cost >= 2 && has(&layers[cost - 2][1], source)) {
                    cost -= 2, node = source, arrived = 1;
                }
            }
        }
        if (!arrived) return asked("walk_back", args, count); /* which says what is wrong */
    }
    PyObject *way = PyList_New(taken);
    if (way == NULL) return NULL;
    for (int i = 0; i < taken; i++) {
        PyObject *place = PyLong_FromLong(nodes[taken - 1 - i]);
        if (place == NULL) {
            Py_DECREF(way);
            return NULL;
        }
        PyList_SET_ITEM(way, i, place);
    }
    return way;
}

/* ---------------------------------------------------------------- reach.py */

static PyObject *costs_of(PyObject *module UNUSED, PyObject *const *args, Py_ssize_t count) {
    Mask layers[MOST_LAYERS][2], ends;
    long start;
    int depth;
    if (count != 4 || (depth = read_layers(args[0], layers)) < 0 || !read_mask(args[1], &ends) ||
        !read_long(args[2], 0, WORDS * 64 - 1, &start) || !PyDict_CheckExact(args[3])) {
        PyErr_Clear();
        return asked("costs_of", args, count);
    }
    PyObject *costs = args[3];
    int words = length(&ends);
    ends.word[start >> 6] &= ~((uint64_t)1 << (start & 63));
    for (int cost = 0; cost < depth; cost++) {
        PyObject *price = PyLong_FromLong(cost);
        if (price == NULL) return NULL;
        for (int i = 0; i < words; i++) {
            uint64_t fresh = (layers[cost][0].word[i] | layers[cost][1].word[i]) & ends.word[i];
            ends.word[i] ^= fresh;
            for (; fresh; fresh &= fresh - 1) {
                PyObject *place = PyLong_FromLong(i * 64 + __builtin_ctzll(fresh));
                if (place == NULL || PyDict_SetItem(costs, place, price) < 0) {
                    Py_XDECREF(place);
                    Py_DECREF(price);
                    return NULL;
                }
                Py_DECREF(place);
            }
        }
        Py_DECREF(price);
    }
    Py_INCREF(costs);
    return costs;
}

/* ---------------------------------------------------------------- steps.py */

/* Squares from which a step by an offset leads to one of the mask: the first words of the mask moved back. */
static void moved_back(Mask *into, const Mask *mask, long offset, int words) {
    static Mask all;
    if (!all.word[0]) memset(&all, 0xff, sizeof(all));
    memset(into, 0, sizeof(into->word[0]) * (size_t)words);
    move(into, mask, &all, -offset, words);
}

static PyObject *open_corners(PyObject *module UNUSED, PyObject *const *args, Py_ssize_t count) {
    Mask units, enemies;
    if (count != 4 || !PyList_CheckExact(args[0]) || !PyBool_Check(args[1]) || !read_mask(args[2], &units) ||
        !read_mask(args[3], &enemies))
        return asked("open_corners", args, count);
    int on_wheels = args[1] == Py_True, any_enemies = !is_empty(&enemies, WORDS);
    int taken = length(&units) > length(&enemies) ? length(&units) : length(&enemies);
    Py_ssize_t number = PyList_GET_SIZE(args[0]);
    PyObject *open = PyList_New(number);
    if (open == NULL) return NULL;
    for (Py_ssize_t n = 0; n < number; n++) {
        PyObject *corner = PyList_GET_ITEM(args[0], n);
        Mask leaving, flank_open, other_open, at_flank, at_other;
        long flank, other;
        if (!PyTuple_Check(corner) || PyTuple_GET_SIZE(corner) != 6 ||
            !read_mask(PyTuple_GET_ITEM(corner, 1), &leaving) ||
            !read_long(PyTuple_GET_ITEM(corner, 2), -WORDS * 64, WORDS * 64, &flank) ||
            !read_mask(PyTuple_GET_ITEM(corner, 3), &flank_open) ||
            !read_long(PyTuple_GET_ITEM(corner, 4), -WORDS * 64, WORDS * 64, &other) ||
            !read_mask(PyTuple_GET_ITEM(corner, 5), &other_open)) {
            Py_DECREF(open);
            PyErr_Clear();
            return asked("open_corners", args, count);
        }
        int words = length(&leaving) > taken ? length(&leaving) : taken;
        moved_back(&at_flank, &units, flank, words);
        moved_back(&at_other, &units, other, words);
        for (int i = 0; i < words; i++) {
            if (on_wheels)
                leaving.word[i] &= flank_open.word[i] & other_open.word[i] & ~(at_flank.word[i] & at_other.word[i]);
            else
                leaving.word[i] &= (flank_open.word[i] & ~at_flank.word[i]) | (other_open.word[i] & ~at_other.word[i]);
        }
        if (on_wheels && any_enemies) {
            moved_back(&at_flank, &enemies, flank, words);
            moved_back(&at_other, &enemies, other, words);
            for (int i = 0; i < words; i++) leaving.word[i] &= ~(at_flank.word[i] | at_other.word[i]);
        }
        PyObject *left = to_int(&leaving, words);
        if (left == NULL) {
            Py_DECREF(open);
            return NULL;
        }
        PyList_SET_ITEM(open, n, left);
    }
    return open;
}

/* ---------------------------------------------------------------- the module */

static PyObject *fall_back_on(PyObject *module UNUSED, PyObject *functions) {
    if (PyDict_Update(oracle, functions) < 0) return NULL;
    Py_RETURN_NONE;
}

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, "See the Python function."}

static PyMethodDef functions[] = {
    FUNCTION(costs_of),
    FUNCTION(flood),
    FUNCTION(mask_of),
    FUNCTION(open_corners),
    FUNCTION(places_of),
    FUNCTION(walk_back),
    {"fall_back_on", fall_back_on, METH_O, "The Python functions to ask where this file does not answer."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "The compiled twin of the hot questions about masks of squares.", -1, functions,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) {
    PyObject *module = PyModule_Create(&definition);
    oracle = PyDict_New();
    if (module == NULL || oracle == NULL) return NULL;
    if (PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0) return NULL;
    return module;
}
