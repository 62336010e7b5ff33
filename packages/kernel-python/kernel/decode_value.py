"""Rebuilds the values that the host encoded."""

import sys

from _artificer.values import DTYPES, NONFINITE, Reference, ValueProblem

# struct's letters for the element types, for interpreters without numpy.
LETTERS = dict(zip(DTYPES, "bBhHiIqQfd"))


def decode_value(tree, parts):
    """The value that the host encoded."""
    if type(tree) is list:
        for index, item in enumerate(tree):
            if type(item) in (list, dict):
                tree[index] = decode_value(item, parts)
        return tree
    if type(tree) is not dict:
        return tree
    if "$" in tree:
        return _decode_tagged(tree, parts)
    for key, item in tree.items():
        if type(item) in (list, dict):
            tree[key] = decode_value(item, parts)
    return tree


def _decode_tagged(tree, parts):
    kind = tree["$"]
    value = tree.get("v")
    if kind == "bytes":
        return bytes(parts[tree["p"]])
    if kind == "int":
        return int(value)
    if kind == "float":
        return NONFINITE[value]
    if kind == "datetime":
        import datetime

        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if kind == "tuple":
        return tuple(decode_value(value, parts))
    if kind == "set":
        return set(map(_hashable, decode_value(value, parts)))
    if kind == "dict":
        return {_hashable(decode_value(key, parts)): decode_value(item, parts) for key, item in value}
    if kind == "array":
        return _decode_array(tree["dtype"], tree["shape"], parts[tree["p"]])
    if kind == "reference":
        return Reference(value)
    raise ValueProblem("value/malformed", "A value on the wire holds the unknown kind %r" % (kind,))


def _hashable(value):
    """A list or dict of the host has no equal in a Python set or key: tuples take their place."""
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return tuple((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, set):
        return frozenset(value)
    return value


def _decode_array(dtype, shape, data):
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        return numpy.frombuffer(bytes(data), dtype="<" + dtype).reshape(shape).copy()
    letter = LETTERS[dtype]
    if len(shape) == 1:
        import array

        result = array.array(letter)
        result.frombytes(bytes(data))
        return result
    if 0 in shape or not shape:
        return memoryview(bytes(data))
    return memoryview(bytes(data)).cast(letter, tuple(shape))
