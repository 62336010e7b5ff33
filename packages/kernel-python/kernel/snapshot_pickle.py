"""Pickles one group of variables. cloudpickle, where the interpreter has it, is asked for what pickle refuses."""

import sys
from _pickle import Pickler, Unpickler
from types import FunctionType, ModuleType

from _blake2 import blake2b

from _artificer.tool_handles import Tool, Toolkit, Tools

PROTOCOL = 5
HANDLES = (Tool, Toolkit, Tools)


class Unsavable(Exception):
    """Why a variable is left out of the snapshot, in words. `final`: no other way of pickling would help."""

    def __init__(self, reason, final=False):
        super().__init__(reason)
        self.final = final


class Sink:
    """Takes what a pickler writes, up to a limit, and hashes it on the way."""

    def __init__(self, limit):
        self.chunks = []
        self.size = 0
        self._limit = limit
        self._hash = blake2b(digest_size=32)

    def write(self, data):
        chunk = data if type(data) is bytes else bytes(data)
        self.size += len(chunk)
        if self.size > self._limit:
            raise Unsavable("it takes more than the %d bytes that a variable may" % self._limit, True)
        self._hash.update(chunk)
        self.chunks.append(chunk)
        return len(chunk)

    def tag(self):
        return self._hash.hexdigest()


class Needs:
    """Decides what is pickled by its name in the namespace, and notes those names."""

    def __init__(self, space, own):
        self.space = space
        # The names of the group itself: a class is written whole there, and by its name everywhere else.
        self.own = own
        self.names = set()

    def by_name(self, value):
        if value.__module__ != "__main__":
            return False
        root, _, rest = value.__qualname__.partition(".")
        found = self.space.get(root)
        for step in rest.split(".") if rest else ():
            found = getattr(found, step, None)
        if found is value and root not in self.own:
            self.names.add(root)
            return True
        # A variable that stands for a class or function under a name of another spelling.
        return False


def check_handle(value):
    if isinstance(value, HANDLES) or type(value).__module__ in ("_artificer.stores", "_artificer.skills", "_artificer.host"):
        raise Unsavable("it holds %s, which belongs to this kernel" % type(value).__name__, True)


class PlainSaver(Pickler):
    def __init__(self, sink, needs):
        super().__init__(sink, PROTOCOL)
        self.needs = needs

    def reducer_override(self, value):
        check_handle(value)
        if isinstance(value, (FunctionType, type)):
            if value.__module__ == "__main__" and not self.needs.by_name(value):
                what = "class" if isinstance(value, type) else "function"
                raise Unsavable("it holds the %s %s, which is no definition of a cell's own" % (what, value.__qualname__))
        return NotImplemented


def cloud_saver():
    """cloudpickle's pickler adapted to the namespace; None where the interpreter has no cloudpickle."""
    try:
        import cloudpickle
    except Exception:
        return None
    base = getattr(cloudpickle, "Pickler", None) or getattr(cloudpickle, "CloudPickler", None)
    if base is None:
        return None

    class CloudSaver(base):
        def __init__(self, sink, needs):
            super().__init__(sink, PROTOCOL)
            self.needs = needs

        def persistent_id(self, value):
            return "namespace" if value is self.needs.space else None

        def reducer_override(self, value):
            check_handle(value)
            named = isinstance(value, (FunctionType, type))
            if named and self.needs.by_name(value):
                return NotImplemented
            reduced = super().reducer_override(value)
            if type(value) is FunctionType and value.__globals__ is self.needs.space and type(reduced) is tuple:
                return in_namespace(reduced, self.needs.space)
            return reduced

    return CloudSaver


def in_namespace(reduced, space):
    """A function goes on using the namespace's variables, where cloudpickle would give it copies."""
    make, args, state, *rest = reduced
    args = (args[0], space) + tuple(args[2:])
    attributes, slots = state
    slots = dict(slots, __globals__={})
    return (make, args, (attributes, slots), *rest)


class Loader(Unpickler):
    """`need(name)` brings a name of the namespace in that the bytes refer to."""

    def __init__(self, file, space, need):
        super().__init__(file)
        self._space = space
        self._need = need

    def find_class(self, module, name):
        if module == "__main__":
            root, _, rest = name.partition(".")
            self._need(root)
            found = self._space[root]
            for step in rest.split(".") if rest else ():
                found = getattr(found, step)
            return found
        return super().find_class(module, name)

    def persistent_load(self, mark):
        if mark == "namespace":
            return self._space
        raise ValueError("an unknown mark")


def quick_size(value):
    """The size of what is plainly large, without pickling it."""
    if type(value) in (bytes, bytearray, str):
        return len(value)
    size = getattr(value, "nbytes", 0) if type(value).__module__ == "numpy" else 0
    return size if type(size) is int else 0


def is_module(value):
    return isinstance(value, ModuleType) and sys.modules.get(getattr(value, "__name__", None)) is value
