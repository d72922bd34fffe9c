"""The compiled twin of the one-line question, by Numba when it is installed (extra "speed"). Same answers, sooner.

Nothing is compiled until `use_compiled()` is called: simulations and servers call it, a short command does not.
"""

from __future__ import annotations

from typing import Any

from dieselfront.table.measured import index


def _enters(data: Any, ax: int, ay: int, bx: int, by: int) -> int:
    """The highest polygon entered, -1 for none, -2 when a corner or an end lies on a line: then ask exactly."""
    low_x, high_x, low_y, high_y = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    dx, dy = bx - ax, by - ay
    c = dx * ay - dy * ax
    for number in range(data[0] - 1, -1, -1):
        head = 1 + 6 * number
        if data[head] > high_x or data[head + 2] < low_x or data[head + 1] > high_y or data[head + 3] < low_y:
            continue
        first = data[head + 4]
        px, py = data[first], data[first + 1]
        before = dx * py - dy * px - c
        if before == 0:
            return -2
        inside = False
        for k in range(first + 2, data[head + 5], 2):
            qx, qy = data[k], data[k + 1]
            after = dx * qy - dy * qx - c
            if after == 0:
                return -2
            if (after > 0) != (before > 0):
                ex, ey = qx - px, qy - py
                a = ex * (ay - py) - ey * (ax - px)
                b = ex * (by - py) - ey * (bx - px)
                if a == 0 or b == 0:
                    return -2
                if (a > 0) != (b > 0):
                    return number
            if (py > ay) != (qy > ay) and (((qx - px) * (ay - py) - (qy - py) * (ax - px)) > 0) == (qy > py):
                inside = not inside
            px, py, before = qx, qy, after
        if inside:
            return number
    return -1


def _enters_many(data: Any, lines: Any, entered_parts: Any) -> None:
    """The same for rows of (ax, ay, bx, by)."""
    for i in range(lines.shape[0]):
        entered_parts[i] = _one(data, lines[i, 0], lines[i, 1], lines[i, 2], lines[i, 3])


_one: Any = _enters
_compiled: tuple[Any, Any] | None = None


def is_available() -> bool:
    """Is Numba installed?"""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def _compile(njit: Any, cache: bool) -> tuple[Any, Any]:
    """Both questions compiled for 64-bit integers."""
    global _one
    _one = njit("int64(int64[::1], int64, int64, int64, int64)", cache=cache)(_enters)
    return _one, njit("void(int64[::1], int64[:, ::1], int64[::1])", cache=cache)(_enters_many)


def use_compiled() -> bool:
    """Answer single lines and batches with compiled code from now on; False when Numba is not installed."""
    global _compiled, _one
    if _compiled is None:
        try:
            from numba import njit
        except ImportError:
            return False
        try:
            _one, many = _compile(njit, True)
        except RuntimeError:  # nowhere to keep compiled code: compile for this run only
            _one, many = _compile(njit, False)
        _compiled = _one, many
    index.use_kernel(_compiled[0])
    return True


def is_in_use() -> bool:
    """Do compiled answers come at the moment?"""
    return index.has_kernel()


def use_pure() -> None:
    """Back to plain Python and NumPy."""
    index.use_kernel(None)


def batch_kernel() -> Any | None:
    """The compiled batch question, when compiled code is in use."""
    return _compiled[1] if _compiled is not None and index.has_kernel() else None
