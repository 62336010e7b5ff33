"""How values are written for people: capped, and never able to fail."""

import sys

from _artificer.tracebacks import message_of


def cap(text, limit):
    return text if len(text) <= limit else text[: max(0, limit - 1)] + "\u2026"


def capped(text, limit):
    """(text, its full length or None when it was not cut)."""
    return (text, None) if len(text) <= limit else (cap(text, limit), len(text))


def capped_repr(value, limit):
    """(repr, its full length or None when it was not cut). A large builtin is cut before it is written out, not after."""
    kind = type(value)
    try:
        if kind in (str, bytes, list, tuple) and len(value) > limit:
            text = repr(value[:limit])
            return cap(text, limit), max(len(text), len(value))
        text = repr(value)
        if not isinstance(text, str):
            raise TypeError("__repr__ returned no string")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = "<%s; its __repr__ raised %s: %s>" % (kind.__name__, type(error).__name__, message_of(error))
    return capped(text, limit)


def variables(items):
    """The rows of `variables.list`."""
    rows = []
    for name, value in items:
        row = {"name": name, "type": type(value).__name__, "repr": capped_repr(value, 200)[0]}
        size = byte_size(value)
        if size is not None:
            row["bytes"] = size
        rows.append(row)
    return rows


def byte_size(value):
    try:
        size = getattr(value, "nbytes", None)
        return size if type(size) is int and size >= 0 else sys.getsizeof(value)
    except Exception:
        return None
