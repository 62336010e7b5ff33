"""JSON as bytes, by the interpreter's C code without the json package, whose import of `re` would slow the kernel's start."""

import codecs
from _json import encode_basestring, make_encoder, make_scanner


def _refuse(value):
    raise TypeError("a %s is no JSON" % type(value).__name__)


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
