"""The kernel's side of snapshots: `snapshot.save` and `snapshot.restore`, both in the main thread between cells."""

import sys

from _artificer.snapshot_place import Place
from _artificer.snapshot_track import Tracker


class Snapshots:
    def __init__(self, kernel):
        self._kernel = kernel
        self._tracker = Tracker()
        self._place = Place(kernel.compiler)
        self._saver = None
        self.compiled = self._tracker.compiled
        self.catch_up = self._tracker.catch_up

    def _parts(self):
        # Loaded when first needed: a kernel's start is no place for it.
        if self._saver is None:
            from _artificer.snapshot_save import Saver

            self._saver = Saver(self._kernel.namespace.space, self._tracker, self._place)
        return self._saver

    def save(self, request_id, params):
        from _artificer.snapshot_watch import Watch

        kernel = self._kernel
        sys.modules["__main__"] = kernel.namespace.module
        with Watch(kernel, request_id, params["maxVariableMs"] / 1000) as watch:
            answer = self._parts().save(kernel.namespace, params, watch, handle_path)
        self._respond(request_id, answer)

    def restore(self, request_id, params):
        from _artificer.snapshot_restore import Restorer
        from _artificer.snapshot_watch import Watch

        kernel = self._kernel
        saver = self._parts()
        restorer = Restorer(kernel.namespace.space, self._tracker, self._place, saver)
        with Watch(kernel, request_id, params["maxVariableMs"] / 1000) as watch:
            answer = restorer.restore(params, watch, self._find_tool)
        self._respond(request_id, answer)

    def _respond(self, request_id, answer):
        from _artificer.encode_value import encode_value

        parts = []
        tree = encode_value(answer, parts)
        self._kernel.wire.respond(request_id, tree, parts)

    def _find_tool(self, path):
        handles = self._kernel.namespace.handles
        kind, toolkit, tool = path
        found = handles["tools"] if kind == "tools" else handles[kind]
        if toolkit is not None and kind == "tools":
            found = found[toolkit]
        return found if tool is None else found[tool]


def handle_path(value):
    """How to find a handle again, that a variable stands for: (tools or a global's name, toolkit, tool)."""
    from _artificer.tool_handles import Tool, Toolkit

    if isinstance(value, Tool):
        toolkit = value._toolkit
        return (toolkit.get("global") if value._asynchronous else "tools", toolkit["name"], value._binding["name"])
    if isinstance(value, Toolkit):
        _, toolkit, asynchronous = value.__dict__["_artificer"]
        return (toolkit.get("global") if asynchronous else "tools", toolkit["name"], None)
    return ("tools", None, None)
