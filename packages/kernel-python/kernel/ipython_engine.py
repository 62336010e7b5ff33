"""
Cells with IPython: its magics, input forms, formatters and history around the kernel's own way of running a cell, so that
outcomes are the same in both engines: values, interrupts, output, and tracebacks with nothing but the user's frames.
"""

import builtins
import os
import re
import sys
from functools import partial

from _artificer import cache, tracebacks
from _artificer.display import MAGIC as IMAGE_STARTS
from _artificer.display import PLAIN
from _artificer.magic_rewrite import parse_as, rewrite, spell
from _artificer.magic_scan import find_magics
from _artificer.magics import SCRIPTS, Magics, check_places, check_shell, shell_refused

HIDDEN = re.compile(r"(_+|_i{1,3}|_i?\d+|_[iod]h|In|Out|get_ipython|_exit_code)$")


# Magics of IPython's, beside those that ours replace, that run programs without asking the shell object.
RUNNERS = (
    ("line", "%", {"conda", "mamba", "micromamba", "uv", "edit", "ed"}),
    ("cell", "%%", {"pypy", "python2", "cmd"}),
)


class EngineMissing(Exception):
    """The interpreter has no IPython, or `broken`: one that does not start."""

    def __init__(self, reason=None):
        where = "of %s" % (sys.executable or "this interpreter")
        super().__init__("There is no IPython among the packages %s" % where if reason is None else "The IPython %s does not start: %s" % (where, reason))
        self.broken = reason is not None


class IPythonEngine:
    def __init__(self, kernel):
        self._kernel = kernel
        self._magics = Magics(kernel)
        try:
            from _artificer.ipython_shell import create_shell

            self.shell = shell = create_shell(kernel, self._magics, private_folder())
        except ModuleNotFoundError as error:
            raise EngineMissing(None if error.name == "IPython" else str(error)) from None
        except Exception as error:
            raise EngineMissing("%s: %s" % (type(error).__name__, error)) from None
        self._cover_tracks()
        self._own_magics()
        kernel.namespace.hidden = HIDDEN.match
        vars(builtins)["get_ipython"] = shell.get_ipython
        import IPython.display

        self._ipython_display = IPython.display.display
        self._source = ""

    def _cover_tracks(self):
        """No traceback shows a frame of IPython's."""
        import IPython
        import traitlets

        for module in (IPython, traitlets):
            tracebacks.hidden.append(os.path.join(os.path.dirname(module.__file__), ""))
        tracebacks.hidden.append("<decorator-gen-")

    def _own_magics(self):
        """What touches shells and packages is ours in both engines: one policy, one way to be interrupted."""
        shell, magics = self.shell, self._magics
        cells = shell.magics_manager.magics["cell"]
        space = shell.user_ns
        for name in SCRIPTS:
            theirs = cells.get(name)

            def script(line, cell, name=name, theirs=theirs):
                if theirs is not None and magics.allowed and needs_theirs(line):
                    return theirs(line, cell)
                return magics.script(name, line, cell, space)

            shell.register_magic_function(script, "cell", name)
        for name in ("sx", "system", "!"):
            shell.register_magic_function(
                lambda line, cell, name=name: magics.cell_system(name, line, cell, space), "cell", name
            )
        if not magics.allowed:
            for kind, sign, names in RUNNERS:
                for name in names.intersection(shell.magics_manager.magics[kind]):
                    shell.register_magic_function(partial(refuse, sign + name), kind, name)
        shell.register_magic_function(lambda line: magics.pip("pip", line, None, space), "line", "pip")
        reset = shell.magics_manager.magics["line"]["reset"]
        shell.register_magic_function(lambda line: self._reset(reset, line), "line", "reset")

    def _reset(self, theirs, line):
        """Nobody can be asked whether they are sure; handles come back at once."""
        theirs("-f " + line)
        self._kernel.namespace.refresh()

    # -- one cell

    def begin(self, cell, source):
        shell = self.shell
        shell.artificer_failure = None
        self._source = source
        with tracebacks.SaneBuiltins():
            shell.execution_count = cell
            shell.user_ns_hidden.update(self._kernel.namespace.handles)
            shell.history_manager.store_inputs(cell, source, source)
            shell.events.trigger("pre_execute")
            shell.events.trigger("pre_run_cell", CellInfo(source))

    def rewrite(self, source, filename, parse):
        """As the compiler asks: a cell that is no Python, made Python by IPython, line for line."""
        self._magics.bind()
        with tracebacks.SaneBuiltins():
            result = rewrite(source, filename, parse, self._check, self._spell)
            return result or self._whole(source, parse)

    def alone(self, source):
        """A cell of one line may be a magic without its sign, such as `ls -l`, though it reads as Python."""
        with tracebacks.SaneBuiltins():
            if "\n" in source.strip() or find_magics(source):
                return source
            changed = self.shell.transform_cell(source)
        return source if changed.rstrip("\n") == source.rstrip("\n") else changed

    def _check(self, magics):
        if not self._magics.allowed:
            check_shell(magics)
        check_places(magics)

    def _spell(self, magic, timed, raw):
        if magic.name == "time" and magic.kind == "line" and magic.text:
            return spell(magic, timed, raw)
        return self.shell.input_transformer_manager.transform_cell(raw).strip("\n")

    def _whole(self, source, parse):
        """Forms that only IPython knows: prompts copied along, transformers of the user's own."""
        changed = self.shell.transform_cell(source)
        if changed.strip() == source.strip():
            return None
        return parse_as(parse, changed, source.splitlines()), changed

    def transform_tree(self, tree):
        with tracebacks.SaneBuiltins():
            return self.shell.transform_ast(tree) if self.shell.ast_transformers else tree

    def raise_failure(self):
        """A magic that shows an error goes on; the cell does not."""
        failure, self.shell.artificer_failure = self.shell.artificer_failure, None
        if failure is not None:
            raise failure

    def show(self, value):
        """Shows the last value as IPython does; its text, or None where Python's `repr` is meant."""
        shell = self.shell
        with tracebacks.SaneBuiltins():
            data, metadata = shell.display_formatter.format(value)
            if data and len(data) > 1:
                self._kernel.displays.send(dict(data), dict(metadata))
            elif data:
                # A figure or an image in bytes, which IPython writes as text.
                self._kernel.displays.show_value(value)
            # A `_repr_` that raised was shown by IPython; the text below says it.
            shell.artificer_failure = None
        # Plain values read the same in both engines, and IPython would give each item of a list a line.
        return data.get("text/plain") if data and type(value) not in PLAIN else None

    def end(self):
        with tracebacks.SaneBuiltins():
            from IPython.core.interactiveshell import ExecutionResult

            self.shell.events.trigger("post_execute")
            self.shell.events.trigger("post_run_cell", ExecutionResult(CellInfo(self._source)))

    def display(self, *objects, **options):
        """IPython's `display`; images in bytes are shown as images too."""
        handle = None
        if options.get("display_id") is True:
            from _artificer.display_handle import new_id

            options["display_id"] = new_id()
        for item in objects:
            if isinstance(item, (bytes, bytearray)) and any(item.startswith(start) for start, _ in IMAGE_STARTS):
                known = {name: options[name] for name in ("display_id", "update") if name in options}
                handle = self._kernel.displays.display(item, **known)
            else:
                handle = self._ipython_display(item, **options)
        return handle


class CellInfo:
    """What listeners to `pre_run_cell` are told."""

    store_history = shell_futures = True
    silent = False
    cell_id = None

    def __init__(self, source):
        self.raw_cell = self.transformed_cell = source


def refuse(form, *_arguments):
    raise shell_refused(form)


def needs_theirs(line):
    return any(word in line for word in ("--out", "--err", "--bg", "--proc"))


def private_folder():
    """Where IPython takes its profile to be: beside the kernel's byte code, with nothing of the user's in it."""
    import tempfile

    base = cache or os.path.join(tempfile.gettempdir(), "artificer-%d" % os.getuid())
    folder = os.path.join(base, "ipython")
    os.makedirs(folder, 0o700, exist_ok=True)
    return folder
