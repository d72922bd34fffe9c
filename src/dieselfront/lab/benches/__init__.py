"""Entries of `dieselfront bench`, one module a room: a function `entries()` that yields `lab.bench.Entry`."""
