"""Answers `snapshot.restore`: brings a namespace back, each name when it is first needed by another."""

import builtins
import io
import sys
from _pickle import loads

from _artificer import tracebacks
from _artificer.snapshot_data import is_data, read_data
from _artificer.snapshot_pickle import Loader, Unsavable
from _artificer.snapshot_save import Entry, Group
from _artificer.snapshot_track import Definition, all_names, immediate_names, inner_function


PICKLED = "it was pickled, and this session unpickles nothing (snapshots.format: data)"


class NotRestored(Unsavable):
    """A name that another one needs could not be brought back."""


class Restorer:
    def __init__(self, space, tracker, place, saver):
        self._space = space
        self._tracker = tracker
        self._place = place
        self._saver = saver
        self._steps = {}
        self._states = {}
        self._reasons = {}
        self._definitions = {}
        self._tools = {}
        self._watch = None
        self._data_only = False

    def restore(self, params, watch, find_tool):
        self._watch = watch
        self._data_only = params.get("format") == "data"
        facts, failed = self._facts(bytes(params["facts"]))
        failed += self._place.apply(facts["place"])
        for name in facts["imports"]:
            # What a module variable needs is told with the variable.
            watch.run(name, __import__, name)
        for name, module in facts["modules"].items():
            self._add(name, self._module, name, module)
        for row in facts["definitions"]:
            definition = self._definitions[row[0]] = Definition(*row)
            self._add(definition.name, self._define, definition)
        for name, path in facts["tools"].items():
            self._add(name, self._tool, name, path, find_tool)
        extras = []
        for group in params["groups"]:
            for name in group["names"]:
                self._add(name, self._load, group)
            if not group["names"]:
                extras.append(group)
        self._remember_sources()
        for name in facts["order"] + list(self._steps):
            self._try(name)
        for group in extras:
            _, reason = watch.run("attributes", self._set_attributes, group)
            if reason is not None:
                failed.append(("attributes of functions and classes", reason))
        self._space["__builtins__"] = builtins
        failed += self._reasons.items()
        restored = [name for name, state in self._states.items() if state == "done"]
        return {"restored": restored, "failed": [{"name": name, "reason": reason} for name, reason in failed]}

    def _facts(self, data):
        if is_data(data):
            return read_data(data.partition(b"\n")[2])["facts"], []
        if not self._data_only:
            return loads(data), []
        place = {"cwd": None, "env": {}, "unset": [], "future": 0, "path": []}
        none = {"modules": {}, "definitions": [], "tools": {}, "imports": [], "order": [], "place": place}
        return none, [("what cells imported and defined, and the working folder", PICKLED)]

    def _add(self, name, step, *args):
        self._steps[name] = (step, args)

    def _try(self, name):
        if name not in self._steps or name in self._states:
            return
        self._states[name] = "running"
        step, args = self._steps[name]
        _, reason = self._watch.run(name, step, *args)
        if reason is None:
            self._done(name)
        elif self._states[name] != "done":
            self._states[name] = "failed"
            self._reasons[name] = str(reason)

    def _done(self, name):
        self._states[name] = "done"
        self._reasons.pop(name, None)

    def need(self, name):
        """Called by code that is being restored; raises when `name` can't be had."""
        state = self._states.get(name)
        if state == "done" or (state is None and name not in self._steps):
            return
        if state is None:
            self._states[name] = "running"
            step, args = self._steps[name]
            try:
                step(*args)
            except BaseException:
                # Left for its own turn, where its reason is noted.
                del self._states[name]
                raise
            self._done(name)
        elif state == "running" and name in self._definitions and name not in self._space:
            # A circle: a decorator's registry that holds the function, say. Without its decorators it can be had now.
            code = self._definitions[name].compile(bare=True)
            for other in sorted(immediate_names(code) - {name}):
                self.need(other)
            exec(code, self._space)
        elif state == "failed":
            raise NotRestored("it needs %s, which could not be restored" % name)

    # -- the kinds of steps

    def _module(self, name, module):
        self._space[name] = sys.modules.get(module) or __import__(module, fromlist=("",))

    def _tool(self, name, path, find_tool):
        self._space[name] = find_tool(path)

    def _define(self, definition):
        code = definition.compile()
        self._need_all(immediate_names(code), definition.name, set())
        if definition.name not in self._space:
            exec(code, self._space)
        value = self._space[definition.name]
        self._tracker.definitions[definition.name] = [definition]
        return value

    def _need_all(self, names, own, seen):
        """Everything that running a definition's statement may look up, functions it calls included."""
        for name in sorted(names):
            if name == own or name in seen or name not in self._steps:
                continue
            seen.add(name)
            self.need(name)
            function = inner_function(self._space.get(name))
            if function is not None:
                self._need_all(all_names(function.__code__), own, seen)

    def _content(self, group):
        data = bytes(group["data"])
        line, _, body = data.partition(b"\n")
        if is_data(data):
            return read_data(body)
        if self._data_only:
            raise NotRestored(PICKLED)
        version = "%d.%d" % sys.version_info[:2]
        if line[:1] == b"c" and line[1:].decode() != version:
            raise NotRestored("it holds compiled code of Python %s, and this is Python %s" % (line[1:].decode(), version))
        return Loader(io.BytesIO(body), self._space, self.need).load()

    def _load(self, group):
        content = self._content(group)["values"]
        row = Group(group["names"], not group.get("isolated"))
        row.tag, row.size = group["tag"], len(group["data"])
        for name in group["names"]:
            if name in content:
                self._space[name] = content[name]
                self._states[name] = "done"
                self._reasons.pop(name, None)
        for name in group["names"]:
            self._saver.entries[name] = Entry(content[name], row)

    def _set_attributes(self, group):
        for name, attributes in self._content(group)["attributes"].items():
            if name not in self._space:
                continue
            target = self._space[name]
            for key, value in attributes.items():
                setattr(target, key, value)

    def _remember_sources(self):
        """Tracebacks go on showing the lines of cells that ran in a kernel before."""
        files = {}
        for definition in self._definitions.values():
            lines = files.setdefault(definition.filename, [])
            text = definition.source.splitlines(True)
            lines += ["\n"] * (definition.line - 1 + len(text) - len(lines))
            lines[definition.line - 1 : definition.line - 1 + len(text)] = text
        for filename, lines in files.items():
            tracebacks.remember_always(filename, "".join(lines))
