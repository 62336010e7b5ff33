"""Rebuilds the values that the host encoded."""

import sys

from _artificer.values import DTYPES, MAX_SAFE, NONFINITE, BigInt, Map, Reference, ValueProblem

# struct's letters for the element types, for interpreters without numpy.
LETTERS = dict(zip(DTYPES, "bBhHiIqQfd"))


def decode_value(tree, parts):
    """The value that the host encoded. Raises ValueProblem for one that has no equal in Python."""
    if type(tree) is list:
        index = 0
        try:
            for index, item in enumerate(tree):
                if type(item) in (list, dict):
                    tree[index] = decode_value(item, parts)
        except ValueProblem as problem:
            problem.steps.append("[%d]" % index)
            raise
        return tree
    if type(tree) is not dict:
        return tree
    if "$" in tree:
        return _decode_tagged(tree, parts)
    key = None
    try:
        for key, item in tree.items():
            if type(item) in (list, dict):
                tree[key] = decode_value(item, parts)
    except ValueProblem as problem:
        problem.steps.append(".%s" % key)
        raise
    return tree


def _decode_tagged(tree, parts):
    kind = tree["$"]
    value = tree.get("v")
    if kind == "bytes":
        return bytes(parts[tree["p"]])
    if kind == "int":
        number = int(value)
        # Written as one of the host's big integers although it is small: so it goes back as one.
        return BigInt(number) if -MAX_SAFE <= number <= MAX_SAFE else number
    if kind == "float":
        return NONFINITE[value] if value in NONFINITE else float(value)
    if kind == "datetime":
        from _artificer.instants import read_instant

        return read_instant(value)
    if kind == "tuple":
        return tuple(decode_value(value, parts))
    if kind in ("set", "frozenset"):
        return _decode_set(set if kind == "set" else frozenset, value, parts)
    if kind in ("dict", "map"):
        return _decode_pairs(dict if kind == "dict" else Map, value, parts)
    if kind == "array":
        return _decode_array(tree["dtype"], tree["shape"], parts[tree["p"]])
    if kind == "reference":
        return Reference(value)
    if kind == "table":
        from _artificer.tables import decode_table

        return decode_table(tree, parts, decode_value)
    raise ValueProblem("value/malformed", "A value on the wire holds the unknown kind %r" % (kind,))


def _decode_set(kind, items, parts):
    members = []
    for index, item in enumerate(items):
        step = "{%d}" % index
        members.append(_hashable(_within(step, item, parts), step))
    result = kind(members)
    if len(result) != len(members):
        raise _no_equal("A set with members that are equal in Python, such as 1 and true,")
    return result


def _decode_pairs(kind, pairs, parts):
    result = kind()
    for index, (key, item) in enumerate(pairs):
        step = "<key %d>" % index
        name = _hashable(_within(step, key, parts), step)
        result[name] = _within("[%s]" % (name,), item, parts)
    if len(result) != len(pairs):
        raise _no_equal("A map with keys that are equal in Python, such as 1 and true,")
    return result


def _within(step, tree, parts):
    try:
        return decode_value(tree, parts)
    except ValueProblem as problem:
        problem.steps.append(step)
        raise


def _hashable(value, step):
    """What may be a member of a set or a key; sets within sets are frozen, as Python has them."""
    if isinstance(value, set):
        return frozenset(value)
    try:
        hash(value)
    except TypeError:
        problem = _no_equal("A %s in a set, or as a key," % type(value).__name__)
        problem.steps.append(step)
        raise problem from None
    return value


def _no_equal(what):
    hint = "Pass a list of the members, or of [key, value] pairs, instead."
    return ValueProblem("value/no-equal", "%s has no equal in Python" % what, hint)


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
    return memoryview(bytes(data)).cast("B").cast(letter, tuple(shape))
