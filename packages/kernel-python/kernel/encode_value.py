"""The closed value codec, the same as the host's: JSON stands for itself, all else is an object with the key `$`."""

import sys

from _artificer.values import DTYPES, MAX_SAFE, NONFINITE, BigInt, Map, Reference, ValueProblem

MAX_DEPTH = 200
MANY = 1_000_000
PLAIN_ATOMS = frozenset((str, bool, type(None)))
# The formats of memory that the codec has an element type for, by their first letter.
FORMATS = dict.fromkeys("bhilqn", "i")
FORMATS.update(dict.fromkeys("BHILQN", "u"), f="f", d="f")


class _Encoder:
    """Walks one value. `budget` bounds the work: a value that must be larger than it is given up early."""

    def __init__(self, parts, budget):
        self.parts = parts
        self.above = []
        self.budget = budget

    def spend(self, count):
        self.budget -= count
        if self.budget < 0:
            raise ValueProblem("cell/value-too-large", "The value is larger than allowed")

    def encode(self, value):
        kind = type(value)
        if kind is str:
            self.spend(len(value))
            return value
        if value is None or kind is bool:
            return value
        if kind is int:
            if -MAX_SAFE <= value <= MAX_SAFE:
                return value
            return encode_int(value)
        if kind is float:
            return encode_float(value)
        return self.encode_object(value, kind)

    def encode_object(self, value, kind):
        above = self.above
        mark = id(value)
        if mark in above:
            raise ValueProblem("value/cycle", "The value refers to itself")
        if len(above) >= MAX_DEPTH:
            raise ValueProblem("value/too-deep", "The value is nested more than %d deep" % MAX_DEPTH)
        above.append(mark)
        try:
            if kind is dict:
                return self.encode_dict(value)
            if kind is list:
                return self.encode_items(value)
            if kind is tuple:
                return {"$": "tuple", "v": self.encode_items(value)}
            return self.encode_other(value, kind)
        finally:
            above.pop()

    def encode_items(self, items, brackets="[%d]"):
        self.spend(2 * len(items))
        kinds = set(map(type, items))
        if kinds <= PLAIN_ATOMS:
            if str in kinds:
                self.spend(sum(map(len, filter(None, items))) if kinds == {str} else 0)
            return items if type(items) is list else list(items)
        if len(kinds) == 1 and len(items) > MANY and (int in kinds or float in kinds):
            # A careful guess: what would be far too large is given up before it is written out.
            self.spend(len(items) * (min(len(repr(items[at])) for at in (0, len(items) // 2, -1)) - 1) // 2)
        if kinds == {int} and -MAX_SAFE <= min(items) and max(items) <= MAX_SAFE:
            return items if type(items) is list else list(items)
        # A finite sum proves that there is no NaN and no infinity among them.
        if kinds == {float} and is_finite(sum(items)):
            return items if type(items) is list else list(items)
        result = []
        at = 0
        encode = self.encode
        try:
            for item in items:
                result.append(encode(item))
                at += 1
        except ValueProblem as problem:
            problem.steps.append(brackets % at)
            raise
        return result

    def encode_dict(self, value):
        self.spend(4 * len(value))
        if set(map(type, value)) - {str} or "$" in value:
            return self.encode_pairs(value)
        result = {}
        encode = self.encode
        key = None
        try:
            for key, item in value.items():
                result[key] = encode(item)
        except ValueProblem as problem:
            problem.steps.append("." + key)
            raise
        return result

    def encode_pairs(self, value):
        if all(isinstance(key, str) for key in value) and "$" not in value:
            return self.encode_dict({str(key): item for key, item in value.items()})
        return {"$": "dict", "v": self.pairs(value)}

    def pairs(self, value):
        one_nan(value)
        pairs = []
        for key, item in value.items():
            step = "<key %d>" % len(pairs)
            try:
                left = self.encode(key)
                step = "[%s]" % (key,)
                pairs.append([left, self.encode(item)])
            except ValueProblem as problem:
                problem.steps.append(step)
                raise
        return pairs

    def encode_set(self, value):
        one_nan(value)
        kind = "frozenset" if isinstance(value, frozenset) else "set"
        return {"$": kind, "v": self.encode_items(list(value), "{%d}")}

    def encode_other(self, value, kind):
        if isinstance(value, (bytes, bytearray)):
            return self.encode_part(value)
        if isinstance(value, (set, frozenset)):
            return self.encode_set(value)
        if isinstance(value, str):
            self.spend(len(value))
            return str.__str__(value)
        if isinstance(value, bool):
            return bool(value)
        if kind is BigInt:
            return encode_int(int(value))
        if isinstance(value, int):
            return self.encode(int(value))
        if isinstance(value, float):
            return encode_float(float(value))
        if kind is Map and all(type(key) is str for key in value):
            return {"$": "map", "v": self.pairs(value)}
        if isinstance(value, dict):
            return self.encode_dict(dict(value))
        if isinstance(value, list):
            return self.encode_items(list(value))
        if isinstance(value, tuple):
            return {"$": "tuple", "v": self.encode_items(tuple(value))}
        if isinstance(value, Reference):
            return {"$": "reference", "v": dict(value._facts)}
        if isinstance(value, memoryview):
            return self.encode_view(value)
        return self.encode_library(value, kind)

    def encode_library(self, value, kind):
        """Kinds whose module is only looked at when the cell has imported it."""
        datetime = sys.modules.get("datetime")
        if datetime is not None and isinstance(value, datetime.date):
            if kind.__name__ == "NaTType":
                return None
            from _artificer.instants import write_instant

            return {"$": "datetime", "v": write_instant(datetime, value)}
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            if isinstance(value, numpy.generic) and value.dtype.kind in "biufSU":
                item = value.item()
                if isinstance(item, numpy.generic):
                    raise not_encodable(kind)
                return self.encode(item)
            if isinstance(value, numpy.ndarray):
                return self.encode_numpy(numpy, value)
        pandas = sys.modules.get("pandas")
        if pandas is not None and isinstance(value, getattr(pandas, "DataFrame", ())):
            from _artificer.tables import encode_table

            return encode_table(pandas, value, self)
        array = sys.modules.get("array")
        if array is not None and isinstance(value, array.array):
            return self.encode_memory(memoryview(value))
        raise not_encodable(kind)

    def encode_numpy(self, numpy, value):
        dtype = value.dtype.newbyteorder("<").str[1:]
        if hasattr(value, "mask"):
            raise ValueProblem("value/not-encodable", "A masked array can't cross", "Fill it: array.filled(...).")
        if dtype not in DTYPES:
            if value.dtype.kind in "bSU":
                return self.encode(value.tolist())
            raise ValueProblem("value/not-encodable", "A numpy array of %s can't cross" % value.dtype)
        flat = numpy.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        self.spend(flat.nbytes)
        self.parts.append(memoryview(flat.reshape(-1)).cast("B") if flat.size else b"")
        return {"$": "array", "dtype": dtype, "shape": list(value.shape), "p": len(self.parts) - 1}

    def encode_view(self, view):
        """Memory of bytes is bytes; an array of them, which says that they are numbers, is not."""
        if view.format.lstrip("<@=") in ("B", "c") and view.ndim == 1:
            return self.encode_part(view.tobytes())
        return self.encode_memory(view)

    def encode_memory(self, view):
        letter = view.format.lstrip("<@=")
        dtype = FORMATS.get(letter, "?") + str(view.itemsize)
        if dtype not in DTYPES or view.format[0] in ">!" or sys.byteorder != "little":
            raise ValueProblem("value/not-encodable", "Memory of format %r can't cross" % view.format)
        self.spend(view.nbytes)
        self.parts.append(view.tobytes())
        return {"$": "array", "dtype": dtype, "shape": list(view.shape), "p": len(self.parts) - 1}

    def encode_part(self, value):
        self.spend(len(value))
        # A bytearray may change before it is sent.
        self.parts.append(value if isinstance(value, bytes) else bytes(value))
        return {"$": "bytes", "p": len(self.parts) - 1}


def one_nan(members):
    """In TypeScript all NaN are one member of a set or one key."""
    if len(members) > 1 and sum(1 for member in members if isinstance(member, float) and member != member) > 1:
        raise ValueProblem("value/not-encodable", "A set or dict with more than one NaN among its members or keys can't cross")


def is_finite(number):
    return number - number == 0


def encode_int(value):
    try:
        return {"$": "int", "v": str(value)}
    except ValueError:
        raise ValueProblem("value/not-encodable", "An integer of that many digits can't cross") from None


def encode_float(value):
    if value != value:
        return {"$": "float", "v": "nan"}
    if value in (NONFINITE["inf"], NONFINITE["-inf"]):
        return {"$": "float", "v": "inf" if value > 0 else "-inf"}
    if value == 0 and str(value) == "-0.0":
        return {"$": "float", "v": "-0"}
    return value


def not_encodable(kind):
    return ValueProblem(
        "value/not-encodable",
        "A %s can't cross between host and kernel" % kind.__name__,
        "Pass JSON values, bytes, dates, big integers, sets, tuples, dicts or numeric arrays.",
    )


def encode_value(value, parts, budget=1 << 62):
    """The JSON tree of `value`; its bytes are appended to `parts`. Raises ValueProblem."""
    return _Encoder(parts, budget).encode(value)
