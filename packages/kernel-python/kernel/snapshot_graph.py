"""
Which variables share objects, and which nobody else holds. A variable that is isolated (every reference to every
object in it comes from within) can only be changed by code that names it, so its snapshot need not be looked at again.
"""

import gc
import sys
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CodeType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
    ModuleType,
    TracebackType,
)

# They can't change and hold nothing.
ATOMS = frozenset(
    (str, bytes, int, float, complex, bool, type(None), type(...), type(NotImplemented), range, slice, CodeType)
)
# Types that the collector does not look into, known to hold no reference to another object.
CLOSED = ("datetime", "decimal", "_decimal", "_pydecimal", "array", "uuid", "builtins", "numpy")
HAVE_GC = 1 << 14
# Pickled by name; what they hold is not part of a variable.
NAMED = (type, ModuleType)
# Never pickled, and a way into everything else.
RUNNING = (FrameType, GeneratorType, CoroutineType, AsyncGeneratorType, TracebackType)
# References to a variable's value that are no concern: the namespace's, and those of the two dictionaries of the save.
ROOT_REFERENCES = 3
MAX_OBJECTS = 3_000_000


class Graph:
    """Walks the given variables once. `space` is the namespace; functions that live in it are looked into."""

    def __init__(self, chosen, space):
        self._space = space
        self._owner = {}
        self._edges = {}
        self._objects = []
        self._parent = {name: name for name in chosen}
        self._opaque = set()
        for name in chosen:
            self._walk(name, chosen[name])
        self._entangled = set(map(self._root, self._opaque))
        self._find_held()

    def groups(self):
        """[(names in order, whether something else refers into them)]"""
        groups = {}
        for name in self._parent:
            groups.setdefault(self._root(name), []).append(name)
        return [(names, root in self._entangled) for root, names in groups.items()]

    def _root(self, name):
        parent = self._parent
        while parent[name] != name:
            parent[name] = name = parent[parent[name]]
        return name

    def _walk(self, name, value):
        stack = [value] * ROOT_REFERENCES
        owner, edges = self._owner, self._edges
        if issubclass(type(value), type):
            # A class can change by way of any of its instances.
            self._opaque.add(name)
        while stack:
            item = stack.pop()
            kind = type(item)
            if kind in ATOMS or item is self._space:
                continue
            if issubclass(kind, NAMED) or (kind is FunctionType and self._by_name(item)):
                continue
            if kind is BuiltinFunctionType and isinstance(item.__self__, (ModuleType, type(None))):
                continue
            if issubclass(kind, RUNNING) or len(self._objects) > MAX_OBJECTS or (kind is dict and "__spec__" in item):
                self._opaque.add(name)
                continue
            mark = id(item)
            known = owner.get(mark)
            if known is not None:
                edges[mark] += 1
                if known != name:
                    self._parent[self._root(known)] = self._root(name)
                continue
            owner[mark] = name
            edges[mark] = 1
            inside = gc.get_referents(item)
            if kind in (tuple, frozenset) and ATOMS.issuperset(map(type, inside)):
                # Constants of code are such tuples: sharing them means nothing.
                del owner[mark], edges[mark]
                continue
            self._objects.append(item)
            if not kind.__flags__ & HAVE_GC and not closed(item, kind):
                self._opaque.add(name)
            if inside and not ATOMS.issuperset(map(type, inside)):
                stack += inside

    def _by_name(self, function):
        return function.__globals__ is not self._space or self._space.get(function.__qualname__) is function

    def _find_held(self):
        owner, edges = self._owner, self._edges
        probe = object()
        count = sys.getrefcount
        # What counting itself adds differs from version to version.
        own = 0
        for item in [probe]:
            own = count(item) - 1
        objects = self._objects
        for item in objects:
            mark = id(item)
            if count(item) - own > edges[mark]:
                self._entangled.add(self._root(owner[mark]))


def closed(item, kind):
    module = kind.__module__.partition(".")[0]
    if module == "numpy":
        return getattr(item, "base", None) is None
    return module in CLOSED
