"""The notebook shorthand of cells where IPython is absent: `%name`, `%%name`, `!command`, `x = !command`, `name?`."""

import builtins
import os
import subprocess
import sys

from _artificer.errors import ArtificerError, nearest
from _artificer.magic_clock import Clock, timeit
from _artificer.magic_names import Names
from _artificer.magic_pip import Pip, pip_arguments
from _artificer.magic_rewrite import CALL, TIME, rewrite
from _artificer.magic_shell import Shell, caller_space, interpolate, status_text
from _artificer.tracebacks import SaneBuiltins

SCRIPTS = ("bash", "sh", "script", "python", "python3", "perl", "ruby", "node")
ALIASES = ("ls", "cat", "mkdir", "rmdir", "rm", "cp", "mv")
# Those that run a program: `allowShell: false` closes every one.
SHELL_LINES = frozenset(ALIASES) | {"sx", "system", "sc", "bash", "sh", "script"}
SHELL_CELLS = frozenset(SCRIPTS) | {"sx", "system", "!"}


def usage(message):
    return ArtificerError(message, "cell/bad-magic")


def shell_refused(form, line=None):
    where = "" if line is None else " on line %d" % line
    return ArtificerError(
        "`%s`%s would run a shell, and this session allows none. Nothing of the cell was run." % (form, where)
        if line is not None
        else "`%s` would run a shell, and this session allows none." % form,
        "cell/shell-disabled",
        {"form": form, "line": line},
        "Use Python instead; %cd, %env and os.environ still work, and so do tools.",
    )


def check_shell(magics):
    """Refuses a cell that has a shell's door in it, before any of it runs."""
    for magic in magics:
        if magic.kind in ("shell", "capture"):
            raise shell_refused("!", magic.line)
        if magic.kind == "cell" and magic.name in SHELL_CELLS:
            raise shell_refused("%%" + magic.name, magic.line)
        if magic.kind in ("line", "misplaced") and magic.name in SHELL_LINES:
            raise shell_refused("%" + magic.name, magic.line)


def check_places(magics):
    for magic in magics:
        if magic.kind == "misplaced":
            raise usage("%%%%%s must be the first line of its cell; here it is line %d." % (magic.name, magic.line))


class Magics:
    """Called by rewritten cells: `__artificer_magic__(kind, name, text, body)`."""

    def __init__(self, kernel):
        self._kernel = kernel
        self._names = Names(kernel)
        self._pip = Pip(kernel.host)
        self._shell = Shell(kernel.output, kernel.interrupts)
        self._clock = Clock()
        self._last_folder = None

    def rewrite(self, source, filename, parse):
        """As `magic_rewrite.rewrite`; the names that the result uses are there when it runs."""
        self.bind()
        with SaneBuiltins():
            return rewrite(source, filename, parse, self._check)

    def bind(self):
        space = vars(builtins)
        space[CALL] = self
        space[TIME] = self._clock

    @property
    def allowed(self):
        return self._kernel.allow_shell

    def _check(self, magics):
        if not self.allowed:
            check_shell(magics)
        check_places(magics)
        for magic in magics:
            if magic.kind in ("line", "cell"):
                self._find(magic.kind, magic.name)

    def __call__(self, kind, name, text, body=None):
        space = caller_space(self._kernel.namespace.space)
        if kind == "help":
            return self._names.explain(name, space, text == "??")
        if kind == "shell":
            return self.system(text, space)
        if kind == "capture":
            return self.getoutput(text, space)
        method = self._find("cell" if kind == "cell" else "line", name)
        text = text if name == "timeit" else interpolate(text, space)
        return method(self, name, text, body, space)

    def _find(self, kind, name):
        table = CELLS if kind == "cell" else LINES
        method = table.get(name)
        if method is None:
            sign = "%%" if kind == "cell" else "%"
            other = LINES if kind == "cell" else CELLS
            if name in other:
                raise usage("%s%s is no %s magic: write %s%s." % (sign, name, kind, "%" if kind == "cell" else "%%", name))
            known = " ".join(sign + other for other in table)
            raise ArtificerError(
                "There is no %s%s.%s" % (sign, name, nearest(name, table)), "cell/bad-magic", {"name": name}, "There are: " + known
            )
        return method

    # -- the shell

    def _guard(self, form):
        if not self.allowed:
            raise shell_refused(form)

    def system(self, text, space):
        """`!command`."""
        arguments = pip_arguments(text)
        if arguments is not None and self.allowed:
            return self._pip(interpolate(arguments, space))
        self._guard("!")
        self._told(self._shell.run(self._shell.command(interpolate(text, space))))
        return None

    def getoutput(self, text, space):
        """`x = !command` and `!!command`."""
        self._guard("!")
        lines, status = self._shell.capture(self._shell.command(interpolate(text, space)))
        self._told(status)
        return lines

    def _told(self, status):
        self._kernel.namespace.space["_exit_code"] = status
        if status:
            sys.stderr.write("[%s]\n" % status_text(status))

    def script(self, name, text, body, _space):
        """`%%bash`, `%%sh`, `%%script program`: an exit status other than 0 fails the cell."""
        import shlex

        self._guard("%%" + name)
        words = shlex.split(text)
        tolerant = "--no-raise-error" in words
        words = [word for word in words if word != "--no-raise-error"]
        if name == "script":
            if not words:
                raise usage("%%script needs a program: %%script bash")
        else:
            words.insert(0, name)
        for word in words[1:]:
            if word in ("--out", "--err", "--bg", "--proc"):
                raise usage("%%%%%s has no %s here. To keep a command's output: lines = !command" % (name, word))
        try:
            status = self._shell.script(words, body)
        except FileNotFoundError:
            raise usage("There is no program %r on this machine's PATH." % words[0]) from None
        self._kernel.namespace.space["_exit_code"] = status
        if status and not tolerant:
            raise subprocess.CalledProcessError(status, "%%" + name)

    def alias(self, name, text, _body, space):
        self._guard("%" + name)
        return self.system("%s %s" % (name, text), space)

    def line_system(self, name, text, _body, space):
        self._guard("%" + name)
        return self.getoutput(text, space)

    def cell_system(self, name, text, body, space):
        self._guard("%%" + name)
        return self.getoutput("\n".join(filter(None, (text, body))), space)

    # -- place and environment

    def cd(self, _name, text, _body, _space):
        target = text.strip()
        if target[:1] in "'\"" and target[:1] == target[-1:]:
            target = target[1:-1]
        quiet = target.startswith("-q")
        target = target[2:].strip() if quiet else target
        if target == "-":
            if self._last_folder is None:
                raise usage("%cd - goes back to the folder before; there was none yet.")
            target = self._last_folder
        before = os.getcwd()
        os.chdir(os.path.expanduser(target or "~"))
        self._last_folder = before
        if not quiet:
            sys.stdout.write(os.getcwd() + "\n")

    def pwd(self, *_arguments):
        return os.getcwd()

    def env(self, name, text, _body, _space):
        if not text:
            if name == "set_env":
                raise usage("%set_env needs a name and a value: %set_env NAME=value")
            return dict(os.environ)
        variable, sign, value = text.partition("=") if "=" in text else text.partition(" ")
        variable = variable.strip()
        if not sign:
            if name == "set_env":
                raise usage("%set_env needs a value: %set_env " + variable + "=value")
            if variable not in os.environ:
                raise usage("There is no environment variable %s.%s" % (variable, nearest(variable, os.environ)))
            return os.environ[variable]
        if not variable or " " in variable:
            raise usage("%r is no name of an environment variable." % variable)
        os.environ[variable] = value.strip()
        sys.stdout.write("env: %s=%s\n" % (variable, value.strip()))
        return None

    # -- the rest

    def pip(self, _name, text, _body, _space):
        return self._pip(text)

    def time(self, _name, text, *_rest):
        raise usage("%time needs a statement to time: %time sum(range(100))")

    def timeit(self, _name, text, body, space):
        return timeit(text, body, space, usage)

    def names(self, name, text, _body, _space):
        return getattr(self._names, name)(text)

    def writefile(self, _name, text, body, _space):
        import shlex

        words = shlex.split(text)
        append = "-a" in words
        words = [word for word in words if word not in ("-a", "--append")]
        if len(words) != 1:
            raise usage("%%writefile needs one file name: %%writefile notes.txt")
        path = os.path.expanduser(words[0])
        with open(path, "a" if append else "w", encoding="utf-8") as file:
            file.write(body)
        sys.stdout.write("%s %s\n" % ("Appended to" if append else "Wrote", path))

    def lsmagic(self, *_arguments):
        line = " ".join("%" + name for name in LINES)
        cell = " ".join("%%" + name for name in CELLS)
        sys.stdout.write("Line magics:\n%s\n\nCell magics:\n%s\n\nAlso: !command, x = !command, name?, name??\n" % (line, cell))

    def nothing(self, *_arguments):
        """`%matplotlib inline`: figures are shown without asking."""


LINES = {
    "cd": Magics.cd,
    "pwd": Magics.pwd,
    "env": Magics.env,
    "set_env": Magics.env,
    "pip": Magics.pip,
    "time": Magics.time,
    "timeit": Magics.timeit,
    "who": Magics.names,
    "who_ls": Magics.names,
    "whos": Magics.names,
    "reset": Magics.names,
    "history": Magics.names,
    "pinfo": Magics.names,
    "pinfo2": Magics.names,
    "sx": Magics.line_system,
    "system": Magics.line_system,
    "lsmagic": Magics.lsmagic,
    "matplotlib": Magics.nothing,
    **dict.fromkeys(ALIASES, Magics.alias),
}
CELLS = {
    **dict.fromkeys(SCRIPTS, Magics.script),
    "sx": Magics.cell_system,
    "system": Magics.cell_system,
    "!": Magics.cell_system,
    "time": Magics.time,
    "timeit": Magics.timeit,
    "writefile": Magics.writefile,
}
