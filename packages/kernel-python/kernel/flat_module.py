"""The module `artificer_tools`: every tool under one flat name, blocking, for `from artificer_tools import get`."""

import sys

from _artificer import errors, scripting
from _artificer.tool_handles import Tool

NAME = "artificer_tools"


class FlatModule:
    def __init__(self, host):
        self._host = host
        self._module = type(sys)(NAME, "Every tool of the host as a function, with json_parse, shell_quote and retry.")
        self._flat = {}
        self._made = set()
        space = vars(self._module)
        space["__getattr__"] = self._get
        space["__dir__"] = lambda: sorted(space["__all__"])
        space.update((kind.__name__, kind) for kind in errors.PUBLIC)
        self._helpers = dict(scripting.FUNCTIONS)
        space.update(self._helpers)

    def bind(self, toolkits):
        space = vars(self._module)
        for name in self._made:
            space.pop(name, None)
        self._made.clear()
        space.update(self._helpers)
        self._flat = {tool["flat"]: (toolkit, tool) for toolkit in toolkits for tool in toolkit["tools"]}
        for name in self._flat:
            # A tool that is called like a helper wins: it is what the session has.
            if name in self._helpers:
                del space[name]
        space["__all__"] = sorted({*self._flat, *self._helpers})
        sys.modules.setdefault(NAME, self._module)

    def _get(self, name):
        found = self._flat.get(name)
        if found is None:
            if name.startswith("__"):
                raise AttributeError(name)
            # An import turns any AttributeError into an ImportError of Python's own, which names nothing.
            kind = errors.ToolImportError if imports_names(sys._getframe(1)) else errors.ToolNotFoundError
            raise kind(
                "artificer_tools has no %r.%s" % (name, errors.nearest(name, vars(self._module)["__all__"])),
                "tool/unknown-tool",
                {"available": sorted(self._flat)},
                "It has: %s." % ", ".join(vars(self._module)["__all__"]),
            )
        toolkit, binding = found
        made = vars(self._module)[name] = Tool(self._host, toolkit, binding, False)
        self._made.add(name)
        return made


def imports_names(frame):
    """Whether the frame is at `from module import name` just now."""
    import opcode

    at = frame.f_lasti
    return 0 <= at < len(frame.f_code.co_code) and frame.f_code.co_code[at] == opcode.opmap.get("IMPORT_FROM")
