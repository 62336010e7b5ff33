"""Boots the kernel: `main.py WIRE [CACHE]`, where WIRE is `fd:N` or `unix:PATH` and CACHE keeps the byte code of these modules."""

import builtins
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader

PACKAGE = "_artificer"


def install(folder, cache):
    """Makes the files beside this one importable as `_artificer.*`, invisibly to the user's own imports."""
    # Cells may replace any builtin. The kernel's modules look theirs up in this copy, taken before a cell can run.
    own_builtins = dict(vars(builtins))

    class KernelLoader(SourceFileLoader):
        def get_code(self, fullname):
            # Only our own modules go to the cache folder: the user's keep theirs where Python looks for them.
            kept = sys.pycache_prefix
            sys.pycache_prefix = cache or kept
            try:
                return super().get_code(fullname)
            finally:
                sys.pycache_prefix = kept

        def exec_module(self, module):
            module.__dict__["__builtins__"] = own_builtins
            exec(self.get_code(module.__name__), module.__dict__)

    class KernelFinder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if not name.startswith(PACKAGE + "."):
                return None
            file = os.path.join(folder, name[len(PACKAGE) + 1 :] + ".py")
            spec = ModuleSpec(name, KernelLoader(name, file), origin=file)
            spec.has_location = True
            return spec

    package = type(sys)(PACKAGE)
    package.__path__ = []
    package.own_builtins = own_builtins
    package.folder = os.path.join(folder, "")
    package.cache = cache
    sys.modules[PACKAGE] = package
    sys.meta_path.append(KernelFinder)


def start(argv):
    folder = os.path.dirname(os.path.abspath(__file__))
    install(folder, argv[2] if len(argv) > 2 else None)
    from _artificer.kernel import Kernel

    Kernel(open_wire(argv[1])).run()


def open_wire(wire):
    kind, _, where = wire.partition(":")
    if kind == "fd":
        return int(where)
    if kind == "unix":
        import _socket

        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        connection.connect(where)
        return connection.detach()
    sys.exit("artificer: a wire is given as fd:N or unix:PATH, not %r" % wire)


start(sys.argv)
