"""Magics about what the session's code has defined: `%who`, `%whos`, `%reset`, `%history`, `name?`."""

import re
import sys

from _artificer import tracebacks
from _artificer.present import cap, capped_repr


class Names:
    def __init__(self, kernel):
        self._kernel = kernel

    def _items(self, text=""):
        """The user's public variables, modules left out; of the types named, when any are."""
        wanted = text.split()
        module = type(sys)
        return sorted(
            (name, value)
            for name, value in self._kernel.namespace.user_items()
            if not name.startswith("_")
            and not isinstance(value, module)
            and (not wanted or type(value).__name__ in wanted)
        )

    def who(self, text):
        names = [name for name, _ in self._items(text)]
        sys.stdout.write("\t ".join(names) + "\n" if names else "There are no variables yet.\n")

    def who_ls(self, text):
        return [name for name, _ in self._items(text)]

    def whos(self, text):
        rows = [(name, type(value).__name__, facts(value)) for name, value in self._items(text)]
        if not rows:
            sys.stdout.write("There are no variables yet.\n")
            return
        first = max(8, *(len(row[0]) for row in rows))
        second = max(4, *(len(row[1]) for row in rows))
        lines = ["%-*s   %-*s   %s" % (first, "Variable", second, "Type", "Data/Info")]
        lines.append("-" * len(lines[0]))
        lines += ["%-*s   %-*s   %s" % (first, name, second, kind, info) for name, kind, info in rows]
        sys.stdout.write("\n".join(lines) + "\n")

    def reset(self, _text):
        """Takes every variable of the user's; handles stay, and come back where their names were taken."""
        namespace = self._kernel.namespace
        for name, _ in namespace.user_items():
            namespace.space.pop(name, None)
        namespace.refresh()

    def history(self, text):
        numbered = "-n" in text.split()
        if tracebacks.kept.dropped:
            sys.stdout.write("# The latest cells, and older ones whose functions are still there; %d are left out.\n" % tracebacks.kept.dropped)
        for filename, source in list(tracebacks.sources.items()):
            match = re.fullmatch(r"cell (\d+)", filename)
            if match:
                sys.stdout.write(("%s: %s\n" % (match.group(1), source)) if numbered else source.rstrip("\n") + "\n")

    def pinfo(self, text):
        self.explain(text, self._kernel.namespace.space, False)

    def pinfo2(self, text):
        self.explain(text, self._kernel.namespace.space, True)

    def explain(self, name, space, with_source):
        """`name?` and, with its source, `name??`."""
        if name.startswith("%"):
            from _artificer.magics import CELLS, LINES

            table = CELLS if name.startswith("%%") else LINES
            known = table.get(name.lstrip("%"))
            sys.stdout.write("%s\n%s\n" % (name, (known.__doc__ or "") if known else "There is no such magic. See %lsmagic."))
            return
        try:
            value = eval(name, space)
        except NameError:
            sys.stdout.write("There is no `%s`.\n" % name)
            return
        if hasattr(type(value), "artificer_help"):
            sys.stdout.write(value.artificer_help())
            return
        sys.stdout.write(described(value, with_source))


def described(value, with_source):
    import inspect

    parts = []
    if callable(value):
        try:
            parts.append("Signature: %s%s" % (getattr(value, "__name__", ""), inspect.signature(value)))
        except (TypeError, ValueError):
            pass
    parts.append("Type: %s" % type(value).__name__)
    if not callable(value):
        parts.append("Value: %s" % capped_repr(value, 400)[0])
    try:
        parts.append("File: %s" % inspect.getfile(value))
    except (TypeError, OSError):
        pass
    doc = inspect.getdoc(value)
    if doc and (callable(value) or isinstance(value, type(sys)) or type(value).__module__ != "builtins"):
        parts.append("Docstring:\n%s" % doc)
    if with_source:
        try:
            parts.append("Source:\n%s" % inspect.getsource(value).rstrip("\n"))
        except (TypeError, OSError):
            parts.append("Source: not to be had.")
    return "\n".join(parts) + "\n"


def facts(value):
    """One line about a value: its shape or length, and a little of it."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return "shape %s, %s" % ("x".join(map(str, shape)), getattr(value, "dtype", type(value).__name__))
    text = cap(capped_repr(value, 60)[0].replace("\n", " "), 60)
    try:
        return "n=%d: %s" % (len(value), text) if not isinstance(value, type) else text
    except Exception:
        return text
