/* The compiled twin of the hot questions in geometry.py, shapes.py and their neighbours. Same answers, sooner.

   Every function here has a Python function of the same name that says what it means; native.py puts one in the place
   of the other, and tests/table/test_measured_kernel.py compares them. All is done with whole numbers: coordinates of
   less than 2^17 tenths of a millimetre (13 m) keep every product within 128 bits. Whatever is larger, of another type
   or needs exact fractions goes to the Python function ("asked" below), so that no answer depends on this file. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stddef.h>
#include <structmember.h>

typedef long long i64;
typedef __int128 i128;
typedef unsigned __int128 u128;

#define INTERFACE 3 /* as in native.py */
#define LIMIT (1LL << 17)
#define LINE_BITS 30
#define LINE (1LL << LINE_BITS)
#define MOST_CORNERS 256
#define UNUSED __attribute__((unused))

typedef struct {
    i64 x, y;
} Point;

typedef struct {
    i128 top, bottom;
} Fraction;

/* ---------------------------------------------------------------- numbers from Python and back */

static PyObject *oracle; /* the Python functions by name */

static PyObject *asked(const char *name, PyObject *const *args, Py_ssize_t count) {
    PyObject *function = PyDict_GetItemString(oracle, name);
    if (function == NULL) {
        PyErr_Format(PyExc_RuntimeError, "The compiled kernel has no Python function %s to ask.", name);
        return NULL;
    }
    return PyObject_Vectorcall(function, args, count, NULL);
}

/* A whole number of at most `most` either way; 0 when it is something else (no exception is left behind). */
static int read_int(PyObject *object, i64 most, i64 *value) {
    int overflow;
    if (!PyLong_Check(object)) return 0;
    *value = PyLong_AsLongLongAndOverflow(object, &overflow);
    return !overflow && *value <= most && *value >= -most;
}

static int read_ints(PyObject *const *args, Py_ssize_t count, i64 *values) {
    for (Py_ssize_t i = 0; i < count; i++)
        if (!read_int(args[i], LIMIT, values + i)) return 0;
    return 1;
}

static int read_point(PyObject *object, Point *point) {
    if (!PyTuple_CheckExact(object) || PyTuple_GET_SIZE(object) != 2) return 0;
    return read_int(PyTuple_GET_ITEM(object, 0), LIMIT, &point->x) &&
           read_int(PyTuple_GET_ITEM(object, 1), LIMIT, &point->y);
}

/* The corners of a polygon; their number, or 0 when they are to be left to Python. */
static int read_polygon(PyObject *object, Point *corners) {
    Py_ssize_t count;
    PyObject **items;
    if (PyTuple_CheckExact(object)) {
        count = PyTuple_GET_SIZE(object);
        items = &PyTuple_GET_ITEM(object, 0);
    } else if (PyList_CheckExact(object)) {
        count = PyList_GET_SIZE(object);
        items = count ? &PyList_GET_ITEM(object, 0) : NULL;
    } else {
        return 0;
    }
    if (count == 0 || count > MOST_CORNERS) return 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!read_point(items[i], corners + i)) return 0;
    return (int)count;
}

static PyObject *from_i128(i128 value) {
    if (value == (i64)value) return PyLong_FromLongLong((i64)value);
    PyObject *high = PyLong_FromLongLong((i64)(value >> 64));
    PyObject *low = PyLong_FromUnsignedLongLong((unsigned long long)value);
    PyObject *bits = PyLong_FromLong(64);
    PyObject *shifted = high && bits ? PyNumber_Lshift(high, bits) : NULL;
    PyObject *result = shifted && low ? PyNumber_Or(shifted, low) : NULL;
    Py_XDECREF(high);
    Py_XDECREF(low);
    Py_XDECREF(bits);
    Py_XDECREF(shifted);
    return result;
}

static PyObject *pair(PyObject *first, PyObject *second) {
    if (first == NULL || second == NULL) {
        Py_XDECREF(first);
        Py_XDECREF(second);
        return NULL;
    }
    PyObject *both = PyTuple_New(2);
    if (both == NULL) {
        Py_DECREF(first);
        Py_DECREF(second);
        return NULL;
    }
    PyTuple_SET_ITEM(both, 0, first);
    PyTuple_SET_ITEM(both, 1, second);
    return both;
}

static PyObject *int_pair(i64 first, i64 second) {
    return pair(PyLong_FromLongLong(first), PyLong_FromLongLong(second));
}

static PyObject *from_fraction(Fraction square) { return pair(from_i128(square.top), from_i128(square.bottom)); }

static i64 root_of(u128 square) {
    i64 root = (i64)sqrt((double)square);
    while ((u128)root * (u128)root > square) root--;
    while ((u128)(root + 1) * (u128)(root + 1) <= square) root++;
    return root;
}

static i64 ceil_root(u128 square) {
    i64 root = root_of(square);
    return (u128)root * (u128)root == square ? root : root + 1;
}

static i64 ceil_root_ratio(Fraction square) { return ceil_root((square.top + square.bottom - 1) / square.bottom); }

static i64 half_up(i128 top, i128 bottom) {
    return top < 0 ? (i64)(-((-2 * top + bottom) / (2 * bottom))) : (i64)((2 * top + bottom) / (2 * bottom));
}

static i64 floor_div(i128 top, i128 bottom) { /* bottom > 0 */
    i128 whole = top / bottom;
    return (i64)(whole - (top % bottom < 0));
}

static i64 ceil_div(i128 top, i128 bottom) { return -floor_div(-top, bottom); }

/* ---------------------------------------------------------------- geometry.py */

static inline i64 cross_of(i64 ax, i64 ay, i64 bx, i64 by, i64 px, i64 py) {
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
}

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 most_of(i64 a, i64 b) { return a > b ? a : b; }

static int is_on(i64 px, i64 py, i64 ax, i64 ay, i64 bx, i64 by) {
    if (cross_of(ax, ay, bx, by, px, py)) return 0;
    return least(ax, bx) <= px && px <= most_of(ax, bx) && least(ay, by) <= py && py <= most_of(ay, by);
}

static int place_in(i64 x, i64 y, const Point *polygon, int count) {
    int inside = 0;
    i64 px = polygon[count - 1].x, py = polygon[count - 1].y;
    for (int i = 0; i < count; i++) {
        i64 qx = polygon[i].x, qy = polygon[i].y;
        if ((py > y) != (qy > y)) {
            i64 side = (qx - px) * (y - py) - (qy - py) * (x - px);
            if (side == 0) return 0;
            if ((side > 0) == (qy > py)) inside = !inside;
        } else if (py == y && qy == y) {
            if (least(px, qx) <= x && x <= most_of(px, qx)) return 0;
        } else if ((px == x && py == y) || (qx == x && qy == y)) {
            return 0;
        }
        px = qx;
        py = qy;
    }
    return inside ? 1 : -1;
}

static int do_cross(i64 ax, i64 ay, i64 bx, i64 by, i64 cx, i64 cy, i64 dx, i64 dy) {
    i64 c = cross_of(ax, ay, bx, by, cx, cy), d = cross_of(ax, ay, bx, by, dx, dy);
    i64 a = cross_of(cx, cy, dx, dy, ax, ay), b = cross_of(cx, cy, dx, dy, bx, by);
    if (((c > 0 && d < 0) || (c < 0 && d > 0)) && ((a > 0 && b < 0) || (a < 0 && b > 0))) return 1;
    return is_on(cx, cy, ax, ay, bx, by) || is_on(dx, dy, ax, ay, bx, by) || is_on(ax, ay, cx, cy, dx, dy) ||
           is_on(bx, by, cx, cy, dx, dy);
}

static Fraction to_segment(i64 px, i64 py, i64 ax, i64 ay, i64 bx, i64 by) {
    i64 ux = bx - ax, uy = by - ay, vx = px - ax, vy = py - ay;
    i64 length = ux * ux + uy * uy, along = ux * vx + uy * vy;
    if (along <= 0 || length == 0) return (Fraction){(i128)(vx * vx + vy * vy), 1};
    if (along >= length) {
        i64 wx = px - bx, wy = py - by;
        return (Fraction){(i128)(wx * wx + wy * wy), 1};
    }
    i64 area = ux * vy - uy * vx;
    return (Fraction){(i128)area * area, length};
}

static inline int is_less(Fraction a, Fraction b) { return a.top * b.bottom < b.top * a.bottom; }

static const Fraction NOTHING = {0, 1};

static Fraction between_segments(i64 ax, i64 ay, i64 bx, i64 by, i64 cx, i64 cy, i64 dx, i64 dy) {
    if (do_cross(ax, ay, bx, by, cx, cy, dx, dy)) return NOTHING;
    Fraction best = to_segment(ax, ay, cx, cy, dx, dy);
    Fraction others[3] = {
        to_segment(bx, by, cx, cy, dx, dy),
        to_segment(cx, cy, ax, ay, bx, by),
        to_segment(dx, dy, ax, ay, bx, by),
    };
    for (int i = 0; i < 3; i++)
        if (is_less(others[i], best)) best = others[i];
    return best;
}

static Fraction segment_to_polygon(i64 ax, i64 ay, i64 bx, i64 by, const Point *polygon, int count) {
    if (place_in(ax, ay, polygon, count) >= 0) return NOTHING;
    Fraction best = NOTHING;
    for (int i = 0; i < count; i++) {
        Point p = polygon[i ? i - 1 : count - 1], q = polygon[i];
        Fraction square = between_segments(ax, ay, bx, by, p.x, p.y, q.x, q.y);
        if (i == 0 || is_less(square, best)) best = square;
    }
    return best;
}

static int nears(i64 ax, i64 ay, i64 bx, i64 by, const Point *polygon, int count, i64 reach) {
    if (reach <= 0) return 0;
    if (place_in(ax, ay, polygon, count) >= 0) return 1;
    i64 low_x = least(ax, bx) - reach, high_x = most_of(ax, bx) + reach;
    i64 low_y = least(ay, by) - reach, high_y = most_of(ay, by) + reach;
    i128 limit = (i128)reach * reach;
    for (int i = 0; i < count; i++) {
        Point p = polygon[i ? i - 1 : count - 1], q = polygon[i];
        if ((p.x < low_x && q.x < low_x) || (p.x > high_x && q.x > high_x)) continue;
        if ((p.y < low_y && q.y < low_y) || (p.y > high_y && q.y > high_y)) continue;
        Fraction square = between_segments(ax, ay, bx, by, p.x, p.y, q.x, q.y);
        if (square.top < limit * square.bottom) return 1;
    }
    return 0;
}

static Fraction to_outline(i64 x, i64 y, const Point *polygon, int count) {
    Fraction best = NOTHING;
    for (int i = 0; i < count; i++) {
        Point p = polygon[i ? i - 1 : count - 1], q = polygon[i];
        Fraction square = to_segment(x, y, p.x, p.y, q.x, q.y);
        if (i == 0 || is_less(square, best)) best = square;
    }
    return best;
}

static Fraction point_to_polygon(i64 x, i64 y, const Point *polygon, int count) {
    return place_in(x, y, polygon, count) >= 0 ? NOTHING : to_outline(x, y, polygon, count);
}

static Fraction between_polygons(const Point *a, int a_count, const Point *b, int b_count) {
    if (place_in(b[0].x, b[0].y, a, a_count) >= 0) return NOTHING;
    Fraction best = NOTHING;
    for (int i = 0; i < a_count; i++) {
        Point p = a[i ? i - 1 : a_count - 1], q = a[i];
        Fraction square = segment_to_polygon(p.x, p.y, q.x, q.y, b, b_count);
        if (square.top == 0) return NOTHING;
        if (i == 0 || is_less(square, best)) best = square;
    }
    return best;
}

static int separates(const Point *a, int a_count, const Point *b, int b_count) {
    for (int i = 0; i < a_count; i++) {
        Point p = a[i ? i - 1 : a_count - 1], q = a[i];
        i64 ex = q.x - p.x, ey = q.y - p.y;
        int k = 0;
        while (k < b_count && ex * (b[k].y - p.y) - ey * (b[k].x - p.x) <= 0) k++;
        if (k == b_count) return 1;
    }
    return 0;
}

static int share_ground(const Point *a, int a_count, const Point *b, int b_count) {
    return !(separates(a, a_count, b, b_count) || separates(b, b_count, a, a_count));
}

/* Is the point (x, y) / scale strictly inside? */
static int is_inside_scaled(i128 x, i128 y, i128 scale, const Point *polygon, int count) {
    int inside = 0;
    Point p = polygon[count - 1];
    for (int i = 0; i < count; i++) {
        Point q = polygon[i];
        i128 px = p.x * scale, py = p.y * scale, qx = q.x * scale, qy = q.y * scale;
        if ((py > y) != (qy > y)) {
            i128 side = (q.x - p.x) * (y - py) - (q.y - p.y) * (x - px);
            if (side == 0) return 0;
            if ((side > 0) == (q.y > p.y)) inside = !inside;
        } else if (py == y && qy == y) {
            if ((px < qx ? px : qx) <= x && x <= (px > qx ? px : qx)) return 0;
        } else if ((px == x && py == y) || (qx == x && qy == y)) {
            return 0;
        }
        p = q;
    }
    return inside;
}

static void add_place(Fraction *places, int *size, i128 top, i128 bottom) {
    if (bottom < 0) top = -top, bottom = -bottom;
    if (top < 0 || top > bottom) return;
    Fraction place = {top, bottom};
    int k = *size;
    while (k > 0 && is_less(place, places[k - 1])) k--;
    if (k > 0 && !is_less(places[k - 1], place)) return; /* known */
    memmove(places + k + 1, places + k, sizeof(Fraction) * (size_t)(*size - k));
    places[k] = place;
    ++*size;
}

/* The stretches of a line inside a polygon by exact fractions (geometry._stretches_exact): starts and ends in turn. */
static int exact_stretches(i64 ax, i64 ay, i64 bx, i64 by, const Point *polygon, int count, Fraction *ends) {
    Fraction places[2 * MOST_CORNERS + 2] = {{0, 1}, {1, 1}};
    i64 dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
    int size = 2, found = 0;
    Point p = polygon[count - 1];
    if (length == 0) {
        if (place_in(ax, ay, polygon, count) <= 0) return 0;
        ends[0] = places[0], ends[1] = places[1];
        return 1;
    }
    for (int i = 0; i < count; i++) {
        Point q = polygon[i];
        i64 ex = q.x - p.x, ey = q.y - p.y, bottom = dx * ey - dy * ex;
        if (bottom) {
            i64 across = (p.x - ax) * dy - (p.y - ay) * dx;
            if (bottom > 0 ? across >= 0 && across <= bottom : across <= 0 && across >= bottom)
                add_place(places, &size, (p.x - ax) * ey - (p.y - ay) * ex, bottom);
        } else if (dx * (p.y - ay) == dy * (p.x - ax)) {
            add_place(places, &size, (p.x - ax) * dx + (p.y - ay) * dy, length);
            add_place(places, &size, (q.x - ax) * dx + (q.y - ay) * dy, length);
        }
        p = q;
    }
    for (int i = 0; i + 1 < size; i++) {
        Fraction a = places[i], b = places[i + 1];
        i128 scale = 2 * a.bottom * b.bottom, middle = a.top * b.bottom + b.top * a.bottom;
        if (!is_inside_scaled(ax * scale + dx * middle, ay * scale + dy * middle, scale, polygon, count)) continue;
        if (found && ends[2 * found - 1].top == a.top && ends[2 * found - 1].bottom == a.bottom) {
            ends[2 * found - 1] = b;
        } else {
            ends[2 * found] = a, ends[2 * found + 1] = b;
            found++;
        }
    }
    return found;
}

static int enters_exactly(i64 ax, i64 ay, i64 bx, i64 by, const Point *polygon, int count) {
    Fraction ends[4 * MOST_CORNERS + 4];
    return exact_stretches(ax, ay, bx, by, polygon, count, ends) > 0;
}

static int enters(i64 ax, i64 ay, i64 bx, i64 by, const Point *polygon, int count) {
    i64 dx = bx - ax, dy = by - ay, c = dx * ay - dy * ax;
    Point p = polygon[count - 1];
    i64 before = dx * p.y - dy * p.x - c;
    if (before == 0) return enters_exactly(ax, ay, bx, by, polygon, count);
    for (int i = 0; i < count; i++) {
        Point q = polygon[i];
        i64 after = dx * q.y - dy * q.x - c;
        if (after == 0) return enters_exactly(ax, ay, bx, by, polygon, count);
        if ((after > 0) != (before > 0)) {
            i64 ex = q.x - p.x, ey = q.y - p.y;
            i64 a = ex * (ay - p.y) - ey * (ax - p.x), b = ex * (by - p.y) - ey * (bx - p.x);
            if (a == 0 || b == 0) return enters_exactly(ax, ay, bx, by, polygon, count);
            if ((a > 0) != (b > 0)) return 1;
        }
        p = q;
        before = after;
    }
    return place_in(ax, ay, polygon, count) > 0;
}

typedef struct {
    i64 floor, ceil;
} Crossing;

/* Exact stretches rounded inwards to parts of LINE. */
static int snapped(i64 ax, i64 ay, i64 bx, i64 by, const Point *polygon, int count, Point *stretch) {
    Fraction ends[4 * MOST_CORNERS + 4];
    int exact = exact_stretches(ax, ay, bx, by, polygon, count, ends), found = 0;
    for (int i = 0; i < exact; i++) {
        i64 first = ceil_div(ends[2 * i].top << LINE_BITS, ends[2 * i].bottom);
        i64 last = floor_div(ends[2 * i + 1].top << LINE_BITS, ends[2 * i + 1].bottom);
        if (first < last) stretch[found++] = (Point){first, last};
    }
    return found;
}

/* The stretches of a line inside a polygon; how many. */
static int stretches_of(i64 ax, i64 ay, i64 bx, i64 by, const Point *polygon, int count, Point *stretch) {
    Crossing places[MOST_CORNERS + 2];
    int crossings = 0, is_cut = 0, found = 0;
    i64 dx = bx - ax, dy = by - ay, c = dx * ay - dy * ax;
    Point p = polygon[count - 1];
    i64 side = dx * p.y - dy * p.x;
    if (side == c) return snapped(ax, ay, bx, by, polygon, count, stretch);
    int was = side > c;
    for (int i = 0; i < count; i++) {
        Point q = polygon[i];
        side = dx * q.y - dy * q.x;
        if (side == c) return snapped(ax, ay, bx, by, polygon, count, stretch);
        if ((side > c) != was) {
            is_cut = 1;
            was = !was;
            i64 ex = q.x - p.x, ey = q.y - p.y;
            i64 a = ex * (ay - p.y) - ey * (ax - p.x), b = ex * (by - p.y) - ey * (bx - p.x);
            if (a == 0 || b == 0) return snapped(ax, ay, bx, by, polygon, count, stretch);
            if ((a > 0) != (b > 0)) {
                i128 top = a > b ? (i128)a << LINE_BITS : -((i128)a << LINE_BITS);
                i128 bottom = a > b ? a - b : b - a;
                Crossing here = {floor_div(top, bottom), ceil_div(top, bottom)};
                int k = crossings++;
                while (k > 0 && (places[k - 1].floor > here.floor ||
                                 (places[k - 1].floor == here.floor && places[k - 1].ceil > here.ceil))) {
                    places[k] = places[k - 1];
                    k--;
                }
                places[k] = here;
            }
        }
        p = q;
    }
    if (!is_cut) return 0;
    int begins_inside = place_in(ax, ay, polygon, count) > 0;
    if (crossings == 0) {
        if (!begins_inside) return 0;
        stretch[0] = (Point){0, LINE};
        return 1;
    }
    if (begins_inside) {
        memmove(places + 1, places, sizeof(Crossing) * (size_t)crossings);
        places[0] = (Crossing){0, 0};
        crossings++;
    }
    if (crossings % 2) places[crossings++] = (Crossing){LINE, LINE};
    for (int i = 0; i < crossings; i += 2) {
        i64 start = places[i].ceil, end = places[i + 1].floor;
        if (start < end) stretch[found++] = (Point){start, end};
    }
    return found;
}

static int compare_points(const void *a, const void *b) {
    const Point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static int half_chain(const Point *points, int count, int step, Point *chain) {
    int size = 0;
    for (int i = step > 0 ? 0 : count - 1; i >= 0 && i < count; i += step) {
        Point p = points[i];
        while (size > 1 && (chain[size - 1].x - chain[size - 2].x) * (p.y - chain[size - 2].y) <=
                               (chain[size - 1].y - chain[size - 2].y) * (p.x - chain[size - 2].x))
            size--;
        chain[size++] = p;
    }
    return size - 1;
}

/* `points` is sorted in place; `hull` has room for twice as many. */
static int hull_of(Point *points, int count, Point *hull) {
    qsort(points, (size_t)count, sizeof(Point), compare_points);
    int unique = 0;
    for (int i = 0; i < count; i++)
        if (i == 0 || compare_points(points + i, points + unique - 1)) points[unique++] = points[i];
    int size = half_chain(points, unique, 1, hull);
    return size + half_chain(points, unique, -1, hull + size);
}

/* ---------------------------------------------------------------- geometry.py, as Python calls it */

#define SAME(name) static PyObject *name(PyObject *module UNUSED, PyObject *const *args, Py_ssize_t count)
#define ASKED(name) return asked(name, args, count)

SAME(cross) {
    i64 v[6];
    if (count != 6 || !read_ints(args, 6, v)) ASKED("cross");
    return PyLong_FromLongLong(cross_of(v[0], v[1], v[2], v[3], v[4], v[5]));
}

SAME(on_segment) {
    i64 v[6];
    if (count != 6 || !read_ints(args, 6, v)) ASKED("on_segment");
    return PyBool_FromLong(is_on(v[0], v[1], v[2], v[3], v[4], v[5]));
}

SAME(point_in_polygon) {
    i64 v[2];
    Point polygon[MOST_CORNERS];
    int corners;
    if (count != 3 || !read_ints(args, 2, v) || !(corners = read_polygon(args[2], polygon))) ASKED("point_in_polygon");
    return PyLong_FromLong(place_in(v[0], v[1], polygon, corners));
}

SAME(segments_cross) {
    i64 v[8];
    if (count != 8 || !read_ints(args, 8, v)) ASKED("segments_cross");
    return PyBool_FromLong(do_cross(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
}

SAME(point_segment_square) {
    i64 v[6];
    if (count != 6 || !read_ints(args, 6, v)) ASKED("point_segment_square");
    return from_fraction(to_segment(v[0], v[1], v[2], v[3], v[4], v[5]));
}

SAME(segment_segment_square) {
    i64 v[8];
    if (count != 8 || !read_ints(args, 8, v)) ASKED("segment_segment_square");
    return from_fraction(between_segments(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
}

SAME(segment_polygon_square) {
    i64 v[4];
    Point polygon[MOST_CORNERS];
    int corners;
    if (count != 5 || !read_ints(args, 4, v) || !(corners = read_polygon(args[4], polygon)))
        ASKED("segment_polygon_square");
    return from_fraction(segment_to_polygon(v[0], v[1], v[2], v[3], polygon, corners));
}

SAME(comes_nearer) {
    i64 v[4], reach;
    Point polygon[MOST_CORNERS];
    int corners;
    if (count != 6 || !read_ints(args, 4, v) || !read_int(args[5], LIMIT, &reach) ||
        !(corners = read_polygon(args[4], polygon)))
        ASKED("comes_nearer");
    return PyBool_FromLong(nears(v[0], v[1], v[2], v[3], polygon, corners, reach));
}

SAME(point_polygon_square) {
    i64 v[2];
    Point polygon[MOST_CORNERS];
    int corners;
    if (count != 3 || !read_ints(args, 2, v) || !(corners = read_polygon(args[2], polygon)))
        ASKED("point_polygon_square");
    return from_fraction(point_to_polygon(v[0], v[1], polygon, corners));
}

SAME(outline_square) {
    i64 v[2];
    Point polygon[MOST_CORNERS];
    int corners;
    if (count != 3 || !read_ints(args, 2, v) || !(corners = read_polygon(args[2], polygon))) ASKED("outline_square");
    return from_fraction(to_outline(v[0], v[1], polygon, corners));
}

SAME(polygon_polygon_square) {
    Point a[MOST_CORNERS], b[MOST_CORNERS];
    int first, second;
    if (count != 2 || !(first = read_polygon(args[0], a)) || !(second = read_polygon(args[1], b)))
        ASKED("polygon_polygon_square");
    return from_fraction(between_polygons(a, first, b, second));
}

SAME(convex_overlap) {
    Point a[MOST_CORNERS], b[MOST_CORNERS];
    int first, second;
    if (count != 2 || !(first = read_polygon(args[0], a)) || !(second = read_polygon(args[1], b)))
        ASKED("convex_overlap");
    return PyBool_FromLong(share_ground(a, first, b, second));
}

SAME(line_enters) {
    i64 v[4];
    Point polygon[MOST_CORNERS];
    int corners;
    if (count != 5 || !read_ints(args, 4, v) || !(corners = read_polygon(args[4], polygon))) ASKED("line_enters");
    return PyBool_FromLong(enters(v[0], v[1], v[2], v[3], polygon, corners));
}

static PyObject *stretch_list(const Point *stretch, int size) {
    PyObject *list = PyList_New(size);
    for (int i = 0; list != NULL && i < size; i++) {
        PyObject *both = int_pair(stretch[i].x, stretch[i].y);
        if (both == NULL) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, both);
    }
    return list;
}

SAME(stretches) {
    i64 v[4];
    Point polygon[MOST_CORNERS], stretch[MOST_CORNERS];
    int corners;
    if (count != 5 || !read_ints(args, 4, v) || !(corners = read_polygon(args[4], polygon))) ASKED("stretches");
    return stretch_list(stretch, stretches_of(v[0], v[1], v[2], v[3], polygon, corners, stretch));
}

SAME(is_simple) {
    Point polygon[MOST_CORNERS];
    int corners;
    if (count != 1 || !(corners = read_polygon(args[0], polygon))) ASKED("is_simple");
    if (corners < 3) Py_RETURN_FALSE;
    for (int i = 0; i < corners; i++)
        for (int j = i + 1; j < corners; j++)
            if (polygon[i].x == polygon[j].x && polygon[i].y == polygon[j].y) Py_RETURN_FALSE;
    for (int i = 0; i < corners; i++)
        for (int j = i + 1; j < corners; j++) {
            Point a = polygon[i], b = polygon[(i + 1) % corners], c = polygon[j], d = polygon[(j + 1) % corners];
            if (j == i + 1 || (i == 0 && j == corners - 1)) {
                if (i == 0 && j == corners - 1) { /* the last edge comes before the first one */
                    Point e = a, f = b;
                    a = c, b = e, d = f;
                }
                if (cross_of(a.x, a.y, b.x, b.y, d.x, d.y) == 0 &&
                    (b.x - a.x) * (d.x - b.x) + (b.y - a.y) * (d.y - b.y) < 0)
                    Py_RETURN_FALSE;
            } else if (do_cross(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y)) {
                Py_RETURN_FALSE;
            }
        }
    Py_RETURN_TRUE;
}

SAME(convex_hull) {
    Point points[MOST_CORNERS], hull[2 * MOST_CORNERS];
    int corners;
    if (count != 1 || !(corners = read_polygon(args[0], points))) ASKED("convex_hull");
    int size = hull_of(points, corners, hull);
    PyObject *result = PyTuple_New(size);
    for (int i = 0; result != NULL && i < size; i++) {
        PyObject *both = int_pair(hull[i].x, hull[i].y);
        if (both == NULL) Py_CLEAR(result);
        else PyTuple_SET_ITEM(result, i, both);
    }
    return result;
}

/* A convex polygon grown by a rim, within limits (movement.grown_outline). */
SAME(grown_outline) {
    Point polygon[MOST_CORNERS], rim[MOST_CORNERS], points[MOST_CORNERS * 4], hull[MOST_CORNERS * 8];
    int corners, around;
    i64 v[3];
    if (count != 3 || !(corners = read_polygon(args[0], polygon)) || !(around = read_polygon(args[1], rim)) ||
        corners * around > MOST_CORNERS * 4 || !PyTuple_CheckExact(args[2]) || PyTuple_GET_SIZE(args[2]) != 3 ||
        !read_ints(&PyTuple_GET_ITEM(args[2], 0), 3, v))
        ASKED("grown_outline");
    for (int i = 0; i < corners; i++)
        for (int k = 0; k < around; k++)
            points[i * around + k] = (Point){least(v[1], most_of(v[0], polygon[i].x + rim[k].x)),
                                             least(v[2], most_of(v[0], polygon[i].y + rim[k].y))};
    int size = hull_of(points, corners * around, hull);
    PyObject *result = PyTuple_New(size);
    for (int i = 0; result != NULL && i < size; i++) {
        PyObject *both = int_pair(hull[i].x, hull[i].y);
        if (both == NULL) Py_CLEAR(result);
        else PyTuple_SET_ITEM(result, i, both);
    }
    return result;
}

SAME(ceil_sqrt) {
    i64 square;
    if (count != 1 || !read_int(args[0], 1LL << 62, &square) || square < 0) ASKED("ceil_sqrt");
    return PyLong_FromLongLong(ceil_root((u128)square));
}

SAME(round_half_up) {
    i64 top, bottom;
    if (count != 2 || !read_int(args[0], 1LL << 60, &top) || !read_int(args[1], 1LL << 60, &bottom) || bottom <= 0)
        ASKED("round_half_up");
    return PyLong_FromLongLong(half_up(top, bottom));
}

static Point stretch_to(i64 dx, i64 dy, i64 length) {
    i64 root = root_of((u128)(dx * dx + dy * dy) << 40);
    return (Point){half_up((i128)(dx * length) << 20, root), half_up((i128)(dy * length) << 20, root)};
}

SAME(stretched) {
    i64 v[3];
    if (count != 3 || !read_ints(args, 3, v) || (v[0] == 0 && v[1] == 0)) ASKED("stretched");
    Point way = stretch_to(v[0], v[1], v[2]);
    return int_pair(way.x, way.y);
}

SAME(leg_micrometres) {
    Point a, b;
    if (count != 2 || !read_point(args[0], &a) || !read_point(args[1], &b)) ASKED("leg_micrometres");
    i64 dx = (b.x - a.x) * 1000, dy = (b.y - a.y) * 1000;
    return PyLong_FromLongLong(ceil_root((u128)dx * (u128)dx + (u128)dy * (u128)dy));
}

/* ---------------------------------------------------------------- shapes.py: models and their distances */

typedef struct {
    PyObject_HEAD
    PyObject *shape, *x, *y, *heading, *z, *key, *inside, *floor, *cx, *cy, *radius, *corners, *memo;
    i64 at_x, at_y, room, mm_x, mm_y, degrees; /* centre and radius in tenths, place in mm, for C */
    int corner_count;                          /* 4 for a hull, 0 for a base */
    int is_wild;                               /* too far out for C */
    Point corner[4];
} Body;

static PyTypeObject BodyType;
static PyObject *box_corners; /* angles.box_corners */
static PyObject *text_is_round, *text_width, *text_length, *text_body, *no_corners, *zero;

#define IS_BODY(object) (Py_TYPE(object) == &BodyType && !((Body *)(object))->is_wild)

static int number_of(PyObject *object, PyObject *name, i64 *value) {
    PyObject *number = PyObject_GetAttr(object, name);
    if (number == NULL) return 0;
    *value = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return *value != -1 || !PyErr_Occurred();
}

static int set_hull(Body *self, i64 width, i64 length) {
    PyObject *args[3] = {PyLong_FromLongLong(width * 10), PyLong_FromLongLong(length * 10), self->heading};
    PyObject *offsets = args[0] && args[1] ? PyObject_Vectorcall(box_corners, args, 3, NULL) : NULL;
    Py_XDECREF(args[0]);
    Py_XDECREF(args[1]);
    Point point[MOST_CORNERS];
    if (offsets == NULL) return 0;
    int count = read_polygon(offsets, point);
    Py_DECREF(offsets);
    if (count != 4) {
        PyErr_SetString(PyExc_ValueError, "A hull is too large for the table.");
        return 0;
    }
    self->corners = PyTuple_New(4);
    if (self->corners == NULL) return 0;
    self->corner_count = 4;
    for (int i = 0; i < 4; i++) {
        i64 far = ceil_root((u128)(point[i].x * point[i].x + point[i].y * point[i].y));
        if (far > self->room) self->room = far;
        self->corner[i] = (Point){self->at_x + point[i].x, self->at_y + point[i].y};
        PyObject *both = int_pair(self->corner[i].x, self->corner[i].y);
        if (both == NULL) return 0;
        PyTuple_SET_ITEM(self->corners, i, both);
    }
    return 1;
}

static PyObject *body_new(PyObject *shape, PyObject *x, PyObject *y, PyObject *heading, PyObject *z, PyObject *key,
                          PyObject *inside, PyObject *floor) {
    Body *self = PyObject_New(Body, &BodyType);
    if (self == NULL) return NULL;
    memset((char *)self + offsetof(Body, shape), 0, sizeof(Body) - offsetof(Body, shape));
#define KEEP(name) Py_INCREF(name), self->name = name
    KEEP(shape), KEEP(x), KEEP(y), KEEP(z), KEEP(key), KEEP(inside), KEEP(floor);
    i64 width, length, degrees;
    self->mm_x = PyLong_AsLongLong(x);
    self->mm_y = PyLong_AsLongLong(y);
    degrees = PyLong_AsLongLong(heading);
    if (PyErr_Occurred()) goto failed;
    self->degrees = ((degrees % 360) + 360) % 360;
    if (self->degrees == degrees) KEEP(heading);
    else self->heading = PyLong_FromLongLong(self->degrees);
    self->at_x = self->mm_x * 10;
    self->at_y = self->mm_y * 10;
    self->cx = PyLong_FromLongLong(self->at_x);
    self->cy = PyLong_FromLongLong(self->at_y);
    PyObject *is_round = PyObject_GetAttr(shape, text_is_round);
    if (is_round == NULL || self->heading == NULL || self->cx == NULL || self->cy == NULL) {
        Py_XDECREF(is_round);
        goto failed;
    }
    int round = PyObject_IsTrue(is_round);
    Py_DECREF(is_round);
    if (!number_of(shape, text_width, &width)) goto failed;
    if (round) {
        self->room = width * 5;
        Py_INCREF(no_corners);
        self->corners = no_corners;
    } else if (!number_of(shape, text_length, &length) || !set_hull(self, width, length)) {
        goto failed;
    }
    self->radius = PyLong_FromLongLong(self->room);
    if (self->radius == NULL) goto failed;
    i64 rim = LIMIT - self->room;
    self->is_wild = self->at_x > rim || self->at_x < -rim || self->at_y > rim || self->at_y < -rim;
    return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}

static void body_free(Body *self) {
    for (PyObject **field = &self->shape; field <= &self->memo; field++) Py_XDECREF(*field);
    PyObject_Free(self);
}

static const char *BODY_NAMES[] = {"shape", "x", "y", "heading", "z", "key", "inside", "floor"};

static PyObject *body_call(PyObject *type UNUSED, PyObject *const *args, size_t flags, PyObject *names) {
    Py_ssize_t count = PyVectorcall_NARGS(flags), named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    PyObject *v[8] = {NULL, NULL, NULL, zero, zero, Py_None, Py_None, zero};
    if (count > 8) return PyErr_Format(PyExc_TypeError, "Body() takes at most 8 arguments (%zd given)", count);
    for (Py_ssize_t i = 0; i < count; i++) v[i] = args[i];
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        int k = 0;
        while (k < 8 && PyUnicode_CompareWithASCIIString(name, BODY_NAMES[k])) k++;
        if (k == 8) return PyErr_Format(PyExc_TypeError, "Body() got an unexpected keyword argument '%U'", name);
        v[k] = args[count + i];
    }
    if (v[0] == NULL || v[1] == NULL || v[2] == NULL)
        return PyErr_Format(PyExc_TypeError, "Body() needs a shape, x and y");
    return body_new(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

static PyObject *body_create(PyTypeObject *type, PyObject *args, PyObject *named) {
    if (named != NULL && PyDict_GET_SIZE(named))
        return PyErr_Format(PyExc_TypeError, "Body.__new__ takes its arguments in order");
    return body_call((PyObject *)type, &PyTuple_GET_ITEM(args, 0), (size_t)PyTuple_GET_SIZE(args), NULL);
}

static PyObject *body_at(Body *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    PyObject *heading = count > 2 ? args[2] : Py_None;
    if (names != NULL && PyTuple_GET_SIZE(names) == 1 && count == 2 &&
        !PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "heading"))
        heading = args[2];
    else if (count < 2 || count > 3 || (names != NULL && PyTuple_GET_SIZE(names)))
        return PyErr_Format(PyExc_TypeError, "Body.at() takes x, y and perhaps a heading");
    if (heading == Py_None) heading = self->heading;
    return body_new(self->shape, args[0], args[1], heading, self->z, self->key, self->inside, self->floor);
}

static PyObject *body_reduce(Body *self, PyObject *nothing UNUSED) {
    return Py_BuildValue("(O(OOOOOOOO))", (PyObject *)&BodyType, self->shape, self->x, self->y, self->heading, self->z,
                         self->key, self->inside, self->floor);
}

static PyObject *body_repr(Body *self) {
    return PyUnicode_FromFormat("Body(%R, %S, %S, heading=%S, key=%R)", self->shape, self->x, self->y, self->heading,
                                self->key);
}

#define MEMBER(name) {#name, T_OBJECT_EX, offsetof(Body, name), READONLY, NULL}
static PyMemberDef body_members[] = {
    MEMBER(shape), MEMBER(x), MEMBER(y), MEMBER(heading), MEMBER(z), MEMBER(key), MEMBER(inside),
    MEMBER(floor), MEMBER(cx), MEMBER(cy), MEMBER(radius), MEMBER(corners),
    {"memo", T_OBJECT, offsetof(Body, memo), 0, "What has been worked out from the body alone, or None."},
    {NULL, 0, 0, 0, NULL},
};
static PyMethodDef body_methods[] = {
    {"at", (PyCFunction)(void (*)(void))body_at, METH_FASTCALL | METH_KEYWORDS, "The same model somewhere else."},
    {"__reduce__", (PyCFunction)body_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject BodyType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "dieselfront.table.measured.shapes.Body",
    .tp_doc = "A shape standing somewhere; see the Python class of this name.",
    .tp_basicsize = sizeof(Body),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .tp_new = body_create,
    .tp_dealloc = (destructor)body_free,
    .tp_repr = (reprfunc)body_repr,
    .tp_members = body_members,
    .tp_methods = body_methods,
    .tp_vectorcall = body_call,
};

static Fraction between_bodies(const Body *a, const Body *b, i64 *room) {
    *room = 0;
    if (a->corner_count) {
        if (b->corner_count) return between_polygons(a->corner, 4, b->corner, 4);
        const Body *other = a;
        a = b;
        b = other;
    }
    if (b->corner_count) {
        *room = a->room;
        return point_to_polygon(a->at_x, a->at_y, b->corner, 4);
    }
    *room = a->room + b->room;
    i64 dx = a->at_x - b->at_x, dy = a->at_y - b->at_y;
    return (Fraction){dx * dx + dy * dy, 1};
}

static i64 body_distance(const Body *a, const Body *b) {
    i64 room;
    Fraction square = between_bodies(a, b, &room);
    return most_of(0, ceil_root_ratio(square) - room);
}

static i64 centres_square(const Body *a, const Body *b) {
    i64 dx = a->at_x - b->at_x, dy = a->at_y - b->at_y;
    return dx * dx + dy * dy;
}

static int within(const Body *a, const Body *b, i64 length) {
    i64 reach = length + a->room + b->room;
    if (centres_square(a, b) > reach * reach) return 0;
    return !(a->corner_count || b->corner_count) || body_distance(a, b) <= length;
}

static int nearer(const Body *a, const Body *b, i64 length) {
    i64 room;
    Fraction square = between_bodies(a, b, &room);
    return square.top < (i128)(length + room) * (length + room) * square.bottom;
}

static int overlap(const Body *a, const Body *b) {
    i64 reach = a->room + b->room;
    if (centres_square(a, b) >= reach * reach) return 0;
    if (!(a->corner_count || b->corner_count)) return 1;
    if (a->corner_count && b->corner_count) return share_ground(a->corner, 4, b->corner, 4);
    return nearer(a, b, 0);
}

#define TWO_BODIES(name)                                                       \
    if (count != 2 || !IS_BODY(args[0]) || !IS_BODY(args[1])) ASKED(name);     \
    const Body *a = (Body *)args[0], *b = (Body *)args[1]

SAME(distance) {
    TWO_BODIES("distance");
    return PyLong_FromLongLong(body_distance(a, b));
}

SAME(overlaps) {
    TWO_BODIES("overlaps");
    return PyBool_FromLong(overlap(a, b));
}

SAME(is_within) {
    i64 length;
    if (count != 3 || !IS_BODY(args[0]) || !IS_BODY(args[1]) || !read_int(args[2], 1LL << 25, &length))
        ASKED("is_within");
    return PyBool_FromLong(within((Body *)args[0], (Body *)args[1], length));
}

SAME(is_nearer) {
    i64 length;
    if (count != 3 || !IS_BODY(args[0]) || !IS_BODY(args[1]) || !read_int(args[2], 1LL << 25, &length))
        ASKED("is_nearer");
    return PyBool_FromLong(nearer((Body *)args[0], (Body *)args[1], length));
}

/* Do two bodies of a list share ground? */
SAME(any_overlap) {
    if (count != 1 || !PyList_CheckExact(args[0])) ASKED("any_overlap");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++) {
        PyObject *a = PyList_GET_ITEM(args[0], i);
        if (!IS_BODY(a)) ASKED("any_overlap");
        for (Py_ssize_t k = 0; k < i; k++)
            if (overlap((Body *)a, (Body *)PyList_GET_ITEM(args[0], k))) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

/* Is one body of a list within a length of one of another list? */
SAME(any_within) {
    i64 length;
    if (count != 3 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) ||
        !read_int(args[2], 1LL << 25, &length))
        ASKED("any_within");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++)
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(args[1]); k++) {
            PyObject *a = PyList_GET_ITEM(args[0], i), *b = PyList_GET_ITEM(args[1], k);
            if (!IS_BODY(a) || !IS_BODY(b)) ASKED("any_within");
            if (within((Body *)a, (Body *)b, length)) Py_RETURN_TRUE;
        }
    Py_RETURN_FALSE;
}

static int all_bodies(PyObject *list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        if (!IS_BODY(PyList_GET_ITEM(list, i))) return 0;
    return 1;
}

typedef struct {
    i64 far;
    Py_ssize_t number;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
    const Ranked *p = a, *q = b;
    if (p->far != q->far) return p->far < q->far ? -1 : 1;
    return p->number < q->number ? -1 : 1;
}

/* The distances of a body from others with their numbers, the nearest first. */
SAME(nearest_first) {
    Ranked ranked[MOST_CORNERS];
    if (count != 2 || !IS_BODY(args[0]) || !PyList_CheckExact(args[1]) || PyList_GET_SIZE(args[1]) > MOST_CORNERS)
        ASKED("nearest_first");
    Py_ssize_t size = PyList_GET_SIZE(args[1]);
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *other = PyList_GET_ITEM(args[1], i);
        if (!IS_BODY(other)) ASKED("nearest_first");
        ranked[i] = (Ranked){body_distance((Body *)args[0], (Body *)other), i};
    }
    qsort(ranked, (size_t)size, sizeof(Ranked), compare_ranked);
    PyObject *list = PyList_New(size);
    for (Py_ssize_t i = 0; list != NULL && i < size; i++) {
        PyObject *both = int_pair(ranked[i].far, ranked[i].number);
        if (both == NULL) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, both);
    }
    return list;
}

/* Those of a list whose box meets the box round another list. */
SAME(in_box_round) {
    if (count != 2 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyList_GET_SIZE(args[0]) ||
        !all_bodies(args[0]) || !all_bodies(args[1]))
        ASKED("in_box_round");
    i64 low_x = 1LL << 40, low_y = 1LL << 40, high_x = -low_x, high_y = -low_y;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++) {
        const Body *body = (Body *)PyList_GET_ITEM(args[0], i);
        low_x = least(low_x, body->at_x - body->room), high_x = most_of(high_x, body->at_x + body->room);
        low_y = least(low_y, body->at_y - body->room), high_y = most_of(high_y, body->at_y + body->room);
    }
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && i < PyList_GET_SIZE(args[1]); i++) {
        const Body *body = (Body *)PyList_GET_ITEM(args[1], i);
        if (low_x > body->at_x + body->room || body->at_x - body->room > high_x ||
            low_y > body->at_y + body->room || body->at_y - body->room > high_y)
            continue;
        if (PyList_Append(list, (PyObject *)body) < 0) Py_CLEAR(list);
    }
    return list;
}

/* From a body to each of a list. */
SAME(distances) {
    if (count != 2 || !IS_BODY(args[0]) || !PyList_CheckExact(args[1]) || !all_bodies(args[1])) ASKED("distances");
    PyObject *list = PyList_New(PyList_GET_SIZE(args[1]));
    for (Py_ssize_t i = 0; list != NULL && i < PyList_GET_SIZE(args[1]); i++) {
        PyObject *far = PyLong_FromLongLong(body_distance((Body *)args[0], (Body *)PyList_GET_ITEM(args[1], i)));
        if (far == NULL) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, far);
    }
    return list;
}

static PyObject *text_where, *text_facing, *text_figures, *text_id, *text_status, *text_effects;

/* Fields of units are read where their slots are. All units of a game are of one class, the last one met. */
enum { UNIT_WHERE, UNIT_FIGURES, UNIT_STATUS, UNIT_ID, UNIT_EFFECTS, UNIT_FACING, UNIT_FIELDS };
static PyObject **const field_names[UNIT_FIELDS] = {&text_where, &text_figures, &text_status,
                                               &text_id,    &text_effects, &text_facing};
static PyTypeObject *unit_class;
static Py_ssize_t field_offsets[UNIT_FIELDS]; /* 0 for what is no slot */

static void meet_class(PyTypeObject *class) {
    for (int field = 0; field < UNIT_FIELDS; field++) {
        PyObject *slot = PyObject_GetAttr((PyObject *)class, *field_names[field]);
        field_offsets[field] = 0;
        if (slot == NULL) PyErr_Clear();
        else if (Py_IS_TYPE(slot, &PyMemberDescr_Type)) {
            PyMemberDef *member = ((PyMemberDescrObject *)slot)->d_member;
            if (member->type == T_OBJECT_EX) field_offsets[field] = member->offset;
        }
        Py_XDECREF(slot);
    }
    Py_XDECREF(unit_class);
    unit_class = (PyTypeObject *)Py_NewRef(class);
}

/* Borrowed, for the unit holds it; NULL with an exception. */
static PyObject *field_of(PyObject *unit, int field) {
    if (Py_TYPE(unit) != unit_class) meet_class(Py_TYPE(unit));
    PyObject *value = field_offsets[field] ? *(PyObject **)((char *)unit + field_offsets[field]) : NULL;
    if (value == NULL) {
        value = PyObject_GetAttr(unit, *field_names[field]);
        Py_XDECREF(value);
    }
    return value;
}

static int is_still(PyObject *unit, int field, PyObject *known) { /* -1 for an exception */
    PyObject *now = field_of(unit, field);
    if (now == NULL) return -1;
    return now == known ? 1 : PyObject_RichCompareBool(now, known, Py_EQ);
}

/* The bodies remembered for a unit, borrowed; NULL without an exception if there are none. */
static PyObject *kept_bodies(PyObject *memory, PyObject *unit) {
    PyObject *where = field_of(unit, UNIT_WHERE);
    PyObject *place = where == NULL ? NULL : PyLong_FromVoidPtr(where);
    if (place == NULL) return NULL;
    PyObject *entry = PyDict_GetItemWithError(memory, place); /* (where, facing, figures, id, bodies) */
    Py_DECREF(place);
    if (entry == NULL) return NULL;
    const int fields[3] = {UNIT_FACING, UNIT_FIGURES, UNIT_ID};
    for (int i = 0; i < 3; i++)
        if (is_still(unit, fields[i], PyTuple_GET_ITEM(entry, i + 1)) <= 0) return NULL;
    return PyTuple_GET_ITEM(entry, 4);
}

/* bodies_kept(memory, unit): the bodies remembered for a unit that has not changed, else None (shapes.bodies_kept). */
SAME(bodies_kept) {
    if (count != 2 || !PyDict_CheckExact(args[0])) ASKED("bodies_kept");
    PyObject *bodies = kept_bodies(args[0], args[1]);
    if (bodies != NULL) return Py_NewRef(bodies);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* units_within(memory, bodies, units, length): the units with a remembered body within a length of one of these;
   None if one of them is not remembered (shapes.units_within). */
SAME(units_within) {
    i64 length;
    if (count != 4 || !PyDict_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyList_CheckExact(args[2]) ||
        !read_int(args[3], 1LL << 25, &length) || !all_bodies(args[1]))
        ASKED("units_within");
    PyObject *near = PyList_New(0);
    for (Py_ssize_t i = 0; near != NULL && i < PyList_GET_SIZE(args[2]); i++) {
        PyObject *unit = PyList_GET_ITEM(args[2], i), *bodies = kept_bodies(args[0], unit);
        if (bodies == NULL || !PyList_CheckExact(bodies) || !PyList_GET_SIZE(bodies) || !all_bodies(bodies)) {
            Py_DECREF(near);
            if (PyErr_Occurred()) return NULL;
            Py_RETURN_NONE;
        }
        int is_near = 0;
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(bodies) && !is_near; k++)
            for (Py_ssize_t m = 0; m < PyList_GET_SIZE(args[1]) && !is_near; m++)
                is_near = within((Body *)PyList_GET_ITEM(args[1], m), (Body *)PyList_GET_ITEM(bodies, k), length);
        if (is_near && PyList_Append(near, unit) < 0) Py_CLEAR(near);
    }
    return near;
}

/* stamp_of(units): bytes that are the same for units of which nothing has been replaced (shapes.stamp_of). */
SAME(stamp_of) {
    if (count != 1 || !PyList_CheckExact(args[0])) ASKED("stamp_of");
    Py_ssize_t size = PyList_GET_SIZE(args[0]);
    PyObject *stamp = PyBytes_FromStringAndSize(NULL, size * 6 * (Py_ssize_t)sizeof(i64));
    if (stamp == NULL) return NULL;
    i64 *mark = (i64 *)PyBytes_AS_STRING(stamp);
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *unit = PyList_GET_ITEM(args[0], i);
        for (int field = UNIT_WHERE; field < UNIT_FACING; field++) {
            PyObject *value = field_of(unit, field);
            if (value == NULL) goto failed;
            *mark++ = (i64)value;
        }
        PyObject *facing = field_of(unit, UNIT_FACING);
        if (facing == NULL) goto failed;
        *mark = PyLong_AsLongLong(facing);
        if (*mark++ == -1 && PyErr_Occurred()) goto failed;
    }
    return stamp;
failed:
    Py_DECREF(stamp);
    return NULL;
}

static i64 from_point(i64 x, i64 y, const Body *body) {
    if (body->corner_count) return ceil_root_ratio(point_to_polygon(x, y, body->corner, 4));
    i64 dx = x - body->at_x, dy = y - body->at_y;
    return most_of(0, ceil_root((u128)(dx * dx + dy * dy)) - body->room);
}

SAME(distance_from_point) {
    i64 v[2];
    if (count != 3 || !read_ints(args, 2, v) || !IS_BODY(args[2])) ASKED("distance_from_point");
    return PyLong_FromLongLong(from_point(v[0], v[1], (Body *)args[2]));
}

SAME(distance_from_centre) {
    TWO_BODIES("distance_from_centre");
    return PyLong_FromLongLong(from_point(a->at_x, a->at_y, b));
}

SAME(distance_from_line) {
    i64 v[4];
    if (count != 5 || !read_ints(args, 4, v) || !IS_BODY(args[4])) ASKED("distance_from_line");
    const Body *body = (Body *)args[4];
    if (body->corner_count)
        return PyLong_FromLongLong(ceil_root_ratio(segment_to_polygon(v[0], v[1], v[2], v[3], body->corner, 4)));
    Fraction square = to_segment(body->at_x, body->at_y, v[0], v[1], v[2], v[3]);
    return PyLong_FromLongLong(most_of(0, ceil_root_ratio(square) - body->room));
}

SAME(unit_distance) {
    if (count != 2 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !all_bodies(args[0]) ||
        !all_bodies(args[1]) || !PyList_GET_SIZE(args[0]) || !PyList_GET_SIZE(args[1]))
        ASKED("unit_distance");
    i64 best = -1;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++)
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(args[1]); k++) {
            const Body *a = (Body *)PyList_GET_ITEM(args[0], i), *b = (Body *)PyList_GET_ITEM(args[1], k);
            i64 nearest = best + a->room + b->room; /* centres so far apart are no nearer */
            if (best >= 0 && centres_square(a, b) >= nearest * nearest) continue;
            i64 far = body_distance(a, b);
            if (best < 0 || far < best) best = far;
            if (best == 0) return PyLong_FromLong(0);
        }
    return PyLong_FromLongLong(best);
}

/* Is all of a body in a polygon? */
static int wholly_in(const Body *body, const Point *polygon, int corners) {
    if (place_in(body->at_x, body->at_y, polygon, corners) < 0) return 0;
    if (!body->corner_count) {
        Fraction square = to_outline(body->at_x, body->at_y, polygon, corners);
        return square.top >= (i128)body->room * body->room * square.bottom;
    }
    for (int i = 0; i < 4; i++)
        if (place_in(body->corner[i].x, body->corner[i].y, polygon, corners) < 0) return 0;
    for (int i = 0; i < corners; i++) {
        Point p = polygon[i ? i - 1 : corners - 1], q = polygon[i];
        if (enters(p.x, p.y, q.x, q.y, body->corner, 4)) return 0;
    }
    return 1;
}

static int touches(const Body *body, const Point *polygon, int corners) {
    if (body->corner_count) return between_polygons(body->corner, 4, polygon, corners).top == 0;
    Fraction square = point_to_polygon(body->at_x, body->at_y, polygon, corners);
    return square.top <= (i128)body->room * body->room * square.bottom;
}

#define BODY_AND_POLYGON(name)                                                                              \
    Point polygon[MOST_CORNERS];                                                                            \
    int corners;                                                                                            \
    if (count != 2 || !IS_BODY(args[0]) || !(corners = read_polygon(args[1], polygon))) ASKED(name);        \
    const Body *body = (Body *)args[0]

SAME(touches_polygon) {
    BODY_AND_POLYGON("touches_polygon");
    return PyBool_FromLong(touches(body, polygon, corners));
}

static int overlaps_part(const Body *body, const Point *polygon, int corners) {
    if (body->corner_count) return share_ground(body->corner, 4, polygon, corners);
    Fraction square = point_to_polygon(body->at_x, body->at_y, polygon, corners);
    return square.top < (i128)body->room * body->room * square.bottom;
}

SAME(overlaps_convex) {
    BODY_AND_POLYGON("overlaps_convex");
    return PyBool_FromLong(overlaps_part(body, polygon, corners));
}

SAME(is_wholly_in) {
    BODY_AND_POLYGON("is_wholly_in");
    return PyBool_FromLong(wholly_in(body, polygon, corners));
}

/* ---------------------------------------------------------------- placement.py and movement.py: models to keep from */

typedef struct {
    PyObject_HEAD
    PyObject *body, *gap, *strict;
    i64 room; /* the gap, for C */
    int is_strict;
} Keep;

static PyTypeObject KeepType;

static PyObject *keep_new(PyObject *body, PyObject *gap, PyObject *strict) {
    Keep *self = PyObject_New(Keep, &KeepType);
    if (self == NULL) return NULL;
    self->body = Py_NewRef(body);
    self->gap = Py_NewRef(gap);
    self->strict = Py_NewRef(strict);
    self->is_strict = PyObject_IsTrue(strict);
    self->room = PyLong_AsLongLong(gap);
    if (PyErr_Occurred()) Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *keep_call(PyObject *type UNUSED, PyObject *const *args, size_t flags, PyObject *names) {
    Py_ssize_t count = PyVectorcall_NARGS(flags), named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    static const char *known[] = {"body", "gap", "strict"};
    PyObject *v[3] = {NULL, zero, Py_True};
    if (count > 3) return PyErr_Format(PyExc_TypeError, "Keep() takes at most 3 arguments (%zd given)", count);
    for (Py_ssize_t i = 0; i < count; i++) v[i] = args[i];
    for (Py_ssize_t i = 0; i < named; i++) {
        int k = 0;
        while (k < 3 && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), known[k])) k++;
        if (k == 3) return PyErr_Format(PyExc_TypeError, "Keep() got an unexpected keyword argument");
        v[k] = args[count + i];
    }
    if (v[0] == NULL) return PyErr_Format(PyExc_TypeError, "Keep() needs a body");
    return keep_new(v[0], v[1], v[2]);
}

static PyObject *keep_create(PyTypeObject *type, PyObject *args, PyObject *named UNUSED) {
    return keep_call((PyObject *)type, &PyTuple_GET_ITEM(args, 0), (size_t)PyTuple_GET_SIZE(args), NULL);
}

static void keep_free(Keep *self) {
    Py_XDECREF(self->body);
    Py_XDECREF(self->gap);
    Py_XDECREF(self->strict);
    PyObject_Free(self);
}

static PyObject *keep_reduce(Keep *self, PyObject *nothing UNUSED) {
    return Py_BuildValue("(O(OOO))", (PyObject *)&KeepType, self->body, self->gap, self->strict);
}

static PyObject *keep_repr(Keep *self) {
    return PyUnicode_FromFormat("Keep(body=%R, gap=%S, strict=%S)", self->body, self->gap, self->strict);
}

/* The body, gap and strictness of a Keep; 0 when it is to be left to Python. The body is borrowed. */
static int read_keep(PyObject *object, const Body **body, i64 *gap, int *strict) {
    const Keep *keep = (Keep *)object;
    if (Py_TYPE(object) != &KeepType || !IS_BODY(keep->body) || keep->room > LIMIT) return 0;
    *body = (Body *)keep->body;
    *gap = keep->room;
    *strict = keep->is_strict;
    return 1;
}

static int is_kept_from(const Body *body, const Body *other, i64 gap, int strict) {
    if (gap == 0) return !overlap(body, other);
    return strict ? !within(body, other, gap) : !nearer(body, other, gap);
}

static PyObject *keep_is_kept(PyObject *self, PyObject *body) {
    const Body *other;
    i64 gap;
    int strict;
    PyObject *args[2] = {self, body};
    if (!IS_BODY(body) || !read_keep(self, &other, &gap, &strict)) return asked("is_kept", args, 2);
    return PyBool_FromLong(is_kept_from((Body *)body, other, gap, strict));
}

SAME(is_kept) {
    if (count != 2) ASKED("is_kept");
    return keep_is_kept(args[0], args[1]);
}

#define KEEP_MEMBER(name) {#name, T_OBJECT_EX, offsetof(Keep, name), READONLY, NULL}
static PyMemberDef keep_members[] = {
    KEEP_MEMBER(body), KEEP_MEMBER(gap), KEEP_MEMBER(strict), {NULL, 0, 0, 0, NULL},
};
static PyMethodDef keep_methods[] = {
    {"is_kept", keep_is_kept, METH_O, "Does a model stand far enough from it?"},
    {"__reduce__", (PyCFunction)keep_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject KeepType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "dieselfront.table.measured.placement.Keep",
    .tp_doc = "A model to keep away from; see the Python class of this name.",
    .tp_basicsize = sizeof(Keep),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .tp_new = keep_create,
    .tp_dealloc = (destructor)keep_free,
    .tp_repr = (reprfunc)keep_repr,
    .tp_members = keep_members,
    .tp_methods = keep_methods,
    .tp_vectorcall = keep_call,
};

/* The first of a list of keeps that a body stands too near to, or None. */
SAME(first_not_kept) {
    if (count != 2 || !PyList_CheckExact(args[0]) || !IS_BODY(args[1])) ASKED("first_not_kept");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++) {
        const Body *other;
        i64 gap;
        int strict;
        PyObject *keep = PyList_GET_ITEM(args[0], i);
        if (!read_keep(keep, &other, &gap, &strict)) ASKED("first_not_kept");
        if (other != (Body *)args[1] && !is_kept_from((Body *)args[1], other, gap, strict)) {
            Py_INCREF(keep);
            return keep;
        }
    }
    Py_RETURN_NONE;
}

/* Those of a list whose room comes near a box. */
SAME(keeps_near) {
    i64 v[4];
    if (count != 5 || !PyList_CheckExact(args[0])) ASKED("keeps_near");
    for (int i = 0; i < 4; i++)
        if (!read_int(args[i + 1], 1LL << 50, v + i)) ASKED("keeps_near");
    PyObject *near = PyList_New(0);
    for (Py_ssize_t i = 0; near != NULL && i < PyList_GET_SIZE(args[0]); i++) {
        const Body *body;
        i64 gap;
        int strict;
        PyObject *keep = PyList_GET_ITEM(args[0], i);
        if (!read_keep(keep, &body, &gap, &strict)) {
            Py_DECREF(near);
            ASKED("keeps_near");
        }
        i64 room = body->room + gap;
        if (body->at_x < v[0] - room || body->at_x > v[2] + room || body->at_y < v[1] - room ||
            body->at_y > v[3] + room)
            continue;
        if (PyList_Append(near, keep) < 0) Py_CLEAR(near);
    }
    return near;
}

typedef struct {
    const Body *a, *b;
    Point swept[16];
    int corners; /* of the ground swept, 0 until it is asked for */
} Leg;

static void sweep(Leg *leg) {
    Point points[8];
    if (leg->corners) return;
    memcpy(points, leg->a->corner, sizeof(Point) * 4);
    memcpy(points + 4, leg->b->corner, sizeof(Point) * 4);
    leg->corners = hull_of(points, 8, leg->swept);
}

static int leg_passes(Leg *leg, const Body *other, i64 gap, int strict) {
    const Body *a = leg->a, *b = leg->b;
    i64 reach = most_of(a->room, b->room) + other->room + gap, room;
    if (!(least(a->at_x, b->at_x) - reach <= other->at_x && other->at_x <= most_of(a->at_x, b->at_x) + reach &&
          least(a->at_y, b->at_y) - reach <= other->at_y && other->at_y <= most_of(a->at_y, b->at_y) + reach))
        return 1;
    Fraction square;
    if (a->corner_count) {
        sweep(leg);
        if (other->corner_count) {
            if (gap == 0) return !share_ground(leg->swept, leg->corners, other->corner, 4);
            square = between_polygons(leg->swept, leg->corners, other->corner, 4);
            room = 0;
        } else {
            square = point_to_polygon(other->at_x, other->at_y, leg->swept, leg->corners);
            room = other->room;
        }
    } else if (other->corner_count) {
        square = segment_to_polygon(a->at_x, a->at_y, b->at_x, b->at_y, other->corner, 4);
        room = a->room;
    } else {
        square = to_segment(other->at_x, other->at_y, a->at_x, a->at_y, b->at_x, b->at_y);
        room = a->room + other->room;
    }
    if (gap == 0 && room == 0) return 0; /* a base without room: left to Python by those who call */
    i128 limit = (i128)(room + gap) * (room + gap) * square.bottom;
    return square.top > limit || (square.top == limit && (gap == 0 || !strict));
}

/* Does a model on a straight leg stay as far from all of a list as it must? */
SAME(passes_all) {
    if (count != 3 || !IS_BODY(args[0]) || !IS_BODY(args[1]) || !PyList_CheckExact(args[2])) ASKED("passes_all");
    Leg leg = {.a = (Body *)args[0], .b = (Body *)args[1], .corners = 0};
    if (leg.a->corner_count != leg.b->corner_count || leg.a->room == 0) ASKED("passes_all");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[2]); i++) {
        const Body *other;
        i64 gap;
        int strict;
        if (!read_keep(PyList_GET_ITEM(args[2], i), &other, &gap, &strict)) ASKED("passes_all");
        if (!leg_passes(&leg, other, gap, strict)) Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}

/* ---------------------------------------------------------------- table.py and sight.py: terrain */

typedef struct {
    i64 ax, ay, bx, by, length, floor, sill, lintel, is_door; /* tenths; length squared */
} Opening;

typedef struct {
    PyObject *piece, *id;
    i64 height, floors, floor_height;
    int sight, first, last; /* parts first .. last - 1 */
    int opening_count;
    Opening *openings;
} Piece;

typedef struct {
    i64 low_x, low_y, high_x, high_y;
    int piece, corners, convex_count;
    Point *polygon;
    int *convex_corners;
    Point **convex;
} Part;

typedef struct {
    PyObject_HEAD
    int part_count, piece_count;
    Part *parts;
    Piece *pieces;
} Land;

enum { OPEN, SCREEN, AREA, BLOCKS };
enum { OUT, TOUCH, CENTRE, WHOLLY };
#define MOST_PARTS 512

static PyTypeObject LandType;

typedef struct {
    unsigned char bytes[MOST_PARTS / 8];
} Mask;

static int read_mask(const Land *land, PyObject *object, Mask *mask) {
    if (!PyLong_Check(object)) return 0;
    if (land->part_count <= 60) {
        i64 bits;
        if (!read_int(object, 1LL << 61, &bits) || bits < 0) return 0;
        memset(mask, 0, sizeof(Mask));
        memcpy(mask, &bits, sizeof(bits));
        return 1;
    }
#if PY_VERSION_HEX >= 0x030D0000
    int failed = _PyLong_AsByteArray((PyLongObject *)object, mask->bytes, sizeof(Mask), 1, 0, 1);
#else
    int failed = _PyLong_AsByteArray((PyLongObject *)object, mask->bytes, sizeof(Mask), 1, 0);
#endif
    if (failed) PyErr_Clear();
    return !failed;
}

static PyObject *from_mask(const Land *land, const Mask *mask) {
    if (land->part_count <= 60) {
        i64 bits;
        memcpy(&bits, mask, sizeof(bits));
        return PyLong_FromLongLong(bits);
    }
    return _PyLong_FromByteArray(mask->bytes, sizeof(Mask), 1, 0);
}

static inline int has_bit(const Mask *mask, int number) { return mask->bytes[number >> 3] >> (number & 7) & 1; }

static void land_free(Land *self) {
    for (int i = 0; self->parts != NULL && i < self->part_count; i++) {
        Part *part = self->parts + i;
        for (int k = 0; part->convex != NULL && k < part->convex_count; k++) PyMem_Free(part->convex[k]);
        PyMem_Free(part->convex);
        PyMem_Free(part->convex_corners);
        PyMem_Free(part->polygon);
    }
    for (int i = 0; self->pieces != NULL && i < self->piece_count; i++) {
        PyMem_Free(self->pieces[i].openings);
        Py_XDECREF(self->pieces[i].piece);
        Py_XDECREF(self->pieces[i].id);
    }
    PyMem_Free(self->parts);
    PyMem_Free(self->pieces);
    PyObject_Free(self);
}

static Point *kept_polygon(PyObject *object, int *corners) {
    Point polygon[MOST_CORNERS];
    *corners = read_polygon(object, polygon);
    Point *kept = *corners ? PyMem_Malloc(sizeof(Point) * (size_t)*corners) : NULL;
    if (kept != NULL) memcpy(kept, polygon, sizeof(Point) * (size_t)*corners);
    return kept;
}

static int read_part(Part *part, PyObject *data, int piece) { /* (polygon, convex polygons) */
    PyObject *convex = PyTuple_GET_ITEM(data, 1);
    part->piece = piece;
    part->polygon = kept_polygon(PyTuple_GET_ITEM(data, 0), &part->corners);
    if (part->polygon == NULL || !PyTuple_Check(convex)) return 0;
    part->convex_count = (int)PyTuple_GET_SIZE(convex);
    part->convex = PyMem_Calloc((size_t)part->convex_count + 1, sizeof(Point *));
    part->convex_corners = PyMem_Calloc((size_t)part->convex_count + 1, sizeof(int));
    if (part->convex == NULL || part->convex_corners == NULL) return 0;
    for (int k = 0; k < part->convex_count; k++) {
        part->convex[k] = kept_polygon(PyTuple_GET_ITEM(convex, k), part->convex_corners + k);
        if (part->convex[k] == NULL) return 0;
    }
    part->low_x = part->high_x = part->polygon[0].x;
    part->low_y = part->high_y = part->polygon[0].y;
    for (int i = 1; i < part->corners; i++) {
        part->low_x = least(part->low_x, part->polygon[i].x), part->high_x = most_of(part->high_x, part->polygon[i].x);
        part->low_y = least(part->low_y, part->polygon[i].y), part->high_y = most_of(part->high_y, part->polygon[i].y);
    }
    return 1;
}

static int read_openings(Piece *piece, PyObject *openings) { /* ((ax, ay, bx, by, floor, sill, lintel, door), ...) */
    piece->opening_count = (int)PyTuple_GET_SIZE(openings);
    piece->openings = PyMem_Calloc((size_t)piece->opening_count + 1, sizeof(Opening));
    if (piece->openings == NULL) return 0;
    for (int i = 0; i < piece->opening_count; i++) {
        i64 v[8];
        if (!read_ints(&PyTuple_GET_ITEM(PyTuple_GET_ITEM(openings, i), 0), 8, v)) return 0;
        i64 dx = v[2] - v[0], dy = v[3] - v[1];
        piece->openings[i] = (Opening){v[0], v[1], v[2], v[3], dx * dx + dy * dy, v[4], v[5], v[6], v[7]};
    }
    return 1;
}

/* land(pieces, ((id, sight, height, floors, floor_height, openings, parts), ...)), or None if C cannot hold it. */
static PyObject *land(PyObject *module UNUSED, PyObject *both) {
    PyObject *owners, *pieces;
    if (!PyArg_ParseTuple(both, "O!O!", &PyTuple_Type, &owners, &PyTuple_Type, &pieces)) return NULL;
    Land *self = PyObject_New(Land, &LandType);
    if (self == NULL) return NULL;
    self->piece_count = (int)PyTuple_GET_SIZE(pieces);
    self->part_count = 0;
    for (int i = 0; i < self->piece_count; i++)
        self->part_count += (int)PyTuple_GET_SIZE(PyTuple_GET_ITEM(PyTuple_GET_ITEM(pieces, i), 6));
    self->pieces = PyMem_Calloc((size_t)self->piece_count + 1, sizeof(Piece));
    self->parts = PyMem_Calloc((size_t)self->part_count + 1, sizeof(Part));
    int number = 0, good = self->pieces != NULL && self->parts != NULL && self->part_count <= MOST_PARTS;
    for (int i = 0; good && i < self->piece_count; i++) {
        PyObject *data = PyTuple_GET_ITEM(pieces, i), *parts = PyTuple_GET_ITEM(data, 6);
        Piece *piece = self->pieces + i;
        i64 v[4];
        good = read_ints(&PyTuple_GET_ITEM(data, 1), 4, v);
        piece->sight = (int)v[0];
        piece->height = v[1], piece->floors = v[2], piece->floor_height = v[3];
        piece->piece = Py_NewRef(PyTuple_GET_ITEM(owners, i));
        piece->id = Py_NewRef(PyTuple_GET_ITEM(data, 0));
        piece->first = number;
        good = good && read_openings(piece, PyTuple_GET_ITEM(data, 5));
        for (Py_ssize_t k = 0; good && k < PyTuple_GET_SIZE(parts); k++)
            good = read_part(self->parts + number++, PyTuple_GET_ITEM(parts, k), i);
        piece->last = number;
    }
    if (good) return (PyObject *)self;
    Py_DECREF(self);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static inline int meets_box(const Part *part, i64 low_x, i64 low_y, i64 high_x, i64 high_y) {
    return part->low_x <= high_x && part->high_x >= low_x && part->low_y <= high_y && part->high_y >= low_y;
}

static int merge_all(Point *stretch, int size) { /* sorted, overlapping or touching ones made one */
    int merged = 0;
    for (int i = 1; i < size; i++) {
        Point here = stretch[i];
        int k = i;
        while (k > 0 && compare_points(stretch + k - 1, &here) > 0) stretch[k] = stretch[k - 1], k--;
        stretch[k] = here;
    }
    for (int i = 0; i < size; i++) {
        if (merged && stretch[i].x <= stretch[merged - 1].y) {
            if (stretch[i].y > stretch[merged - 1].y) stretch[merged - 1].y = stretch[i].y;
        } else {
            stretch[merged++] = stretch[i];
        }
    }
    return merged;
}

#define MOST_STRETCHES (4 * MOST_CORNERS)

/* What a line has inside one piece; how many stretches, or -1 when there is no room for them. */
static int stretches_in_piece(const Land *self, const Piece *piece, const Mask *mask, i64 ax, i64 ay,
                              i64 bx, i64 by, Point *stretch, int room) {
    i64 low_x = least(ax, bx), high_x = most_of(ax, bx), low_y = least(ay, by), high_y = most_of(ay, by);
    int size = 0, of_parts = 0;
    for (int i = piece->first; i < piece->last; i++) {
        const Part *part = self->parts + i;
        if (!meets_box(part, low_x, low_y, high_x, high_y)) continue;
        if (mask != NULL && !has_bit(mask, i)) continue;
        if (size + part->corners > room) return -1;
        int more = stretches_of(ax, ay, bx, by, part->polygon, part->corners, stretch + size);
        if (more) of_parts++;
        size += more;
    }
    return of_parts > 1 ? merge_all(stretch, size) : size;
}

static PyObject *land_stretches_in(Land *self, PyObject *const *args, Py_ssize_t count) { /* a, b, mask; None: ask */
    Point a, b, stretch[MOST_STRETCHES];
    Mask mask;
    if (count != 3 || !read_point(args[0], &a) || !read_point(args[1], &b) || !read_mask(self, args[2], &mask))
        Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < self->piece_count; i++) {
        int size = stretches_in_piece(self, self->pieces + i, &mask, a.x, a.y, b.x, b.y, stretch, MOST_STRETCHES);
        if (size < 0) {
            Py_DECREF(list);
            Py_RETURN_NONE;
        }
        if (size == 0) continue;
        PyObject *both = pair(Py_NewRef(self->pieces[i].piece), stretch_list(stretch, size));
        if (both == NULL || PyList_Append(list, both) < 0) Py_CLEAR(list);
        Py_XDECREF(both);
    }
    return list;
}

/* How much of a body is in a piece (terrain.Stand). */
static int stand_in(const Land *self, const Piece *piece, const Body *body) {
    int best = OUT;
    for (int i = piece->first; i < piece->last; i++) {
        const Part *part = self->parts + i;
        i64 r = body->room, x = body->at_x, y = body->at_y;
        if (!meets_box(part, x - r, y - r, x + r, y + r) || !touches(body, part->polygon, part->corners)) continue;
        if (wholly_in(body, part->polygon, part->corners)) return WHOLLY;
        int grade = place_in(x, y, part->polygon, part->corners) >= 0 ? CENTRE : TOUCH;
        if (grade > best) best = grade;
    }
    return best;
}

static PyObject *land_standing(Land *self, PyObject *body) { /* [(piece, grade), ...], or None: ask */
    if (!IS_BODY(body)) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < self->piece_count; i++) {
        int grade = stand_in(self, self->pieces + i, (Body *)body);
        if (grade == OUT) continue;
        PyObject *both = pair(Py_NewRef(self->pieces[i].piece), PyLong_FromLong(grade));
        if (both == NULL || PyList_Append(list, both) < 0) Py_CLEAR(list);
        Py_XDECREF(both);
    }
    return list;
}

static int covers(const Land *self, const Piece *piece, i64 x, i64 y) {
    for (int i = piece->first; i < piece->last; i++)
        if (meets_box(self->parts + i, x, y, x, y) &&
            place_in(x, y, self->parts[i].polygon, self->parts[i].corners) >= 0)
            return 1;
    return 0;
}

static PyObject *land_pieces_at(Land *self, PyObject *const *args, Py_ssize_t count) { /* x, y; None: ask */
    i64 v[2];
    if (count != 2 || !read_ints(args, 2, v)) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < self->piece_count; i++)
        if (covers(self, self->pieces + i, v[0], v[1]) && PyList_Append(list, self->pieces[i].piece) < 0)
            Py_CLEAR(list);
    return list;
}

static int leg_enters(const Land *self, const Piece *piece, const Mask *mask, Leg *leg) {
    const Body *a = leg->a, *b = leg->b;
    i64 r = most_of(a->room, b->room);
    i64 low_x = least(a->at_x, b->at_x) - r, high_x = most_of(a->at_x, b->at_x) + r;
    i64 low_y = least(a->at_y, b->at_y) - r, high_y = most_of(a->at_y, b->at_y) + r;
    for (int i = piece->first; i < piece->last; i++) {
        const Part *part = self->parts + i;
        if (!has_bit(mask, i) || !meets_box(part, low_x, low_y, high_x, high_y)) continue;
        if (!a->corner_count) {
            if (nears(a->at_x, a->at_y, b->at_x, b->at_y, part->polygon, part->corners, a->room)) return 1;
            continue;
        }
        sweep(leg);
        for (int k = 0; k < part->convex_count; k++)
            if (share_ground(leg->swept, leg->corners, part->convex[k], part->convex_corners[k])) return 1;
    }
    return 0;
}

static int read_leg(const Land *self, PyObject *const *args, Py_ssize_t count, Leg *leg, Mask *mask) {
    if (count != 3 || !IS_BODY(args[0]) || !IS_BODY(args[1]) || !read_mask(self, args[2], mask)) return 0;
    leg->a = (Body *)args[0], leg->b = (Body *)args[1], leg->corners = 0;
    return leg->a->corner_count == leg->b->corner_count;
}

static PyObject *land_passes_over(Land *self, PyObject *const *args, Py_ssize_t count) { /* a, b, mask; None: ask */
    Leg leg;
    Mask mask;
    if (!read_leg(self, args, count, &leg, &mask)) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < self->piece_count; i++)
        if (leg_enters(self, self->pieces + i, &mask, &leg) && PyList_Append(list, self->pieces[i].piece) < 0)
            Py_CLEAR(list);
    return list;
}

/* near_box(low_x, low_y, high_x, high_y, mask), in whole cells as index.py has them; None: ask */
static PyObject *land_near_box(Land *self, PyObject *const *args, Py_ssize_t count) {
    i64 v[4];
    Mask mask, near;
    if (count != 5 || !read_ints(args, 4, v) || !read_mask(self, args[4], &mask)) Py_RETURN_NONE;
    memset(&near, 0, sizeof(near));
    for (int i = 0; i < 4; i++) v[i] = (v[i] + 16384) >> 7;
    for (int i = 0; i < self->part_count; i++) {
        const Part *part = self->parts + i;
        if (has_bit(&mask, i) && (part->low_x + 16384) >> 7 <= v[2] && (part->high_x + 16384) >> 7 >= v[0] &&
            (part->low_y + 16384) >> 7 <= v[3] && (part->high_y + 16384) >> 7 >= v[1])
            near.bytes[i >> 3] |= (unsigned char)(1 << (i & 7));
    }
    return from_mask(self, &near);
}

/* overlapped(body, mask): the first piece among them, not the one it is inside of, that a body stands on; else False.
   None: ask */
static PyObject *land_overlapped(Land *self, PyObject *const *args, Py_ssize_t count) {
    Mask mask;
    if (count != 2 || !IS_BODY(args[0]) || !read_mask(self, args[1], &mask)) Py_RETURN_NONE;
    const Body *body = (Body *)args[0];
    i64 r = body->room, x = body->at_x, y = body->at_y;
    for (int i = 0; i < self->part_count; i++) {
        const Part *part = self->parts + i;
        if (!has_bit(&mask, i) || !meets_box(part, x - r, y - r, x + r, y + r)) continue;
        const Piece *piece = self->pieces + part->piece;
        if (body->inside != Py_None && PyUnicode_Compare(body->inside, piece->id) == 0) continue;
        for (int k = 0; k < part->convex_count; k++)
            if (overlaps_part(body, part->convex[k], part->convex_corners[k])) return Py_NewRef(piece->piece);
    }
    Py_RETURN_FALSE;
}

/* may_stand(body, keeps, mask, width, depth): on the table (mm), clear of models and of these pieces? None: ask */
static PyObject *land_may_stand(Land *self, PyObject *const *args, Py_ssize_t count) {
    i64 size[2];
    if (count != 5 || !IS_BODY(args[0]) || !PyList_CheckExact(args[1]) || !read_ints(args + 3, 2, size)) Py_RETURN_NONE;
    const Body *body = (Body *)args[0];
    i64 wide = size[0] * 10, deep = size[1] * 10, r = body->room;
    if (body->corner_count) {
        for (int i = 0; i < 4; i++) {
            Point corner = body->corner[i];
            if (corner.x < 0 || corner.y < 0 || corner.x > wide || corner.y > deep) Py_RETURN_FALSE;
        }
    } else if (body->at_x < r || body->at_y < r || body->at_x > wide - r || body->at_y > deep - r) {
        Py_RETURN_FALSE;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[1]); i++) {
        const Body *other;
        i64 gap;
        int strict;
        if (!read_keep(PyList_GET_ITEM(args[1], i), &other, &gap, &strict)) Py_RETURN_NONE;
        if (other != body && !is_kept_from(body, other, gap, strict)) Py_RETURN_FALSE;
    }
    PyObject *asked_for[2] = {args[0], args[2]};
    PyObject *piece = land_overlapped(self, asked_for, 2);
    if (piece == Py_None || piece == NULL) return piece;
    int is_free = piece == Py_False;
    Py_DECREF(piece);
    return PyBool_FromLong(is_free);
}

enum { ANYWHERE, NEAR_FIRST_CENTRE, NEAR_FIRST, NEAR_ONE, NEAR_ALL }; /* how models keep together (formation.py) */

static int keeps_together(const Body *body, PyObject *placed, i64 rule, i64 reach) {
    Py_ssize_t size = PyList_GET_SIZE(placed);
    if (rule == ANYWHERE || size == 0) return 1;
    const Body *first = (Body *)PyList_GET_ITEM(placed, 0);
    if (rule == NEAR_FIRST_CENTRE) return from_point(first->at_x, first->at_y, body) <= reach;
    if (rule == NEAR_FIRST) return within(first, body, reach);
    for (Py_ssize_t i = 0; i < size; i++)
        if (within(body, (Body *)PyList_GET_ITEM(placed, i), reach) == (rule == NEAR_ONE)) return rule == NEAR_ONE;
    return rule == NEAR_ALL;
}

/* first_free(body, offsets, pace, begin, keeps, mask, numbers, placed): the number from `begin` on of the first offset
   (times `pace`) from the body at which it may stand and keeps together with those placed; -1 for none. Numbers are
   width, depth, rule of keeping together and its reach, then the place it came from and the square of how far it may go
   from there in tenths (-1: anywhere). None: ask */
static PyObject *land_first_free(Land *self, PyObject *const *args, Py_ssize_t count) {
    i64 pace, begin, v[7];
    if (count != 8 || !IS_BODY(args[0]) || !PyTuple_CheckExact(args[1]) || !read_int(args[2], LIMIT, &pace) ||
        !read_int(args[3], LIMIT, &begin) || !PyList_CheckExact(args[4]) || !PyTuple_CheckExact(args[6]) ||
        PyTuple_GET_SIZE(args[6]) != 7 || !PyList_CheckExact(args[7]) || !all_bodies(args[7]))
        Py_RETURN_NONE;
    for (int i = 0; i < 7; i++)
        if (!read_int(PyTuple_GET_ITEM(args[6], i), 1LL << 50, v + i)) Py_RETURN_NONE;
    const Body *home = (Body *)args[0];
    i64 room = home->corner_count ? 0 : home->room, wide = v[0] * 10, deep = v[1] * 10;
    for (Py_ssize_t i = begin; i < PyTuple_GET_SIZE(args[1]); i++) {
        Point step;
        if (!read_point(PyTuple_GET_ITEM(args[1], i), &step)) Py_RETURN_NONE;
        i64 x = home->mm_x + step.x * pace, y = home->mm_y + step.y * pace;
        if (v[6] >= 0) {
            i64 dx = (x - v[4]) * 10, dy = (y - v[5]) * 10;
            if (dx * dx + dy * dy > v[6]) continue;
        }
        if (x * 10 < room || y * 10 < room || x * 10 > wide - room || y * 10 > deep - room) continue;
        PyObject *place[2] = {PyLong_FromLongLong(x), PyLong_FromLongLong(y)};
        PyObject *body = place[0] && place[1] ? body_at((Body *)home, place, 2, NULL) : NULL;
        Py_XDECREF(place[0]);
        Py_XDECREF(place[1]);
        if (body == NULL) return NULL;
        PyObject *answer = Py_None;
        if (IS_BODY(body) && !keeps_together((Body *)body, args[7], v[2], v[3])) {
            Py_DECREF(body);
            continue;
        }
        PyObject *asked_for[5] = {body, args[4], args[5], PyTuple_GET_ITEM(args[6], 0), PyTuple_GET_ITEM(args[6], 1)};
        answer = land_may_stand(self, asked_for, 5);
        Py_DECREF(body);
        if (answer == Py_None || answer == NULL) return answer;
        int is_free = answer == Py_True;
        Py_DECREF(answer);
        if (is_free) return PyLong_FromSsize_t(i);
    }
    return PyLong_FromLong(-1);
}

#define ANY_HEIGHT -1

static const Opening *opening_at(const Piece *piece, i64 x, i64 y, i64 floor, i64 above) {
    for (int i = 0; i < piece->opening_count; i++) {
        const Opening *one = piece->openings + i;
        if (one->floor != floor) continue;
        if (above != ANY_HEIGHT && (above < one->sill || above > one->lintel)) continue;
        i64 ux = one->bx - one->ax, uy = one->by - one->ay, vx = x - one->ax, vy = y - one->ay;
        i64 along = ux * vx + uy * vy, area = ux * vy - uy * vx;
        if (0 <= along && along <= one->length && (i128)area * area <= (i128)9 * one->length) return one;
    }
    return NULL;
}

static PyObject *land_is_entered(Land *self, PyObject *const *args, Py_ssize_t count) { /* a, b, mask; None: ask */
    Leg leg;
    Mask mask;
    if (!read_leg(self, args, count, &leg, &mask)) Py_RETURN_NONE;
    for (int i = 0; i < self->piece_count; i++)
        if (leg_enters(self, self->pieces + i, &mask, &leg)) Py_RETURN_TRUE;
    Py_RETURN_FALSE;
}

/* ---------------------------------------------------------------- sight.py: is anything of a target seen? */

#define NO_RULE -1
#define MOST_POINTS 16

typedef struct {
    PyObject_HEAD
    Land *land;
    i64 columns, rows, area_through, area_depth, opening_reach, indoor_reach, indoor_for_all, openings, stand,
        edge_reach, open_buildings, storeys; /* NO_RULE for None */
    char *is_closed;                         /* piece by piece: seen into, never across */
    char *is_sighted;                        /* piece by piece: does it matter to sight at all? */
} Watch;

typedef struct {
    const Watch *watch;
    const Body *viewer, *target;
    i64 ax, ay, az, bx, by, bz, square, length;
    int is_odd;               /* to be left to Python */
    signed char stood[MOST_PARTS]; /* does one of both stand in a piece? -1: not yet known */
} Look;

typedef struct {
    const Piece *piece;
    int size, number;
    Point *stretch;
} Met;

static int is_stood_in(Look *look, int number) {
    const Watch *watch = look->watch;
    if (look->stood[number] < 0) {
        const Body *bodies[2] = {look->viewer, look->target};
        look->stood[number] = 0;
        for (int i = 0; i < 2; i++) {
            int grade = bodies[i] ? stand_in(watch->land, watch->land->pieces + number, bodies[i]) : OUT;
            if (grade >= watch->stand && grade > OUT) look->stood[number] = 1;
        }
    }
    return look->stood[number];
}

static int below(const Point *stretch, int size, i64 az, i64 bz, i64 top, Point *low) {
    int found = 0;
    if (az >= top && bz >= top) return 0;
    if (az < top && bz < top) {
        memcpy(low, stretch, sizeof(Point) * (size_t)size);
        return size;
    }
    if (bz > az) {
        i64 limit = floor_div((i128)(top - az) * LINE, bz - az);
        for (int i = 0; i < size; i++)
            if (stretch[i].x < limit) low[found++] = (Point){stretch[i].x, least(stretch[i].y, limit)};
        return found;
    }
    i64 limit = ceil_div((i128)(az - top) * LINE, az - bz);
    for (int i = 0; i < size; i++)
        if (stretch[i].y > limit) low[found++] = (Point){most_of(stretch[i].x, limit), stretch[i].y};
    return found;
}

static int is_by(const Look *look, i64 along) {
    const Body *viewer = look->viewer, *target = look->target;
    i64 first = along - (viewer == NULL || viewer->corner_count ? 0 : viewer->room);
    i64 last = look->length - along - (target == NULL || target->corner_count ? 0 : target->room);
    return first <= look->watch->edge_reach || last <= look->watch->edge_reach;
}

enum { CLEAR, SCREENED, HIDDEN };
enum { BLOCKED, THROUGH, DEPTH, FLOOR, REACH, SCREENS, IN_AREA, BY_OPENING, STOREY, EFFECTS };
static const char *EFFECT_NAMES[] = {"blocks", "through", "depth", "floor", "reach", "screens", "area", "opening",
                                     "storey"};
static PyObject *effect_names[EFFECTS];

typedef struct {
    int state, effect, number; /* of the piece */
    i64 place;
} Verdict;

static const Verdict ALL_CLEAR = {CLEAR, 0, -1, 0};

static Verdict hidden(int effect, const Met *met, i64 place) { return (Verdict){HIDDEN, effect, met->number, place}; }
static Verdict screened(int effect, const Met *met, i64 place) {
    return (Verdict){SCREENED, effect, met->number, place};
}

static Verdict by_edges(Look *look, const Met *areas, int count) {
    const Watch *watch = look->watch;
    for (int a = 0; a < count; a++) {
        const Met *met = areas + a;
        const Point *low = met->stretch;
        if (watch->is_closed[met->number]) {
            if (!is_stood_in(look, met->number)) return hidden(BLOCKED, met, low[0].x);
            continue;
        }
        i64 inside = 0;
        int edges = 0, near = 0;
        for (int i = 0; i < met->size; i++) inside += low[i].y - low[i].x;
        if (watch->area_depth != NO_RULE && floor_div((i128)inside * look->length, LINE) > watch->area_depth)
            return hidden(DEPTH, met, low[0].x);
        for (int i = 0; i < met->size; i++)
            for (int end = 0; end < 2; end++) {
                i64 place = end ? low[i].y : low[i].x;
                if (place <= 0 || place >= LINE) continue;
                edges = 1;
                near = near || is_by(look, floor_div((i128)place * look->length, LINE));
            }
        if (edges && !near) return hidden(THROUGH, met, low[0].x);
    }
    return screened(IN_AREA, areas + count - 1, areas[count - 1].stretch[0].x);
}

static Verdict by_areas(Look *look, const Met *areas, int count) {
    const Watch *watch = look->watch;
    Point all[MOST_STRETCHES];
    int size = 0;
    if (watch->edge_reach != NO_RULE) return by_edges(look, areas, count);
    for (int i = 0; i < count; i++) {
        if (!(watch->area_through || is_stood_in(look, areas[i].number)))
            return hidden(THROUGH, areas + i, areas[i].stretch[0].x);
        memcpy(all + size, areas[i].stretch, sizeof(Point) * (size_t)areas[i].size);
        size += areas[i].size;
    }
    if (watch->area_depth != NO_RULE) {
        i64 inside = 0;
        size = merge_all(all, size);
        for (int i = 0; i < size; i++) inside += all[i].y - all[i].x;
        if ((i128)inside * inside * look->square > (i128)watch->area_depth * watch->area_depth * ((i128)LINE * LINE))
            return hidden(DEPTH, areas, areas[0].stretch[0].x);
    }
    return screened(IN_AREA, areas + count - 1, areas[count - 1].stretch[0].x);
}

static int is_too_far_inside(const Look *look, i64 part) {
    i64 reach = look->watch->indoor_reach;
    if (reach == NO_RULE) return 0;
    return (i128)look->square * part * part > (i128)reach * reach * ((i128)LINE * LINE);
}

static int is_inside(const Body *body, const Piece *piece) {
    if (body->inside == Py_None) return 0;
    return body->inside == piece->id || PyUnicode_Compare(body->inside, piece->id) == 0;
}

static int is_in(const Look *look, const Body *body, const Piece *piece) {
    if (is_inside(body, piece)) return 1;
    return PyLong_AsLongLong(body->floor) == piece->floors &&
           covers(look->watch->land, piece, body->at_x, body->at_y);
}

static i64 storeys_apart(const Look *look, const Piece *piece) {
    if (look->viewer == NULL || look->target == NULL) return 0;
    if (!is_in(look, look->viewer, piece) || !is_in(look, look->target, piece)) return 0;
    return llabs(PyLong_AsLongLong(look->viewer->floor) - PyLong_AsLongLong(look->target->floor));
}

static const Opening *opening_of(const Look *look, const Piece *piece, i64 place, i64 z) {
    i64 x = look->ax + floor_div((i128)(look->bx - look->ax) * place, LINE);
    i64 y = look->ay + floor_div((i128)(look->by - look->ay) * place, LINE);
    i64 floor = floor_div(z, piece->floor_height);
    return opening_at(piece, x, y, floor, z - floor * piece->floor_height);
}

static int is_near_opening(const Look *look, const Opening *one) {
    const Body *bodies[2] = {look->viewer, look->target};
    if (look->watch->opening_reach == NO_RULE) return 1;
    for (int i = 0; i < 2; i++) {
        const Body *body = bodies[i];
        if (body == NULL) continue;
        i64 far = body->corner_count
                      ? ceil_root_ratio(segment_to_polygon(one->ax, one->ay, one->bx, one->by, body->corner, 4))
                      : most_of(0, ceil_root_ratio(to_segment(body->at_x, body->at_y, one->ax, one->ay, one->bx,
                                                              one->by)) - body->room);
        if (far <= look->watch->opening_reach) return 1;
    }
    return 0;
}

static Verdict by_open_building(Look *look, const Met *met) {
    Point low[MOST_STRETCHES];
    const Body *viewer = look->viewer, *target = look->target;
    int size = below(met->stretch, met->size, look->az, look->bz, met->piece->height, low);
    if (size == 0) return ALL_CLEAR;
    if (viewer && target && is_inside(viewer, met->piece) && is_inside(target, met->piece) &&
        PyLong_AsLongLong(viewer->floor) != PyLong_AsLongLong(target->floor))
        return hidden(FLOOR, met, low[0].x);
    if (look->watch->edge_reach == NO_RULE) look->is_odd = 1;
    Met one = {met->piece, size, met->number, low};
    Verdict verdict = by_edges(look, &one, 1);
    if (verdict.state == SCREENED) verdict.effect = BY_OPENING;
    return verdict;
}

static Verdict by_next_storey(Look *look, const Met *met) {
    i64 first = met->stretch[0].x;
    if (is_too_far_inside(look, LINE)) return hidden(REACH, met, first);
    for (int i = 0; i < met->size; i++)
        if ((met->stretch[i].x > 0 && met->stretch[i].x < LINE) || (met->stretch[i].y > 0 && met->stretch[i].y < LINE))
            return hidden(BLOCKED, met, first);
    return screened(STOREY, met, first);
}

static Verdict by_building(Look *look, const Met *met) {
    const Watch *watch = look->watch;
    const Piece *piece = met->piece;
    i64 az = look->az, bz = look->bz, apart;
    if (watch->open_buildings && piece->opening_count) return by_open_building(look, met);
    if (watch->storeys && (apart = storeys_apart(look, piece)) > 0 && apart <= watch->storeys)
        return by_next_storey(look, met);
    int is_used = 0, openings = 0, near = 0;
    for (int i = 0; i < met->size; i++) {
        i64 ends[2] = {met->stretch[i].x, met->stretch[i].y};
        i64 z[2] = {az + floor_div((i128)(bz - az) * ends[0], LINE), az + floor_div((i128)(bz - az) * ends[1], LINE)};
        if (z[0] >= piece->height && z[1] >= piece->height) continue;
        if (z[0] >= piece->height || z[1] >= piece->height ||
            floor_div(z[0], piece->floor_height) != floor_div(z[1], piece->floor_height))
            return hidden(FLOOR, met, ends[0]);
        int is_whole = ends[0] == 0 && ends[1] == LINE;
        if ((is_whole || watch->indoor_for_all) && is_too_far_inside(look, ends[1] - ends[0]))
            return hidden(REACH, met, ends[0]);
        if (!watch->openings) return hidden(BLOCKED, met, ends[0]);
        for (int end = 0; end < 2; end++) {
            if (ends[end] <= 0 || ends[end] >= LINE) continue;
            const Opening *one = opening_of(look, piece, ends[end], z[end]);
            if (one == NULL) return hidden(BLOCKED, met, ends[end]);
            openings = 1;
            near = near || is_near_opening(look, one);
        }
        is_used = 1;
    }
    if (openings && !near) return hidden(BLOCKED, met, met->stretch[0].x);
    return is_used ? screened(BY_OPENING, met, met->stretch[0].x) : ALL_CLEAR;
}

/* The worst thing that happens to a line (sight._Look.verdict). */
static Verdict verdict_on(Look *look, const Met *met, int count) {
    Met areas[MOST_PARTS];
    Point room[MOST_STRETCHES];
    int area_count = 0, used = 0;
    Verdict screen = ALL_CLEAR, verdict;
    for (int i = 0; i < count; i++) {
        const Piece *piece = met[i].piece;
        if (piece->floors > 0) {
            verdict = by_building(look, met + i);
        } else {
            int size = below(met[i].stretch, met[i].size, look->az, look->bz, piece->height, room + used);
            if (size == 0) continue;
            if (piece->sight == AREA) {
                areas[area_count++] = (Met){piece, size, met[i].number, room + used};
                used += size;
                continue;
            }
            verdict = piece->sight == BLOCKS ? hidden(BLOCKED, met + i, room[used].x)
                                             : screened(SCREENS, met + i, room[used].x);
        }
        if (verdict.state == HIDDEN) return verdict;
        if (verdict.state && !screen.state) screen = verdict;
    }
    if (area_count) {
        verdict = by_areas(look, areas, area_count);
        if (verdict.state == HIDDEN || !screen.state) return verdict;
    }
    return screen;
}

static int hull_columns(i64 ex, i64 ey, const Point *corner, int count, Point *columns) {
    Point facing[4][2];
    i64 widths[4], total = 0;
    int sides = 0, found = 0;
    for (int i = 0; i < 4; i++) {
        Point a = corner[i], b = corner[(i + 1) % 4];
        if (cross_of(a.x, a.y, b.x, b.y, ex, ey) < 0) facing[sides][0] = a, facing[sides++][1] = b;
    }
    int swap = sides == 2 && facing[0][0].x == facing[1][1].x && facing[0][0].y == facing[1][1].y;
    Point ordered[4][2];
    for (int i = 0; i < sides; i++) { /* left to right as seen from the eye */
        int from = swap ? i : sides - 1 - i;
        ordered[i][0] = facing[from][1], ordered[i][1] = facing[from][0];
    }
    i64 middle_x = floor_div(corner[0].x + corner[1].x + corner[2].x + corner[3].x, 4) - ex;
    i64 middle_y = floor_div(corner[0].y + corner[1].y + corner[2].y + corner[3].y, 4) - ey;
    for (int i = 0; i < sides; i++) {
        widths[i] = llabs((ordered[i][1].x - ordered[i][0].x) * middle_y - (ordered[i][1].y - ordered[i][0].y) * middle_x);
        total += widths[i];
    }
    for (int i = 0; total && i < count; i++) {
        i64 place = total * (2 * i + 1);
        for (int k = 0; k < sides; k++) {
            i64 wide = widths[k] * 2 * count, scale = most_of(1, wide);
            if (place <= wide) {
                Point a = ordered[k][0], b = ordered[k][1];
                columns[found++] = (Point){a.x + half_up((i128)(b.x - a.x) * place, scale),
                                           a.y + half_up((i128)(b.y - a.y) * place, scale)};
                break;
            }
            place -= wide;
        }
    }
    return found;
}

static int columns_of(i64 ex, i64 ey, const Body *body, i64 width, int count, Point *columns) {
    i64 dx = body->at_x - ex, dy = body->at_y - ey;
    int found = 0;
    if (dx || dy) {
        if (body->corner_count) {
            found = hull_columns(ex, ey, body->corner, count, columns);
        } else {
            for (int i = 0; i < count; i++) {
                i64 band = half_up((i128)width * 10 * (2 * i + 1 - count), 2 * count);
                Point way = band ? stretch_to(-dy, dx, llabs(band)) : (Point){0, 0};
                columns[found++] = band > 0 ? (Point){body->at_x + way.x, body->at_y + way.y}
                                            : (Point){body->at_x - way.x, body->at_y - way.y};
            }
        }
    }
    if (!found) columns[found++] = (Point){body->at_x, body->at_y};
    return found;
}

static PyObject *text_height;

typedef struct {
    Look look;
    Point columns[MOST_POINTS];
    i64 heights[MOST_POINTS], top; /* of the rows, bottom first; the highest point of all lines */
    int column_count, rows;
    Met met[MOST_PARTS];
    Point room[MOST_STRETCHES];
    int met_count, wall; /* of the column last asked: what it meets, and the solid part that hides all of it, or -1 */
} Seeing;

/* 1, 0 when Python is to be asked, -1 for an exception. */
static int begin_look(const Watch *self, PyObject *const *args, Py_ssize_t count, Seeing *seeing) {
    i64 eye[3], width, height, z;
    if (count != 3 || !PyTuple_CheckExact(args[0]) || PyTuple_GET_SIZE(args[0]) != 3 ||
        !read_ints(&PyTuple_GET_ITEM(args[0], 0), 3, eye) || !IS_BODY(args[2]) ||
        (args[1] != Py_None && !IS_BODY(args[1])))
        return 0;
    Look *look = &seeing->look;
    look->watch = self;
    look->viewer = args[1] == Py_None ? NULL : (Body *)args[1];
    look->target = (Body *)args[2];
    look->is_odd = 0;
    look->ax = eye[0], look->ay = eye[1], look->az = eye[2];
    memset(look->stood, -1, (size_t)self->land->piece_count);
    PyObject *shape = look->target->shape;
    if (!number_of(shape, text_body, &width) || !number_of(shape, text_height, &height)) return -1;
    if (!read_int(look->target->z, LIMIT, &z)) return 0;
    seeing->rows = (int)self->rows;
    for (int j = 0; j < seeing->rows; j++)
        seeing->heights[j] = z * 10 + floor_div((i128)height * 10 * (2 * j + 1), 2 * seeing->rows);
    seeing->top = most_of(eye[2], seeing->heights[seeing->rows - 1]);
    seeing->column_count = columns_of(eye[0], eye[1], look->target, width, (int)self->columns, seeing->columns);
    return 1;
}

/* What the line to a column meets; 0 when Python is to be asked. */
static int trace(Seeing *seeing, Point b) {
    Look *look = &seeing->look;
    const Land *land = look->watch->land;
    i64 dx = b.x - look->ax, dy = b.y - look->ay;
    i64 low_x = least(look->ax, b.x), high_x = most_of(look->ax, b.x);
    i64 low_y = least(look->ay, b.y), high_y = most_of(look->ay, b.y);
    int used = 0;
    seeing->met_count = 0;
    seeing->wall = -1;
    look->bx = b.x, look->by = b.y, look->square = dx * dx + dy * dy;
    look->length = root_of((u128)look->square);
    for (int i = land->piece_count - 1; i >= 0 && seeing->wall < 0; i--) { /* what is solid and tall enough comes first */
        const Piece *piece = land->pieces + i;
        if (piece->sight != BLOCKS || piece->floors || piece->height <= seeing->top || !look->watch->is_sighted[i])
            continue;
        for (int k = piece->last - 1; k >= piece->first && seeing->wall < 0; k--) {
            const Part *part = land->parts + k;
            if (!meets_box(part, low_x, low_y, high_x, high_y)) continue;
            if (enters(look->ax, look->ay, b.x, b.y, part->polygon, part->corners)) seeing->wall = k;
        }
    }
    for (int i = 0; i < land->piece_count && seeing->wall < 0; i++) {
        const Piece *piece = land->pieces + i;
        if (!look->watch->is_sighted[i]) continue;
        if (piece->sight == BLOCKS && !piece->floors && piece->height > seeing->top) continue;
        Point *stretch = seeing->room + used;
        int size = stretches_in_piece(land, piece, NULL, look->ax, look->ay, b.x, b.y, stretch, MOST_STRETCHES - used);
        if (size < 0) return 0;
        if (size) seeing->met[seeing->met_count++] = (Met){piece, size, i, stretch};
        used += size;
    }
    return 1;
}

/* is_seen(eye, viewer, target): True or False, or None where Python is to be asked. */
static PyObject *watch_is_seen(Watch *self, PyObject *const *args, Py_ssize_t count) {
    Seeing seeing;
    int begun = begin_look(self, args, count, &seeing);
    if (begun < 0) return NULL;
    if (!begun) Py_RETURN_NONE;
    for (int c = 0; c < seeing.column_count; c++) { /* from the middle outwards, the top first */
        if (!trace(&seeing, seeing.columns[seeing.column_count / 2 + (c % 2 ? -(c + 1) / 2 : c / 2)])) Py_RETURN_NONE;
        if (seeing.wall >= 0) continue;
        int is_hidden = seeing.met_count > 0;
        for (int row = seeing.rows - 1; row >= 0 && is_hidden; row--) {
            seeing.look.bz = seeing.heights[row];
            is_hidden = verdict_on(&seeing.look, seeing.met, seeing.met_count).state == HIDDEN;
            if (seeing.look.is_odd) Py_RETURN_NONE;
        }
        if (!is_hidden) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

/* Could a model stand before some part of a target (sight._is_between)? */
static int is_between(i64 ex, i64 ey, const Body *target, const Body *body) {
    i64 ux = target->at_x - ex, uy = target->at_y - ey, length = ux * ux + uy * uy;
    i64 reach = body->room + target->room, vx = body->at_x - ex, vy = body->at_y - ey;
    i64 along = ux * vx + uy * vy, own = body->room * body->room, area = ux * vy - uy * vx;
    if (along < -own && vx * vx + vy * vy > own) return 0;
    if ((i128)area * area > (i128)reach * reach * length) return 0;
    return along <= length || centres_square(body, target) < reach * reach;
}

#define RING 24
#define MOST_RINGS 16

static PyObject *ring; /* sight.ring */
static struct {
    i64 radius;
    Point corner[RING];
} rings[MOST_RINGS]; /* those met before */
static int ring_count;

/* The corners that a round base of this radius blocks sight with, about its middle. NULL: ask, if no exception is set. */
static const Point *ring_of(i64 radius) {
    for (int i = 0; i < ring_count; i++)
        if (rings[i].radius == radius) return rings[i].corner;
    if (ring == NULL || ring_count == MOST_RINGS) return NULL;
    PyObject *corners = PyObject_CallFunction(ring, "L", radius);
    if (corners == NULL) return NULL;
    int is_read = PyTuple_CheckExact(corners) && PyTuple_GET_SIZE(corners) == RING;
    for (int i = 0; i < RING && is_read; i++)
        is_read = read_point(PyTuple_GET_ITEM(corners, i), &rings[ring_count].corner[i]);
    Py_DECREF(corners);
    if (!is_read) return NULL;
    rings[ring_count].radius = radius;
    return rings[ring_count++].corner;
}

static PyObject *use_ring(PyObject *module UNUSED, PyObject *function) {
    Py_INCREF(function);
    Py_XSETREF(ring, function);
    Py_RETURN_NONE;
}

#define MOST_BLOCKERS 64

typedef struct {
    const Body *body[MOST_BLOCKERS];
    const Point *round[MOST_BLOCKERS]; /* the corners of a round one */
    i64 bottom[MOST_BLOCKERS], top[MOST_BLOCKERS];
    int count;
} Blockers;

enum { ALL_BLOCK, OTHERS_BLOCK, BLOCK_SPOT }; /* whom of a list: all, all but both ends, all but the viewer and who
                                                 stands on the spot looked at */

static int is_left_out(const Body *body, const Look *look, int who) { /* -1 for an exception */
    if (who == ALL_BLOCK) return 0;
    int same = look->viewer == NULL ? 0 : PyObject_RichCompareBool(body->key, look->viewer->key, Py_EQ);
    if (same || who == BLOCK_SPOT) return same ? same : body_distance(body, look->target) == 0;
    return PyObject_RichCompareBool(body->key, look->target->key, Py_EQ);
}

/* Those of a list that could stand between; 1, 0 when Python is to be asked, -1 for an exception. */
static int blockers_between(PyObject *list, const Look *look, int who, Blockers *found) {
    found->count = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *object = PyList_GET_ITEM(list, i);
        if (!IS_BODY(object)) return 0;
        const Body *body = (Body *)object;
        if (body == look->viewer || body == look->target || !is_between(look->ax, look->ay, look->target, body)) continue;
        i64 z, height;
        int is_out = is_left_out(body, look, who);
        if (is_out) {
            if (is_out < 0) return -1;
            continue;
        }
        if (found->count == MOST_BLOCKERS || !read_int(body->z, LIMIT, &z)) return 0;
        if (!number_of(body->shape, text_height, &height)) return -1;
        const Point *round = body->corner_count ? NULL : ring_of(body->room);
        if (!body->corner_count && round == NULL) return PyErr_Occurred() ? -1 : 0;
        found->body[found->count] = body;
        found->round[found->count] = round;
        found->bottom[found->count] = z * 10;
        found->top[found->count++] = (z + height) * 10;
    }
    return 1;
}

/* Does a model hide the point at a height of the column last traced? */
static int is_behind(const Look *look, const Blockers *blockers) {
    Point stretch[MOST_CORNERS], low[MOST_CORNERS];
    i64 high = most_of(look->az, look->bz);
    for (int i = 0; i < blockers->count; i++) {
        if (high <= blockers->bottom[i]) continue;
        const Body *body = blockers->body[i];
        int size;
        if (blockers->round[i] == NULL)
            size = stretches_of(look->ax, look->ay, look->bx, look->by, body->corner, 4, stretch);
        else
            size = stretches_of(look->ax - body->at_x, look->ay - body->at_y, look->bx - body->at_x,
                                look->by - body->at_y, blockers->round[i], RING, stretch);
        if (size && below(stretch, size, look->az, look->bz, blockers->top[i], low)) return 1;
    }
    return 0;
}

/* Is any part of a target in sight of one eye, past terrain and the models of a list? 1, 0; -1: ask; -2: exception. */
static int sees_past(const Watch *self, PyObject *eye, PyObject *viewer, PyObject *target, PyObject *list, int who) {
    Seeing seeing;
    Blockers blockers;
    PyObject *args[3] = {eye, viewer, target};
    int begun = begin_look(self, args, 3, &seeing);
    if (begun <= 0) return begun - 1;
    begun = blockers_between(list, &seeing.look, who, &blockers);
    if (begun <= 0) return begun - 1;
    for (int c = 0; c < seeing.column_count; c++) { /* from the middle outwards, the top first */
        if (!trace(&seeing, seeing.columns[seeing.column_count / 2 + (c % 2 ? -(c + 1) / 2 : c / 2)])) return -1;
        if (seeing.wall >= 0) continue;
        for (int row = seeing.rows - 1; row >= 0; row--) {
            seeing.look.bz = seeing.heights[row];
            if (seeing.met_count && verdict_on(&seeing.look, seeing.met, seeing.met_count).state == HIDDEN) {
                if (seeing.look.is_odd) return -1;
                continue;
            }
            if (seeing.look.is_odd) return -1;
            if (!is_behind(&seeing.look, &blockers)) return 1;
        }
    }
    return 0;
}

/* The same for a list of eyes. */
static int eyes_see(const Watch *self, PyObject *const *args, PyObject *target, int who) {
    int seen = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]) && seen == 0; i++)
        seen = sees_past(self, PyList_GET_ITEM(args[0], i), args[1], target, args[3], who);
    return seen;
}

#define FOUR_TO_LOOK (count == 4 && PyList_CheckExact(args[0]) && PyList_Check(args[3]))

static PyObject *yes_or_no(int answer) {
    if (answer == -2) return NULL;
    if (answer < 0) Py_RETURN_NONE;
    return PyBool_FromLong(answer);
}

/* sees(eyes, viewer, target, blockers): is any part of the target in sight of one of these eyes? None: ask */
static PyObject *watch_sees(Watch *self, PyObject *const *args, Py_ssize_t count) {
    if (!FOUR_TO_LOOK) Py_RETURN_NONE;
    return yes_or_no(eyes_see(self, args, args[2], ALL_BLOCK));
}

/* sees_spot(eyes, viewer, spot, blockers): the same past all but the viewer and who stands on the spot. None: ask */
static PyObject *watch_sees_spot(Watch *self, PyObject *const *args, Py_ssize_t count) {
    if (!FOUR_TO_LOOK) Py_RETURN_NONE;
    return yes_or_no(eyes_see(self, args, args[2], BLOCK_SPOT));
}

/* first_seen(eyes, viewer, targets, blockers): the number of the first that is seen past all but itself and the viewer,
   -1 for none. None: ask */
static PyObject *watch_first_seen(Watch *self, PyObject *const *args, Py_ssize_t count) {
    if (!FOUR_TO_LOOK || !PyList_CheckExact(args[2])) Py_RETURN_NONE;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[2]); i++) {
        int seen = eyes_see(self, args, PyList_GET_ITEM(args[2], i), OTHERS_BLOCK);
        if (seen > 0) return PyLong_FromSsize_t(i);
        if (seen < 0) return yes_or_no(seen);
    }
    return PyLong_FromLong(-1);
}

static PyObject *text_eye;

/* any_seen(viewers, targets, are_inside): does one of a list see any part of one of another, from eye to body, what
   viewers stand in left out when they are inside? None: ask */
static PyObject *watch_any_seen(Watch *self, PyObject *const *args, Py_ssize_t count) {
    if (count != 3 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1])) Py_RETURN_NONE;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++) {
        PyObject *viewer = PyList_GET_ITEM(args[0], i);
        i64 eye, z;
        if (!IS_BODY(viewer) || !read_int(((Body *)viewer)->z, LIMIT, &z)) Py_RETURN_NONE;
        if (!number_of(((Body *)viewer)->shape, text_eye, &eye)) return NULL;
        PyObject *point = Py_BuildValue("(OOL)", ((Body *)viewer)->cx, ((Body *)viewer)->cy, (z + eye) * 10);
        if (point == NULL) return NULL;
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(args[1]); k++) {
            PyObject *asked_for[3] = {point, args[2] == Py_True ? Py_None : viewer, PyList_GET_ITEM(args[1], k)};
            PyObject *answer = watch_is_seen(self, asked_for, 3);
            if (answer == Py_False) {
                Py_DECREF(answer);
                continue;
            }
            Py_DECREF(point);
            return answer; /* seen, to be asked, or an exception */
        }
        Py_DECREF(point);
    }
    Py_RETURN_FALSE;
}

typedef struct {
    int number, effect; /* piece and what it does */
    i64 points, x, y;   /* how many points, and the first place (mm) */
} Cause;

#define MOST_CAUSES (MOST_POINTS * MOST_POINTS)

static void count_cause(Cause *causes, int *size, const Look *look, int number, int effect, i64 place, i64 points) {
    for (int i = 0; i < *size; i++)
        if (causes[i].number == number && causes[i].effect == effect) {
            causes[i].points += points;
            return;
        }
    i128 x = (i128)look->ax * LINE + (i128)(look->bx - look->ax) * place;
    i128 y = (i128)look->ay * LINE + (i128)(look->by - look->ay) * place;
    causes[(*size)++] = (Cause){number, effect, points, floor_div(x, (i128)10 * LINE), floor_div(y, (i128)10 * LINE)};
}

static PyObject *causes_dict(const Land *land, const Cause *causes, int size) { /* {(who, effect): [points, at, False]} */
    PyObject *found = PyDict_New();
    for (int i = 0; found != NULL && i < size; i++) {
        PyObject *key = pair(Py_NewRef(land->pieces[causes[i].number].id), Py_NewRef(effect_names[causes[i].effect]));
        PyObject *entry = Py_BuildValue("[L(LL)O]", causes[i].points, causes[i].x, causes[i].y, Py_False);
        if (key == NULL || entry == NULL || PyDict_SetItem(found, key, entry) < 0) Py_CLEAR(found);
        Py_XDECREF(key);
        Py_XDECREF(entry);
    }
    return found;
}

/* look(eye, viewer, target): (columns, heights, states, causes) as sight._look has them; None: ask */
static PyObject *watch_look(Watch *self, PyObject *const *args, Py_ssize_t count) {
    Seeing seeing;
    Cause causes[MOST_CAUSES];
    int states[MOST_POINTS * MOST_POINTS], size = 0, begun = begin_look(self, args, count, &seeing);
    if (begun < 0) return NULL;
    if (!begun) Py_RETURN_NONE;
    int rows = seeing.rows;
    for (int c = 0; c < seeing.column_count; c++) {
        if (!trace(&seeing, seeing.columns[c])) Py_RETURN_NONE;
        if (seeing.wall >= 0) {
            const Part *part = self->land->parts + seeing.wall;
            Point stretch[MOST_CORNERS];
            int inside = stretches_of(seeing.look.ax, seeing.look.ay, seeing.look.bx, seeing.look.by, part->polygon,
                                      part->corners, stretch);
            count_cause(causes, &size, &seeing.look, part->piece, BLOCKED, inside ? stretch[0].x : 0, rows);
        }
        for (int row = 0; row < rows; row++) {
            seeing.look.bz = seeing.heights[row];
            Verdict verdict = seeing.wall >= 0 ? (Verdict){HIDDEN, BLOCKED, -1, 0}
                                               : verdict_on(&seeing.look, seeing.met, seeing.met_count);
            if (seeing.look.is_odd) Py_RETURN_NONE;
            states[c * rows + row] = verdict.state;
            if (verdict.number >= 0)
                count_cause(causes, &size, &seeing.look, verdict.number, verdict.effect, verdict.place, 1);
        }
    }
    PyObject *columns = stretch_list(seeing.columns, seeing.column_count);
    PyObject *heights = PyList_New(rows), *marks = PyList_New(seeing.column_count * rows);
    for (int i = 0; heights != NULL && i < rows; i++)
        PyList_SET_ITEM(heights, i, PyLong_FromLongLong(seeing.heights[i]));
    for (int i = 0; marks != NULL && i < seeing.column_count * rows; i++)
        PyList_SET_ITEM(marks, i, PyLong_FromLong(states[i]));
    PyObject *found = causes_dict(self->land, causes, size), *answer = NULL;
    if (columns && heights && marks && found) answer = PyTuple_Pack(4, columns, heights, marks, found);
    Py_XDECREF(columns);
    Py_XDECREF(heights);
    Py_XDECREF(marks);
    Py_XDECREF(found);
    return answer;
}

static void watch_free(Watch *self) {
    Py_XDECREF(self->land);
    PyMem_Free(self->is_closed);
    PyMem_Free(self->is_sighted);
    PyObject_Free(self);
}

static PyMethodDef watch_methods[] = {
    {"is_seen", (PyCFunction)(void (*)(void))watch_is_seen, METH_FASTCALL, NULL},
    {"any_seen", (PyCFunction)(void (*)(void))watch_any_seen, METH_FASTCALL, NULL},
    {"sees", (PyCFunction)(void (*)(void))watch_sees, METH_FASTCALL, NULL},
    {"sees_spot", (PyCFunction)(void (*)(void))watch_sees_spot, METH_FASTCALL, NULL},
    {"first_seen", (PyCFunction)(void (*)(void))watch_first_seen, METH_FASTCALL, NULL},
    {"look", (PyCFunction)(void (*)(void))watch_look, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject WatchType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "dieselfront.table.measured._kernel.Watch",
    .tp_basicsize = sizeof(Watch),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)watch_free,
    .tp_methods = watch_methods,
};

/* land.watch(numbers, closed, sighted): twelve numbers of SightRules, two flags a piece; None if C cannot hold them. */
static PyObject *land_watch(Land *self, PyObject *const *args, Py_ssize_t count) {
    i64 v[12];
    if (count != 3 || PyTuple_GET_SIZE(args[0]) != 12 || !read_ints(&PyTuple_GET_ITEM(args[0], 0), 12, v) ||
        v[0] < 1 || v[0] > MOST_POINTS || v[1] < 1 || v[1] > MOST_POINTS ||
        PyBytes_GET_SIZE(args[1]) != self->piece_count || PyBytes_GET_SIZE(args[2]) != self->piece_count)
        Py_RETURN_NONE;
    Watch *watch = PyObject_New(Watch, &WatchType);
    if (watch == NULL) return NULL;
    watch->land = (Land *)Py_NewRef((PyObject *)self);
    memcpy(&watch->columns, v, sizeof(v));
    watch->is_closed = PyMem_Malloc((size_t)self->piece_count + 1);
    watch->is_sighted = PyMem_Malloc((size_t)self->piece_count + 1);
    if (watch->is_closed == NULL || watch->is_sighted == NULL) {
        Py_DECREF(watch);
        return PyErr_NoMemory();
    }
    memcpy(watch->is_closed, PyBytes_AS_STRING(args[1]), (size_t)self->piece_count);
    memcpy(watch->is_sighted, PyBytes_AS_STRING(args[2]), (size_t)self->piece_count);
    return (PyObject *)watch;
}

#define METHOD(name, function) {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, NULL}
static PyMethodDef land_methods[] = {
    METHOD("stretches_in", land_stretches_in),
    METHOD("pieces_at", land_pieces_at),
    METHOD("passes_over", land_passes_over),
    METHOD("is_entered", land_is_entered),
    METHOD("near_box", land_near_box),
    METHOD("overlapped", land_overlapped),
    METHOD("may_stand", land_may_stand),
    METHOD("first_free", land_first_free),
    METHOD("watch", land_watch),
    {"standing", (PyCFunction)land_standing, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject LandType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "dieselfront.table.measured._kernel.Land",
    .tp_basicsize = sizeof(Land),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)land_free,
    .tp_methods = land_methods,
};

/* Does a model on the list stand between an eye and a target (sight._is_in_the_way)? */
SAME(any_in_the_way) {
    i64 eye[3];
    if (count != 4 || !PyTuple_CheckExact(args[0]) || PyTuple_GET_SIZE(args[0]) != 3 ||
        !read_ints(&PyTuple_GET_ITEM(args[0], 0), 3, eye) || !IS_BODY(args[2]) || !PyList_Check(args[3]))
        ASKED("any_in_the_way");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[3]); i++) {
        PyObject *object = PyList_GET_ITEM(args[3], i);
        if (!IS_BODY(object)) ASKED("any_in_the_way");
        if (object != args[1] && object != args[2] && is_between(eye[0], eye[1], (Body *)args[2], (Body *)object))
            Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

/* The models on a list that could stand between an eye and a target, neither of the two among them. */
SAME(in_the_way) {
    i64 eye[3];
    if (count != 4 || !PyTuple_CheckExact(args[0]) || PyTuple_GET_SIZE(args[0]) != 3 ||
        !read_ints(&PyTuple_GET_ITEM(args[0], 0), 3, eye) || !IS_BODY(args[2]) || !PyList_Check(args[3]))
        ASKED("in_the_way");
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && i < PyList_GET_SIZE(args[3]); i++) {
        PyObject *object = PyList_GET_ITEM(args[3], i);
        if (!IS_BODY(object)) {
            Py_DECREF(list);
            ASKED("in_the_way");
        }
        if (object != args[1] && object != args[2] && is_between(eye[0], eye[1], (Body *)args[2], (Body *)object) &&
            PyList_Append(list, object) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* The bodies of a list that are neither of two, told by their keys. */
SAME(apart_from) {
    if (count != 3 || !PyList_Check(args[0]) || Py_TYPE(args[1]) != &BodyType || Py_TYPE(args[2]) != &BodyType)
        ASKED("apart_from");
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && i < PyList_GET_SIZE(args[0]); i++) {
        PyObject *body = PyList_GET_ITEM(args[0], i);
        if (Py_TYPE(body) != &BodyType) {
            Py_DECREF(list);
            ASKED("apart_from");
        }
        PyObject *key = ((Body *)body)->key;
        int same = PyObject_RichCompareBool(key, ((Body *)args[2])->key, Py_EQ);
        if (!same) same = PyObject_RichCompareBool(key, ((Body *)args[1])->key, Py_EQ);
        if (same < 0 || (!same && PyList_Append(list, body) < 0)) Py_CLEAR(list);
    }
    return list;
}

/* ---------------------------------------------------------------- movement.py, reach.py, corners.py: many legs */

enum { WALLS_OPEN, WALLS_DOORS, WALLS_OPENINGS, WALLS_CLOSED };

typedef struct {
    PyObject_HEAD
    Land *land, *charged;
    PyObject *body, *keeps; /* a Body and a list of Keep */
    Mask slow, barred;
    i64 *costs;             /* of the pieces of `charged` */
    i64 width, depth, walls, floor, limit;
} Legs;

static PyTypeObject LegsType;

static void legs_free(Legs *self) {
    Py_XDECREF(self->land);
    Py_XDECREF(self->charged);
    Py_XDECREF(self->body);
    Py_XDECREF(self->keeps);
    PyMem_Free(self->costs);
    PyObject_Free(self);
}

/* legs(land, charged, body, keeps, slow, barred, costs, (width, depth, walls), limit in micrometres); None: ask */
SAME(legs) {
    i64 v[3];
    if (count != 9 || Py_TYPE(args[0]) != &LandType || Py_TYPE(args[1]) != &LandType || !IS_BODY(args[2]) ||
        !PyList_CheckExact(args[3]) || !PyTuple_CheckExact(args[6]) || !PyTuple_CheckExact(args[7]) ||
        PyTuple_GET_SIZE(args[7]) != 3 || !read_ints(&PyTuple_GET_ITEM(args[7], 0), 3, v))
        Py_RETURN_NONE;
    Legs *self = PyObject_New(Legs, &LegsType);
    if (self == NULL) return NULL;
    self->land = (Land *)Py_NewRef(args[0]);
    self->charged = (Land *)Py_NewRef(args[1]);
    self->body = Py_NewRef(args[2]);
    self->keeps = Py_NewRef(args[3]);
    self->width = v[0], self->depth = v[1], self->walls = v[2];
    self->costs = PyMem_Calloc((size_t)self->charged->piece_count + 1, sizeof(i64));
    int good = self->costs != NULL && PyTuple_GET_SIZE(args[6]) == self->charged->piece_count &&
               read_mask(self->charged, args[4], &self->slow) && read_mask(self->land, args[5], &self->barred) &&
               read_int(args[8], 1LL << 40, &self->limit) &&
               read_int(((Body *)args[2])->floor, LIMIT, &self->floor) && ((Body *)args[2])->room > 0;
    for (int i = 0; good && i < self->charged->piece_count; i++)
        good = read_int(PyTuple_GET_ITEM(args[6], i), 1000, self->costs + i);
    for (Py_ssize_t i = 0; good && i < PyList_GET_SIZE(self->keeps); i++) {
        const Body *other;
        i64 gap;
        int strict;
        good = read_keep(PyList_GET_ITEM(self->keeps, i), &other, &gap, &strict);
    }
    if (good) return (PyObject *)self;
    Py_DECREF(self);
    Py_RETURN_NONE;
}

static i64 leg_length(Point a, Point b) { /* mm points, micrometres rounded up */
    i64 dx = (b.x - a.x) * 1000, dy = (b.y - a.y) * 1000;
    return ceil_root((u128)(dx * dx + dy * dy));
}

/* What slow ground costs on top (movement.extra_micrometres); -1 when there is no room for all stretches. */
static i64 leg_extra(const Legs *self, Point a, Point b, i64 length) {
    Point stretch[MOST_STRETCHES], some[MOST_STRETCHES];
    i64 costs[MOST_STRETCHES], extra = 0, paid = 1;
    int size = 0;
    for (int i = 0; i < self->charged->piece_count; i++) {
        if (!self->costs[i]) continue;
        int more = stretches_in_piece(self->charged, self->charged->pieces + i, &self->slow, a.x * 10, a.y * 10,
                                      b.x * 10, b.y * 10, stretch + size, MOST_STRETCHES - size);
        if (more < 0) return -1;
        for (int k = 0; k < more; k++) costs[size + k] = self->costs[i];
        size += more;
    }
    for (;;) {
        i64 cost = 0;
        for (int i = 0; i < size; i++)
            if (costs[i] > paid && (cost == 0 || costs[i] < cost)) cost = costs[i];
        if (cost == 0) return extra;
        int count = 0;
        for (int i = 0; i < size; i++)
            if (costs[i] >= cost) some[count++] = stretch[i];
        count = merge_all(some, count);
        for (int i = 0; i < count; i++) extra += (cost - paid) * floor_div((i128)(some[i].y - some[i].x) * length, LINE);
        paid = cost;
    }
}

static void stand_at(const Body *model, Point place, Body *there) { /* the same model elsewhere, for C only */
    *there = *model;
    there->mm_x = place.x, there->mm_y = place.y;
    there->at_x = place.x * 10, there->at_y = place.y * 10;
    i64 dx = there->at_x - model->at_x, dy = there->at_y - model->at_y;
    for (int i = 0; i < model->corner_count; i++) there->corner[i].x += dx, there->corner[i].y += dy;
}

static int is_on_table(const Legs *self, const Body *body) {
    i64 width = self->width * 10, depth = self->depth * 10, r = body->room;
    if (!body->corner_count)
        return r <= body->at_x && body->at_x <= width - r && r <= body->at_y && body->at_y <= depth - r;
    for (int i = 0; i < 4; i++) {
        Point corner = body->corner[i];
        if (corner.x < 0 || corner.x > width || corner.y < 0 || corner.y > depth) return 0;
    }
    return 1;
}

static int is_on_outline(const Land *land, const Piece *piece, i64 x, i64 y) {
    for (int i = piece->first; i < piece->last; i++)
        if (meets_box(land->parts + i, x, y, x, y) && place_in(x, y, land->parts[i].polygon, land->parts[i].corners) == 0)
            return 1;
    return 0;
}

/* Does the way of a centre go through a wall where it may not (movement._walls_crossed)? */
static int crosses_wall(const Legs *self, const Body *a, const Body *b) {
    Point stretch[MOST_STRETCHES];
    for (int i = 0; i < self->land->piece_count; i++) {
        const Piece *piece = self->land->pieces + i;
        if (!piece->floors) continue;
        int size = stretches_in_piece(self->land, piece, NULL, a->at_x, a->at_y, b->at_x, b->at_y, stretch, MOST_STRETCHES);
        for (int k = 0; k < size; k++)
            for (int end = 0; end < 2; end++) {
                i64 place = end ? stretch[k].y : stretch[k].x;
                i64 x = a->at_x + floor_div((i128)(b->at_x - a->at_x) * place, LINE);
                i64 y = a->at_y + floor_div((i128)(b->at_y - a->at_y) * place, LINE);
                if ((place == 0 || place == LINE) && !is_on_outline(self->land, piece, x, y)) continue;
                const Opening *one = opening_at(piece, x, y, self->floor, ANY_HEIGHT);
                if (self->walls == WALLS_CLOSED || one == NULL || (self->walls == WALLS_DOORS && !one->is_door)) return 1;
            }
    }
    return 0;
}

static int leg_is_clear(const Legs *self, Point from, Point to) { /* movement.leg_is_free */
    Body a, b;
    stand_at((Body *)self->body, from, &a);
    stand_at((Body *)self->body, to, &b);
    if (!is_on_table(self, &b)) return 0;
    Leg leg = {.a = &a, .b = &b, .corners = 0};
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(self->keeps); i++) {
        const Keep *keep = (Keep *)PyList_GET_ITEM(self->keeps, i);
        if (!leg_passes(&leg, (Body *)keep->body, keep->room, keep->is_strict)) return 0;
    }
    if (self->walls != WALLS_OPEN && crosses_wall(self, &a, &b)) return 0;
    for (int i = 0; i < self->land->piece_count; i++)
        if (leg_enters(self->land, self->land->pieces + i, &self->barred, &leg)) return 0;
    return 1;
}

static int read_place(PyObject *object, Point *place) { /* mm */
    return read_point(object, place) && llabs(place->x) <= LIMIT / 10 && llabs(place->y) <= LIMIT / 10;
}

static PyObject *legs_is_free(Legs *self, PyObject *const *args, Py_ssize_t count) {
    Point a, b;
    if (count != 2 || !read_place(args[0], &a) || !read_place(args[1], &b)) Py_RETURN_NONE;
    return PyBool_FromLong(leg_is_clear(self, a, b));
}

typedef struct {
    i64 cost;
    int node;
} Waiting;

typedef struct {
    Waiting *items;
    int size, room;
} Heap;

static int comes_before(Waiting a, Waiting b) { return a.cost != b.cost ? a.cost < b.cost : a.node < b.node; }

static int heap_push(Heap *heap, Waiting item) {
    if (heap->size == heap->room) {
        int room = heap->room ? 2 * heap->room : 256;
        Waiting *items = PyMem_Realloc(heap->items, sizeof(Waiting) * (size_t)room);
        if (items == NULL) return 0;
        heap->items = items, heap->room = room;
    }
    int i = heap->size++;
    while (i && comes_before(item, heap->items[(i - 1) / 2])) heap->items[i] = heap->items[(i - 1) / 2], i = (i - 1) / 2;
    heap->items[i] = item;
    return 1;
}

static Waiting heap_pop(Heap *heap) {
    Waiting first = heap->items[0], last = heap->items[--heap->size];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= heap->size) break;
        if (child + 1 < heap->size && comes_before(heap->items[child + 1], heap->items[child])) child++;
        if (!comes_before(heap->items[child], last)) break;
        heap->items[i] = heap->items[child];
        i = child;
    }
    if (heap->size) heap->items[i] = last;
    return first;
}

#define NEVER -1
#define MOST_REACH 160 /* lattice steps to one side */

typedef struct {
    const Legs *legs;
    i64 most, side, step;
    Point start;
    i64 *cost; /* NEVER: not reached */
    int *from;
    char *settled;
    Heap heap;
} Flood;

static Point cell_at(const Flood *flood, int node) { /* nodes are numbered row by row, as heaps of (cost, j, i) order them */
    i64 i = node % flood->side - flood->most, j = node / flood->side - flood->most;
    return (Point){flood->start.x + i * flood->step, flood->start.y + j * flood->step};
}

static i64 leg_cost(const Legs *legs, Point a, Point b) {
    i64 length = leg_length(a, b), extra = leg_extra(legs, a, b, length);
    return extra < 0 ? -1 : length + extra;
}

/* The cheaper way to a neighbour, straight from where a cell was reached from or from there (reach._Flood._step). */
static int improve(Flood *flood, int node, int other) {
    i64 limit = flood->cost[other] == NEVER ? flood->legs->limit : flood->cost[other] - 1;
    Point place = cell_at(flood, other);
    int sources[2] = {flood->from[node], node};
    for (int k = 0; k < 2; k++) {
        Point here = cell_at(flood, sources[k]);
        i64 base = flood->cost[sources[k]];
        if (base + leg_length(here, place) > limit) continue;
        i64 cost = leg_cost(flood->legs, here, place);
        if (cost < 0) return 0;
        if (base + cost <= limit && leg_is_clear(flood->legs, here, place)) {
            flood->cost[other] = base + cost;
            flood->from[other] = sources[k];
            return heap_push(&flood->heap, (Waiting){base + cost, other});
        }
    }
    return 1;
}

static int flood_directly(Flood *flood) {
    const Legs *legs = flood->legs;
    int cells = (int)(flood->side * flood->side), middle = cells / 2;
    flood->cost[middle] = 0, flood->from[middle] = middle, flood->settled[middle] = 1;
    for (int node = 0; node < cells; node++) {
        if (node == middle) continue;
        Point place = cell_at(flood, node);
        i64 length = leg_length(flood->start, place);
        if (length > legs->limit || !leg_is_clear(legs, flood->start, place)) continue;
        i64 cost = leg_cost(legs, flood->start, place);
        if (cost < 0) return 0;
        if (cost > legs->limit) continue;
        flood->cost[node] = cost, flood->from[node] = middle, flood->settled[node] = cost == length;
        if (!heap_push(&flood->heap, (Waiting){cost, node})) return 0;
    }
    return 1;
}

static int flood_on(Flood *flood) {
    static const int around[8][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    while (flood->heap.size) {
        Waiting here = heap_pop(&flood->heap);
        if (here.cost > flood->cost[here.node]) continue;
        for (int k = 0; k < 8; k++) {
            i64 i = here.node % flood->side + around[k][0], j = here.node / flood->side + around[k][1];
            if (i < 0 || j < 0 || i >= flood->side || j >= flood->side) continue;
            int other = (int)(j * flood->side + i);
            if (!flood->settled[other] && !improve(flood, here.node, other)) return 0;
        }
    }
    return 1;
}

static PyObject *cell_key(const Flood *flood, int node) {
    return int_pair(node % flood->side - flood->most, node / flood->side - flood->most);
}

static PyObject *flooded(const Flood *flood) { /* {(i, j): (cost, (from i, from j))} */
    PyObject *best = PyDict_New();
    for (int node = 0; best != NULL && node < flood->side * flood->side; node++) {
        if (flood->cost[node] == NEVER) continue;
        PyObject *key = cell_key(flood, node);
        PyObject *way = pair(PyLong_FromLongLong(flood->cost[node]), cell_key(flood, flood->from[node]));
        if (key == NULL || way == NULL || PyDict_SetItem(best, key, way) < 0) Py_CLEAR(best);
        Py_XDECREF(key);
        Py_XDECREF(way);
    }
    return best;
}

/* flood(step, spreads): the lattice of reach._Flood, {cell: (cost, cell before)}; None: ask */
static PyObject *legs_flood(Legs *self, PyObject *const *args, Py_ssize_t count) {
    i64 step;
    if (count != 2 || !read_int(args[0], LIMIT, &step) || step < 1) Py_RETURN_NONE;
    const Body *body = (Body *)self->body;
    Flood flood = {.legs = self, .most = self->limit / (1000 * step), .step = step, .start = {body->mm_x, body->mm_y}};
    if (flood.most > MOST_REACH || (flood.most * step + 4000) * 10 > LIMIT) Py_RETURN_NONE;
    flood.side = 2 * flood.most + 1;
    size_t cells = (size_t)(flood.side * flood.side);
    flood.cost = PyMem_Malloc(sizeof(i64) * cells);
    flood.from = PyMem_Malloc(sizeof(int) * cells);
    flood.settled = PyMem_Calloc(cells, 1);
    PyObject *best = NULL;
    int good = flood.cost != NULL && flood.from != NULL && flood.settled != NULL;
    for (size_t i = 0; good && i < cells; i++) flood.cost[i] = NEVER;
    good = good && flood_directly(&flood) && (args[1] != Py_True || flood_on(&flood));
    if (good) best = flooded(&flood);
    PyMem_Free(flood.cost);
    PyMem_Free(flood.from);
    PyMem_Free(flood.settled);
    PyMem_Free(flood.heap.items);
    if (good) return best;
    Py_RETURN_NONE;
}

#define MOST_NODES 2048

/* search(nodes): corners._searched, {node: (cost, node before)}; None: ask */
static PyObject *legs_search(Legs *self, PyObject *nodes) {
    if (!PyList_CheckExact(nodes) || PyList_GET_SIZE(nodes) > MOST_NODES) Py_RETURN_NONE;
    int size = (int)PyList_GET_SIZE(nodes), from[MOST_NODES], order[MOST_NODES], reached = 0, good = size > 0;
    Point place[MOST_NODES];
    i64 best[MOST_NODES];
    char settled[MOST_NODES] = {0};
    Heap heap = {NULL, 0, 0};
    for (int i = 0; i < size; i++) {
        best[i] = NEVER;
        good = good && read_place(PyList_GET_ITEM(nodes, i), place + i);
    }
    good = good && heap_push(&heap, (Waiting){0, 0});
    if (good) best[0] = 0, from[0] = 0, order[reached++] = 0;
    while (good && heap.size) {
        Waiting here = heap_pop(&heap);
        if (settled[here.node]) continue;
        settled[here.node] = 1;
        for (int other = 1; good && other < size; other++) {
            if (settled[other]) continue;
            i64 most = best[other] == NEVER ? self->limit : best[other] - 1;
            if (here.cost + leg_length(place[here.node], place[other]) > most) continue;
            i64 cost = leg_cost(self, place[here.node], place[other]);
            good = cost >= 0;
            if (!good || here.cost + cost > most || !leg_is_clear(self, place[here.node], place[other])) continue;
            if (best[other] == NEVER) order[reached++] = other;
            best[other] = here.cost + cost, from[other] = here.node;
            good = heap_push(&heap, (Waiting){here.cost + cost, other});
        }
    }
    PyMem_Free(heap.items);
    if (!good) Py_RETURN_NONE;
    PyObject *found = PyDict_New();
    for (int i = 0; found != NULL && i < reached; i++) {
        PyObject *key = PyLong_FromLong(order[i]), *way = int_pair(best[order[i]], from[order[i]]);
        if (key == NULL || way == NULL || PyDict_SetItem(found, key, way) < 0) Py_CLEAR(found);
        Py_XDECREF(key);
        Py_XDECREF(way);
    }
    return found;
}

static PyMethodDef legs_methods[] = {
    {"is_free", (PyCFunction)(void (*)(void))legs_is_free, METH_FASTCALL, NULL},
    {"flood", (PyCFunction)(void (*)(void))legs_flood, METH_FASTCALL, NULL},
    {"search", (PyCFunction)legs_search, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyTypeObject LegsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "dieselfront.table.measured._kernel.Legs",
    .tp_basicsize = sizeof(Legs),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)legs_free,
    .tp_methods = legs_methods,
};

/* ---------------------------------------------------------------- the module */

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL}

static PyObject *fall_back_on(PyObject *module UNUSED, PyObject *functions) {
    if (!PyDict_Check(functions)) return PyErr_Format(PyExc_TypeError, "expected the Python functions by name");
    if (PyDict_Update(oracle, functions) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *use_corners(PyObject *module UNUSED, PyObject *function) {
    Py_INCREF(function);
    Py_XSETREF(box_corners, function);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    FUNCTION(any_in_the_way),
    FUNCTION(any_overlap),
    FUNCTION(any_within),
    FUNCTION(apart_from),
    FUNCTION(bodies_kept),
    FUNCTION(ceil_sqrt),
    FUNCTION(comes_nearer),
    FUNCTION(convex_hull),
    FUNCTION(convex_overlap),
    FUNCTION(cross),
    FUNCTION(distance),
    FUNCTION(distance_from_centre),
    FUNCTION(distances),
    FUNCTION(distance_from_line),
    FUNCTION(distance_from_point),
    FUNCTION(first_not_kept),
    FUNCTION(grown_outline),
    FUNCTION(in_box_round),
    FUNCTION(in_the_way),
    FUNCTION(is_kept),
    FUNCTION(is_nearer),
    FUNCTION(is_simple),
    FUNCTION(is_wholly_in),
    FUNCTION(is_within),
    FUNCTION(keeps_near),
    FUNCTION(leg_micrometres),
    FUNCTION(legs),
    FUNCTION(line_enters),
    FUNCTION(nearest_first),
    FUNCTION(on_segment),
    FUNCTION(outline_square),
    FUNCTION(overlaps),
    FUNCTION(overlaps_convex),
    FUNCTION(passes_all),
    FUNCTION(point_in_polygon),
    FUNCTION(point_polygon_square),
    FUNCTION(point_segment_square),
    FUNCTION(polygon_polygon_square),
    FUNCTION(round_half_up),
    FUNCTION(segment_polygon_square),
    FUNCTION(segment_segment_square),
    FUNCTION(segments_cross),
    FUNCTION(stamp_of),
    FUNCTION(stretched),
    FUNCTION(stretches),
    FUNCTION(touches_polygon),
    FUNCTION(unit_distance),
    FUNCTION(units_within),
    {"land", land, METH_VARARGS, "Terrain as C reads it, or None."},
    {"fall_back_on", fall_back_on, METH_O, "The Python functions to ask where this file does not answer."},
    {"use_corners", use_corners, METH_O, "The function that gives the corners of hulls."},
    {"use_ring", use_ring, METH_O, "The function that gives the corners round bases."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "The compiled twin of the hot questions of the measured table.", -1, functions,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) {
    PyObject *module = PyModule_Create(&definition);
    oracle = PyDict_New();
    text_is_round = PyUnicode_InternFromString("is_round");
    text_width = PyUnicode_InternFromString("width");
    text_length = PyUnicode_InternFromString("length");
    text_body = PyUnicode_InternFromString("body");
    for (int i = 0; i < EFFECTS; i++) effect_names[i] = PyUnicode_InternFromString(EFFECT_NAMES[i]);
    text_eye = PyUnicode_InternFromString("eye");
    text_where = PyUnicode_InternFromString("where");
    text_facing = PyUnicode_InternFromString("facing");
    text_figures = PyUnicode_InternFromString("figures");
    text_id = PyUnicode_InternFromString("id");
    text_status = PyUnicode_InternFromString("status");
    text_effects = PyUnicode_InternFromString("effects");
    text_height = PyUnicode_InternFromString("height");
    no_corners = PyTuple_New(0);
    zero = PyLong_FromLong(0);
    if (module == NULL || oracle == NULL || PyType_Ready(&BodyType) < 0 || PyType_Ready(&LandType) < 0 ||
        PyType_Ready(&WatchType) < 0 || PyType_Ready(&KeepType) < 0 ||
        PyType_Ready(&LegsType) < 0)
        return NULL;
    Py_INCREF(&BodyType);
    Py_INCREF(&KeepType);
    if (PyModule_AddObject(module, "Keep", (PyObject *)&KeepType) < 0) return NULL;
    if (PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0) return NULL;
    if (PyModule_AddObject(module, "Body", (PyObject *)&BodyType) < 0) return NULL;
    return module;
}
