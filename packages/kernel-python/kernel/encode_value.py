"""The closed value codec, the same as the host's: JSON stands for itself, all else is an object with the key `$`."""

import sys

from _artificer.values import DTYPES, NONFINITE, Reference, ValueProblem

MAX_DEPTH = 200
MAX_SAFE = 2**53 - 1
MANY = 1_000_000
PLAIN_ATOMS = frozenset((str, bool, type(None)))


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
        return {"$": "dict", "v": pairs}

    def encode_other(self, value, kind):
        if isinstance(value, (bytes, bytearray)):
            return self.encode_part(value)
        if isinstance(value, (set, frozenset)):
            return {"$": "set", "v": self.encode_items(list(value), "{%d}")}
        if isinstance(value, str):
            self.spend(len(value))
            return str.__str__(value)
        if isinstance(value, bool):
            return bool(value)
        if isinstance(value, int):
            return self.encode(int(value))
        if isinstance(value, float):
            return encode_float(float(value))
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
            if isinstance(value, datetime.datetime):
                text = value.astimezone(datetime.timezone.utc).isoformat()
                return {"$": "datetime", "v": text.replace("+00:00", "Z")}
            return {"$": "datetime", "v": value.isoformat()}
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            if isinstance(value, numpy.generic) and value.dtype.kind in "biufSU":
                return self.encode(value.item())
            if isinstance(value, numpy.ndarray):
                return self.encode_numpy(numpy, value)
        array = sys.modules.get("array")
        if array is not None and isinstance(value, array.array):
            return self.encode_view(memoryview(value))
        raise not_encodable(kind)

    def encode_numpy(self, numpy, value):
        dtype = value.dtype.newbyteorder("<").str[1:]
        if dtype not in DTYPES:
            if value.dtype.kind in "bSU":
                return self.encode(value.tolist())
            raise ValueProblem("value/not-encodable", "A numpy array of %s can't cross" % value.dtype)
        flat = numpy.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        self.spend(flat.nbytes)
        self.parts.append(memoryview(flat.reshape(-1)).cast("B") if flat.size else b"")
        return {"$": "array", "dtype": dtype, "shape": list(value.shape), "p": len(self.parts) - 1}

    def encode_view(self, view):
        letter = view.format.lstrip("<@=")
        if letter in "Bbc" and view.ndim == 1 and letter != "b":
            return self.encode_part(view.tobytes())
        width = "f" if letter in "fd" else "u" if letter.isupper() else "i"
        dtype = width + str(view.itemsize)
        if dtype not in DTYPES or view.format.startswith(">") or sys.byteorder != "little":
            raise ValueProblem("value/not-encodable", "A memoryview of format %r can't cross" % view.format)
        self.spend(view.nbytes)
        self.parts.append(view.tobytes())
        return {"$": "array", "dtype": dtype, "shape": list(view.shape), "p": len(self.parts) - 1}

    def encode_part(self, value):
        self.spend(len(value))
        # A bytearray may change before it is sent.
        self.parts.append(value if isinstance(value, bytes) else bytes(value))
        return {"$": "bytes", "p": len(self.parts) - 1}


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
