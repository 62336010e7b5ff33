"""Shells on behalf of a cell: their output is the cell's, live and in order, and an interrupt ends all that they started."""

import os
import re
import string
import subprocess
import sys

from _artificer.process_tree import ProcessTree
from _artificer.tracebacks import is_ours

DOLLAR = re.compile(r"\$(\$|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?=(?:[^']*'[^']*')*[^']*$)")
# Longer scripts don't fit into one argument of a process.
MAX_ARGUMENT = 100_000


class Lines(list):
    """What a command printed, line by line; `.n` is the whole text, `.s` the lines in one."""

    @property
    def l(self):
        return list(self)

    list = l

    @property
    def n(self):
        return "\n".join(self)

    nlstr = n

    @property
    def s(self):
        return " ".join(self)

    spstr = s


class Shell:
    def __init__(self, output, interrupts):
        self._output = output
        self._interrupts = interrupts
        self._bash = None

    def command(self, text):
        """How a line of shell is run: by bash where there is one."""
        if self._bash is None:
            import shutil

            self._bash = shutil.which("bash") or "/bin/sh"
        return [self._bash, "-c", text]

    def run(self, argv, script=None):
        """The exit status, negative for a signal; both streams go where the cell's go."""
        with given(script) as stdin:
            return self._supervise(subprocess.Popen.wait, argv, stdin=stdin)

    def capture(self, argv):
        """(lines, status): both streams together, as a notebook's `x = !command` has them."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        data, status = self._supervise(lambda child: (child.communicate()[0], child.returncode), argv, **streams)
        return Lines(data.decode("utf-8", "surrogateescape").splitlines()), status

    def _supervise(self, wait, argv, **streams):
        """What `wait` makes of the child; an interrupt ends the child and all that it has started."""
        # An interrupt in the middle of the start would leave a child that nobody knows of.
        self._interrupts.hold()
        try:
            child = subprocess.Popen(argv, **streams)
            tree = ProcessTree(child)
        except BaseException:
            self._interrupts.release()
            raise
        try:
            self._interrupts.release()
            return wait(child)
        except BaseException:
            tree.end()
            raise
        finally:
            if child.stdout is not None:
                child.stdout.close()
            self._output.settle()

    def script(self, argv, body):
        """Runs a program on a script: shells take it as an argument, which leaves their stdin empty; others read it."""
        shell = os.path.basename(argv[0]) in ("bash", "sh", "dash", "zsh", "ksh", "ash")
        if shell and len(body.encode("utf-8", "surrogateescape")) < MAX_ARGUMENT:
            return self.run([*argv, "-c", body])
        return self.run(argv, body)


class given:
    """A script as a process's stdin; nothing when there is none."""

    def __init__(self, script):
        self._script = script
        self._file = None

    def __enter__(self):
        if self._script is None:
            return subprocess.DEVNULL
        import tempfile

        self._file = tempfile.TemporaryFile()
        self._file.write(self._script.encode("utf-8", "surrogateescape"))
        self._file.seek(0)
        return self._file

    def __exit__(self, *_exception):
        if self._file is not None:
            self._file.close()


def status_text(status):
    if status < 0:
        import signal

        try:
            return "ended by %s" % signal.Signals(-status).name
        except ValueError:
            return "ended by signal %d" % -status
    return "exit status %d" % status


def interpolate(text, space):
    """
    Puts Python values into a command: `{expression}` and `$name`; `{{` and `$$` stand for themselves. A command with braces
    that hold no expression is left as it is, so that awk and shell functions need no care; `$NAME` without such a variable
    is the shell's own.
    """
    if "{" not in text and "$" not in text and "}" not in text:
        return text

    def dollar(match):
        name = match.group(1)
        if name == "$":
            return "$"
        try:
            return str(eval(name, space))
        except Exception:
            return match.group()

    formatter = string.Formatter()
    parts = []
    try:
        for literal, expression, layout, conversion in formatter.parse(text):
            parts.append(DOLLAR.sub(dollar, literal))
            if expression is not None:
                value = formatter.convert_field(eval(expression.strip(), space), conversion)
                parts.append(format(value, interpolate(layout, space) if layout else ""))
    except Exception:
        return text
    return "".join(parts)


def caller_space(fallback):
    """Globals and locals of the user's code that is running the magic."""
    frame = sys._getframe(1)
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return fallback if frame is None else {**frame.f_globals, **frame.f_locals}
