"""Shells on behalf of a cell: their output is the cell's, live and in order, and an interrupt ends all that they started."""

import os
import re
import string
import subprocess
import sys
from time import perf_counter, sleep

from _artificer.tracebacks import is_ours

DOLLAR = re.compile(r"\$(\$|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?=(?:[^']*'[^']*')*[^']*$)")
GRACE_S = 0.3
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
    def __init__(self, output):
        self._output = output
        self._bash = None

    def command(self, text):
        """How a line of shell is run: by bash where there is one."""
        if self._bash is None:
            import shutil

            self._bash = shutil.which("bash") or "/bin/sh"
        return [self._bash, "-c", text]

    def run(self, argv, script=None):
        """The exit status, negative for a signal; both streams go where the cell's go."""
        self._output.settle()
        with given(script) as stdin:
            child = subprocess.Popen(argv, stdin=stdin)
            try:
                return child.wait()
            except BaseException:
                end_tree(child)
                raise
            finally:
                self._output.settle()

    def capture(self, argv):
        """(lines, status): both streams together, as a notebook's `x = !command` has them."""
        self._output.settle()
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            data = child.communicate()[0]
        except BaseException:
            end_tree(child)
            raise
        finally:
            child.stdout.close()
        return Lines(data.decode("utf-8", "surrogateescape").splitlines()), child.returncode

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


def end_tree(child):
    """Interrupts a shell and all under it, then kills what is left."""
    members = tree_of(child.pid)
    signal_all(members, 2)
    until = perf_counter() + GRACE_S
    while perf_counter() < until and child.poll() is None:
        sleep(0.01)
    signal_all(members | tree_of(child.pid), 9)
    child.wait()


def signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def tree_of(root):
    """The process and its descendants."""
    parents = parents_of_all()
    found = {root}
    grown = True
    while grown:
        grown = False
        for pid, parent in parents:
            if parent in found and pid not in found:
                found.add(pid)
                grown = True
    return found


def parents_of_all():
    try:
        names = os.listdir("/proc")
    except OSError:
        names = []
    pairs = []
    for name in names:
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    pairs.append((int(name), int(file.read().rpartition(b")")[2].split()[1])))
            except (OSError, IndexError, ValueError):
                continue
    if pairs:
        return pairs
    listing = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
    return [(int(pid), int(parent)) for pid, parent in (line.split() for line in listing.splitlines())]


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
