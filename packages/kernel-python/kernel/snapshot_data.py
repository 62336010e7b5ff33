"""Variables as plain data, for sessions that unpickle nothing: what the closed codec carries comes back as it was, and all else is refused."""

import sys

from _artificer import json_text
from _artificer.decode_value import decode_value
from _artificer.encode_value import encode_value
from _artificer.snapshot_pickle import Unsavable
from _artificer.values import ValueProblem

MARK = b"d"
ATOMS = frozenset((type(None), bool, int, float, str, bytes))
ITEMS = frozenset((list, tuple, set, frozenset))
# Modules whose kinds the codec makes again only when they are loaded.
KINDS = ("numpy", "pandas")


class _Look:
    """Walks values of the interpreter's own kinds, which runs no code of anybody's. Raises Unsavable for any other."""

    def __init__(self):
        self.modules = set()
        self._seen = set()

    def at(self, value):
        kind = type(value)
        if kind in ATOMS:
            return
        if kind not in (tuple, frozenset):
            # One object in two places would come back as two.
            if id(value) in self._seen:
                raise Unsavable("it shares a %s with another place, which data can't tell" % _name(kind), True)
            self._seen.add(id(value))
        if kind in ITEMS:
            for item in value:
                self.at(item)
        elif kind is dict:
            for key, item in value.items():
                self.at(key)
                self.at(item)
        else:
            self._kind_of_a_library(value, kind)

    def _kind_of_a_library(self, value, kind):
        for name, kinds, same in _LIBRARIES:
            module = sys.modules.get(name)
            if module is None or not any(getattr(module, each, None) is kind for each in kinds):
                continue
            if name in KINDS:
                self.modules.add(name)
            parts = []
            back = decode_value(encode_value(value, parts), parts)
            if type(back) is kind and same(value, back):
                return
            raise Unsavable("it holds a %s that would not come back as it is" % _name(kind), True)
        raise Unsavable("it holds a %s, which is no plain data" % _name(kind), True)


def _same_time(one, other):
    zones = [getattr(each, "tzinfo", None) for each in (one, other)]
    return one == other and type(zones[0]) is type(zones[1]) and str(zones[0]) == str(zones[1])


def _same_array(one, other):
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def _same_table(one, other):
    return list(one.dtypes) == list(other.dtypes) and one.equals(other)


_LIBRARIES = (
    ("datetime", ("date", "datetime"), _same_time),
    ("numpy", ("ndarray",), _same_array),
    ("pandas", ("DataFrame",), _same_table),
)


def _name(kind):
    # Past a metaclass, which may run code of the user's when it is asked.
    return type.__dict__["__name__"].__get__(kind)


def write_data(sink, content):
    """Writes named values, by what they are: {kind: {name: value}}. Names of one object stay names of one."""
    look = _Look()
    first, same, own = {}, {}, {}
    try:
        for what, named in content.items():
            own[what] = {}
            for name, value in named.items():
                if type(value) not in ATOMS and id(value) in first:
                    same[name] = first[id(value)]
                    continue
                first[id(value)] = name
                look.at(value)
                own[what][name] = value
        parts = []
        tree = encode_value(own, parts)
    except ValueProblem as problem:
        raise Unsavable(str(problem), True) from None
    head = {"tree": tree, "same": same, "modules": sorted(look.modules), "parts": [len(part) for part in parts]}
    sink.write(MARK + b"%d.%d\n" % sys.version_info[:2])
    sink.write(json_text.dump(head))
    sink.write(b"\n")
    for part in parts:
        sink.write(part)


def read_data(body):
    """What `write_data` wrote, from behind its first line."""
    line, _, rest = bytes(body).partition(b"\n")
    head = json_text.load(line)
    for name in head["modules"]:
        if name in KINDS:
            __import__(name)
    parts, at = [], 0
    for size in head["parts"]:
        parts.append(rest[at : at + size])
        at += size
    content = decode_value(head["tree"], parts)
    for name, first in head["same"].items():
        for named in content.values():
            if first in named:
                named[name] = named[first]
    return content


def is_data(data):
    return bytes(data[:1]) == MARK
