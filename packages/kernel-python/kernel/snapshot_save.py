"""Answers `snapshot.save`: pickles the variables that may have changed, and says what became of each."""

import sys
from _pickle import dumps
from time import perf_counter

from _artificer.snapshot_attributes import extra_attributes, order_of
from _artificer.snapshot_data import write_data
from _artificer.snapshot_graph import ATOMS, Graph
from _artificer.snapshot_pickle import (
    HANDLES,
    PROTOCOL,
    Needs,
    PlainSaver,
    Sink,
    cloud_saver,
    is_module,
    quick_size,
)
from _artificer.snapshot_watch import Reason

# What is plainly a value.
PLAIN = ATOMS | {list, dict, tuple, set, frozenset, bytearray}


class Group:
    """Variables that are saved in one piece, as they share objects."""

    __slots__ = ("names", "tag", "size", "chunks", "entangled", "needs", "reason")

    def __init__(self, names, entangled):
        self.names = names
        self.entangled = entangled
        self.tag = self.reason = self.chunks = None
        self.size = 0
        self.needs = frozenset()


class Entry:
    __slots__ = ("mark", "held", "group")

    def __init__(self, value, group):
        self.mark = id(value)
        # Only what can't change and has no finalizer is kept alive, to know it again.
        self.held = value if type(value) in ATOMS else None
        self.group = group


class Saver:
    def __init__(self, space, tracker, place):
        self._space = space
        self._tracker = tracker
        self._place = place
        self.entries = {}
        self._cloud = None
        self._as_data = False

    def save(self, namespace, params, watch, handle_path):
        """The answer; incomplete when the host has withdrawn the request."""
        began = perf_counter()
        self._as_data = params.get("format") == "data"
        tracker = self._tracker
        tracker.refresh()
        facts = {"modules": {}, "definitions": [], "tools": {}}
        values, attributes, lost = {}, {}, []
        exclude = params.get("exclude") or {}
        for name, value in namespace.user_items():
            if name in exclude:
                lost.append((name, exclude[name]))
            elif type(value) in PLAIN:
                values[name] = value
            else:
                # Even to ask what it is may run code of its own.
                elsewhere, reason = watch.run(name, self._sort_out, name, value, facts, attributes, handle_path)
                if reason is not None:
                    lost.append((name, reason))
                elif not elsewhere:
                    values[name] = value
        # Whatever refers to a value here would be taken for a holder of it.
        value = None
        known = frozenset(params["known"])
        chosen = self._choose(values, known)
        made, complete = self._pickle_all(chosen, params, watch)
        facts["order"] = order_of(facts["definitions"])
        groups = self._settle(values, params, lost)
        groups += self._attributes(attributes, params, watch, lost)
        head = self._facts(facts)
        answer = {
            "complete": complete,
            "facts": head,
            "groups": groups,
            "skipped": [{"name": name, "reason": reason} for name, reason in lost],
            "names": [name for name in facts["modules"]] + [d[0] for d in facts["definitions"]] + list(facts["tools"]),
            "cost": {
                "variables": len(values) + len(attributes),
                "examined": len(chosen),
                "pickledBytes": made,
                "ms": (perf_counter() - began) * 1000,
            },
        }
        for group in groups + [head]:
            chunks = group.pop("chunks", None)
            if group["tag"] not in known and chunks is not None:
                group["data"] = b"".join(chunks)
        return answer

    def _sort_out(self, name, value, facts, attributes, handle_path):
        """Puts a module, a handle or a definition where it belongs; False for a value."""
        if is_module(value):
            facts["modules"][name] = value.__name__
        elif isinstance(value, HANDLES):
            facts["tools"][name] = handle_path(value)
        else:
            definition = self._tracker.definition(name, value)
            if definition is None:
                return False
            extra = extra_attributes(value)
            facts["definitions"].append(definition.facts())
            if extra:
                attributes[name] = extra
        return True

    def _choose(self, values, known):
        """The variables that may have changed, with those that share objects with them."""
        entries, tracker = self.entries, self._tracker
        for name in [name for name in entries if name not in values]:
            del entries[name]
        chosen = set()
        for name, value in values.items():
            entry = entries.get(name)
            if entry is None:
                chosen.add(name)
                continue
            group = entry.group
            stored = group.tag in known or group.tag is None
            if type(value) in ATOMS and entry.held is value and stored:
                tracker.dirty.discard(name)
            elif tracker.all_dirty or name in tracker.dirty or entry.mark != id(value) or not stored:
                chosen.add(name)
            elif group.entangled or any(other not in entries for other in group.names):
                chosen.add(name)
        for name in list(chosen):
            entry = entries.get(name)
            if entry is not None:
                chosen.update(other for other in entry.group.names if other in values)
        return {name: values[name] for name in values if name in chosen}

    def _pickle_all(self, chosen, params, watch):
        """Pickles what was chosen; stops early when the host withdraws. Returns (bytes pickled, whether all were)."""
        made = 0
        groups, reason = watch.run("", self._graph, chosen)
        if groups is None:
            if watch.withdrawn:
                return made, False
            # Objects that resist being looked at: each variable by itself then, and every time anew.
            groups = [([name], True) for name in chosen]
        for names, entangled in groups:
            for group in self._pickle_group(names, chosen, entangled, params, watch):
                if watch.withdrawn:
                    return made, False
                made += group.size
                for name in group.names:
                    self.entries[name] = Entry(chosen[name], group)
                    self._tracker.dirty.discard(name)
        self._tracker.dirty.clear()
        self._tracker.all_dirty = False
        return made, True

    def _graph(self, chosen):
        return Graph(chosen, self._space).groups()

    def _pickle_group(self, names, chosen, entangled, params, watch):
        group = Group(names, entangled)
        limit = params["maxVariableBytes"]
        content = {name: chosen[name] for name in names}
        group.reason = self._pickle(group, {"values": content}, limit, watch)
        if group.reason is None or len(names) == 1 or watch.withdrawn:
            return [group]
        # One of them spoils the others: those that can be saved alone are saved together.
        alone = [Group([name], True) for name in names]
        for each in alone:
            each.reason = self._pickle(each, {"values": {each.names[0]: content[each.names[0]]}}, limit, watch)
            each.chunks = None
        rest = [each.names[0] for each in alone if each.reason is None]
        failed = [each for each in alone if each.reason is not None]
        if rest and failed:
            # Those left out still refer into these, and code that names them alone can change both.
            group = Group(rest, True)
            group.reason = self._pickle(group, {"values": {name: content[name] for name in rest}}, limit, watch)
            return [group] + failed
        if not failed:
            # Each fits alone and all together do not.
            return [group]
        return failed

    def _pickle(self, group, content, limit, watch):
        for value in content.get("values", {}).values():
            size = quick_size(value)
            if size > limit:
                return Reason("it takes %d bytes, more than the %d that a variable may" % (size, limit), True)
        label = ", ".join(group.names)
        if self._as_data:
            return watch.run(label, self._dump_data, group, content, limit)[1]
        _, reason = watch.run(label, self._dump, PlainSaver, group, content, limit, b"p")
        if reason is None or reason.final or watch.withdrawn:
            return reason
        if self._cloud is None:
            self._cloud = watch.run(label, cloud_saver)[0] or False
        if not self._cloud:
            return reason
        _, reason = watch.run(label, self._dump, self._cloud, group, content, limit, b"c")
        return reason

    def _dump(self, saver, group, content, limit, mark):
        needs = Needs(self._space, group.names)
        for _attempt in range(2):
            sink = Sink(limit)
            # Compiled code may be inside: such bytes are for this version of Python only.
            sink.write(mark + b"%d.%d\n" % sys.version_info[:2])
            try:
                saver(sink, needs).dump(content)
                break
            except RuntimeError as error:
                # A thread has changed a container under the pickler's hands.
                if _attempt or "changed" not in str(error):
                    raise
        group.tag, group.size, group.chunks, group.needs = sink.tag(), sink.size, sink.chunks, needs.names

    def _dump_data(self, group, content, limit):
        sink = Sink(limit)
        write_data(sink, content)
        group.tag, group.size, group.chunks, group.needs = sink.tag(), sink.size, sink.chunks, frozenset()

    def _settle(self, values, params, lost):
        """The groups that can be restored, in order, within the whole's budget; the others go to `lost`."""
        entries = self.entries
        bad = {name for name in values if name not in entries or entries[name].group.reason is not None}
        seen, groups, total = set(), [], 0
        # Round by round: a variable that needs one that is left out is left out too.
        reasons = {name: entries[name].group.reason for name in bad if name in entries}
        again = True
        while again:
            again = False
            for name in values:
                if name in bad:
                    continue
                missing = self._missing(entries[name].group.needs, values, bad)
                if missing is not None:
                    bad.add(name)
                    reasons[name] = "it needs %s, which is not saved" % missing
                    again = True
        for name in values:
            group = entries[name].group if name in entries else None
            if name in bad:
                lost.append((name, reasons.get(name) or "there was no time for it"))
            elif id(group) not in seen:
                seen.add(id(group))
                if total + group.size > params["maxTotalBytes"]:
                    text = "all variables together may take %d bytes" % params["maxTotalBytes"]
                    lost.extend((other, text) for other in group.names)
                    group.chunks = None
                    continue
                total += group.size
                row = {"tag": group.tag, "names": group.names, "bytes": group.size, "chunks": group.chunks}
                row["isolated"] = not group.entangled
                group.chunks = None
                groups.append(row)
        return groups

    def _missing(self, needs, values, bad):
        for name in needs:
            if name in bad or name not in self._space:
                return name
        return None

    def _attributes(self, attributes, params, watch, lost):
        """What cells have set on functions and classes since they were defined."""
        groups = []
        for name, content in attributes.items():
            if watch.withdrawn:
                break
            group = Group([], False)
            group.names = [name]
            reason = self._pickle(group, {"attributes": {name: content}}, params["maxVariableBytes"], watch)
            if reason is None:
                groups.append({"tag": group.tag, "names": [], "bytes": group.size, "chunks": group.chunks})
            else:
                lost.append(("attributes of " + name, reason))
        return groups

    def _facts(self, facts):
        facts["imports"] = list(self._tracker.imports)
        facts["place"] = self._place.changes()
        sink = Sink(1 << 62)
        if self._as_data:
            write_data(sink, {"facts": facts})
        else:
            sink.write(dumps(facts, PROTOCOL))
        return {"tag": sink.tag(), "bytes": sink.size, "chunks": sink.chunks}
