"""Renders exceptions as Python prints them, without the kernel's own frames and with the cells' source lines."""

import builtins
import sys

from _artificer import folder, own_builtins
from _artificer.cell_sources import CellSources

MISSING = object()
# How the names of files begin whose frames no traceback shows: the kernel's own, and what an engine adds.
hidden = [folder]


def forget(filename):
    linecache = sys.modules.get("linecache")
    if linecache is not None:
        linecache.cache.pop(filename, None)


kept = CellSources(forget)
# File name -> source, for linecache.
sources = kept.all
# Told what was compiled from a file.
watch = kept.watch


def remember(filename, source):
    """The source of a cell, for as long as it is of use."""
    kept.add(filename, source)
    cache_source(filename, source)


def remember_always(filename, source):
    kept.keep(filename, source)
    cache_source(filename, source)


def cache_source(filename, source):
    linecache = sys.modules.get("linecache")
    if linecache is not None:
        # A modification time of None keeps `checkcache` from dropping what has no file.
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)


def fill(linecache):
    """Run when linecache is first imported, by us or by the user, and before every rendering."""
    for filename, source in list(sources.items()):
        if filename not in linecache.cache:
            linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)


class SaneBuiltins:
    """Within it, the interpreter's own builtins are back: the library modules that we use must work whatever a cell did."""

    def __enter__(self):
        space = vars(builtins)
        self._space = space
        self._changed = {
            name: space.get(name, MISSING) for name, value in own_builtins.items() if space.get(name) is not value
        }
        for name in self._changed:
            space[name] = own_builtins[name]

    def __exit__(self, *_exception):
        for name, value in self._changed.items():
            if value is MISSING:
                self._space.pop(name, None)
            else:
                self._space[name] = value


def is_ours(filename):
    return filename.startswith(tuple(hidden))


def strip(rendered, seen=None):
    """Takes the kernel's frames out of a TracebackException and of all it is chained to."""
    pending = [rendered]
    seen = set()
    while pending:
        part = pending.pop()
        if part is None or id(part) in seen:
            continue
        seen.add(id(part))
        stack = getattr(part, "stack", None)
        if stack:
            stack[:] = [frame for frame in stack if not is_ours(frame.filename)]
        pending += [part.__cause__, part.__context__]
        pending += getattr(part, "exceptions", None) or ()
    return rendered


def render(error):
    """The whole traceback as text; never fails."""
    with SaneBuiltins():
        try:
            import linecache
            import traceback

            fill(linecache)
            shown = strip(traceback.TracebackException(type(error), error, first_user_frame(error.__traceback__)))
            return "".join(shown.format())
        except BaseException:
            # The cell has wrecked the library (an emptied sys.modules, say), or memory is short.
            return render_plainly(error)


def render_plainly(error):
    """The last exception alone, by the means of this file."""
    lines = []
    tb = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if not is_ours(code.co_filename):
            lines.append('  File "%s", line %d, in %s\n' % (code.co_filename, tb.tb_lineno, code.co_name))
            source = sources.get(code.co_filename, "").splitlines()[tb.tb_lineno - 1 : tb.tb_lineno]
            lines += ["    %s\n" % line.strip() for line in source]
        tb = tb.tb_next
    if lines:
        lines.insert(0, "Traceback (most recent call last):\n")
    return "".join(lines) + "%s: %s\n" % (type_name(error), message_of(error))


def first_user_frame(tb):
    while tb is not None and is_ours(tb.tb_frame.f_code.co_filename):
        tb = tb.tb_next
    return tb


def message_of(error):
    try:
        return str(error)
    except BaseException:
        return "<the exception's str() failed>"


def line_of(error, filename):
    """The line of this cell nearest to where the error arose."""
    line = None
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == filename:
            line = tb.tb_lineno
        tb = tb.tb_next
    if isinstance(error, SyntaxError) and error.filename == filename:
        line = error.lineno or line
    return line


def type_name(error):
    """The class as a traceback names it."""
    kind = type(error)
    if kind.__module__ in ("builtins", "__main__", "artificer_tools"):
        return kind.__qualname__
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def report_thread(args):
    """`threading.excepthook`: as Python's, with our frames left out."""
    if args.exc_type is SystemExit:
        return
    name = args.thread.name if args.thread is not None else "?"
    text = "Exception in thread %s:\n%s" % (name, render(args.exc_value))
    sys.stderr.write(text)


def hide_in_warnings(warnings):
    """A warning raised while our code runs (a coroutine dropped between cells) is not about a line of ours."""
    shown = warnings.formatwarning

    def formatwarning(message, category, filename, lineno, line=None):
        if is_ours(filename):
            return "%s: %s\n" % (category.__name__, message)
        return shown(message, category, filename, lineno, line)

    warnings.formatwarning = formatwarning
