"""The closed value codec, the same as the host's: JSON stands for itself, all else is an object with the key `$`."""

import codecs
import sys
from _json import encode_basestring, make_encoder, make_scanner

MAX_DEPTH = 200
MAX_SAFE = 2**53 - 1
# Python refuses longer digit strings by default; the host refuses them too.
NONFINITE = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "-0": -0.0}
DTYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")
# struct's letters for the element types, for interpreters without numpy.
LETTERS = dict(zip(DTYPES, "bBhHiIqQfd"))
PLAIN_ATOMS = frozenset((str, bool, type(None)))


class ValueProblem(Exception):
    """A value that can't cross; `code` and `path` as the host's codec gives them."""

    def __init__(self, code, text, hint=None):
        super().__init__(text)
        self.code = code
        self.text = text
        self.hint = hint
        self.steps = []

    @property
    def path(self):
        return "$" + "".join(reversed(self.steps))

    @property
    def message(self):
        return "%s at %s." % (self.text, self.path) if self.steps else self.text + "."


class Reference:
    """Stands for a value too large to show. `artifact` names the artifact that keeps the whole of it, if one does."""

    def __init__(self, facts):
        self.__dict__.update(facts)
        self._facts = facts

    # Set by the kernel: loads an artifact by its name.
    _load_artifact = None

    def load(self):
        """The whole value, from the artifact that keeps it."""
        name = self._facts.get("artifact")
        if name is None:
            raise LookupError("No artifact keeps this value; it was too large, or it could not be saved.")
        return Reference._load_artifact(name)

    def __repr__(self):
        facts = self._facts
        return "<reference %s: %s, %s bytes>" % (facts.get("id"), facts.get("type"), facts.get("bytes"))


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


def _refuse(value):
    raise not_encodable(type(value))


# The C encoder and scanner without the json package, whose import of `re` would slow the kernel's start.
_encode = make_encoder(None, _refuse, encode_basestring, None, ":", ",", False, False, False)


class _ScannerOptions:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo = {}


_scan = make_scanner(_ScannerOptions)


def dump(tree):
    """JSON text of a tree of plain values, as UTF-8. Lone surrogates travel as escapes."""
    text = "".join(_encode(tree, 0))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace_json")


def load(data):
    """Parses UTF-8 JSON."""
    return _scan(data.decode(), 0)[0]


def _escape_surrogates(error):
    return "".join("\\u%04x" % ord(unit) for unit in error.object[error.start : error.end]), error.end


codecs.register_error("backslashreplace_json", _escape_surrogates)
