"""The standard streams: written through at once, in true order, and never able to fail a cell by encoding."""

import fcntl
import io
import os
import stat
import sys
from time import perf_counter, sleep

TIOCOUTQ = 0x5411
FIONREAD = 0x541B
DRAIN_S = 0.02
# A child process takes its time anyway, so its place in the order may take some too.
SETTLE_S = 0.5


class Descriptor:
    """One of the host's two output streams: the descriptor the user sees and a private duplicate of it."""

    def __init__(self, fd):
        self.fd = fd
        self.private = self._duplicate(fd)
        self.request = self._queue_request()

    @staticmethod
    def _duplicate(fd):
        for floor in (902, 202, 22):
            try:
                return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, floor)
            except OSError:
                continue
        return fd

    def _queue_request(self):
        """How this system tells what the host has not read yet; None where it can't."""
        if not sys.platform.startswith("linux"):
            return None
        try:
            mode = os.fstat(self.private).st_mode
        except OSError:
            return None
        return TIOCOUTQ if stat_is_socket(mode) else FIONREAD if stat_is_pipe(mode) else None

    def drained(self):
        """True when the host has read every byte; False when it has not, or when that can't be known."""
        if self.request is None:
            return False
        try:
            return fcntl.ioctl(self.private, self.request, b"\0\0\0\0") == b"\0\0\0\0"
        except OSError:
            return False

    def restore(self):
        """Gives the user's descriptor back when a cell has closed it."""
        try:
            os.fstat(self.fd)
        except OSError:
            try:
                os.dup2(self.private, self.fd, True)
            except OSError:
                pass


stat_is_socket = stat.S_ISSOCK
stat_is_pipe = stat.S_ISFIFO


def write_all(fd, data):
    view = data
    while view:
        try:
            sent = os.write(fd, view)
        except BlockingIOError:
            # A child process has made the shared descriptor non-blocking.
            import select

            select.select((), (fd,), ())
            continue
        if sent == len(view):
            return
        view = memoryview(view)[sent:]


class Output:
    """Both streams of a kernel."""

    def __init__(self):
        self.descriptors = (Descriptor(1), Descriptor(2))
        self.last = None
        self.patient = True
        self.stdout = TextStream(self, self.descriptors[0], "<stdout>")
        self.stderr = TextStream(self, self.descriptors[1], "<stderr>")
        self.stdin = EmptyInput()

    def install(self):
        sys.stdout = sys.__stdout__ = self.stdout
        sys.stderr = sys.__stderr__ = self.stderr
        sys.stdin = sys.__stdin__ = self.stdin

    def turn_to(self, descriptor):
        """Before the other stream is written: waits a moment until the host has read this far, which keeps the order."""
        last, self.last = self.last, descriptor
        if last is None or last.request is None or not self.patient or last.drained():
            return
        until = perf_counter() + DRAIN_S
        while not last.drained():
            if perf_counter() > until:
                # The host is busy; it would be no use to wait before every line.
                self.patient = False
                return
            sleep(0.00002)

    def settle(self):
        """Before and after a child process writes to both streams: waits a while until the host has read all."""
        until = perf_counter() + SETTLE_S
        for descriptor in self.descriptors:
            while descriptor.request is not None and not descriptor.drained() and perf_counter() < until:
                sleep(0.0001)
        self.last = None

    def begin(self):
        """Before a cell: what the last one broke is mended."""
        self.patient = True
        for descriptor in self.descriptors:
            descriptor.restore()
        if unusable(sys.stdout):
            sys.stdout = self.stdout
        if unusable(sys.stderr):
            sys.stderr = self.stderr
        if unusable(sys.stdin):
            sys.stdin = self.stdin

    def end(self):
        """After a cell: None when the host has read all of it, else the marker that was written behind the last byte."""
        for stream in (sys.stdout, sys.stderr):
            if type(stream) is not TextStream:
                try:
                    stream.flush()
                except Exception:
                    pass
        self._flush_c()
        if all([descriptor.drained() for descriptor in self.descriptors]):
            return None
        marker = "\0artificer:%s\0" % os.urandom(8).hex()
        for descriptor in self.descriptors:
            try:
                write_all(descriptor.private, marker.encode())
            except OSError:
                pass
        return marker

    @staticmethod
    def _flush_c():
        """C code may have printed into C's own buffer; only a kernel that has ctypes loaded can have it flushed cheaply."""
        ctypes = sys.modules.get("ctypes")
        if ctypes is not None:
            try:
                ctypes.CDLL(None).fflush(None)
            except Exception:
                pass


def unusable(stream):
    try:
        return stream is None or stream.closed
    except Exception:
        return not hasattr(stream, "write")


class RawStream(io.RawIOBase):
    """`sys.stdout.buffer`."""

    def __init__(self, output, descriptor, name):
        super().__init__()
        self._output = output
        self._descriptor = descriptor
        self.name = name
        self.mode = "wb"

    def write(self, data):
        view = memoryview(data).cast("B") if not isinstance(data, bytes) else data
        if self._output.last is not self._descriptor:
            self._output.turn_to(self._descriptor)
        write_all(self._descriptor.fd, view)
        return len(view)

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor.fd

    def isatty(self):
        return False

    def close(self):
        """The stream belongs to the kernel; closing it only flushes, and there is nothing to flush."""

    def detach(self):
        raise io.UnsupportedOperation("detach")


class TextStream(io.TextIOBase):
    """`sys.stdout` and `sys.stderr`."""

    def __init__(self, output, descriptor, name):
        super().__init__()
        self._output = output
        self._descriptor = descriptor
        self.buffer = RawStream(output, descriptor, name)
        self.name = name
        self.mode = "w"
        self.line_buffering = True
        self.write_through = True

    encoding = "utf-8"
    errors = "surrogateescape"
    newlines = None

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        try:
            data = text.encode()
        except UnicodeEncodeError:
            data = encode_anything(text)
        descriptor = self._descriptor
        if self._output.last is not descriptor:
            self._output.turn_to(descriptor)
        if data:
            write_all(descriptor.fd, data)
        return len(text)

    def flush(self):
        pass

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor.fd

    def isatty(self):
        return False

    def reconfigure(self, **_options):
        """Accepted and without effect: the streams already take any text and hold nothing back."""

    def close(self):
        """The stream belongs to the kernel and stays open."""

    def detach(self):
        raise io.UnsupportedOperation("detach")


def encode_anything(text):
    """File names carry undecodable bytes as surrogates: they come out as those bytes; other lone surrogates as escapes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


class EmptyInput(io.TextIOBase):
    """`sys.stdin`: always at its end."""

    name = "<stdin>"
    mode = "r"
    encoding = "utf-8"
    errors = "strict"

    def __init__(self):
        super().__init__()
        self.buffer = io.BytesIO()

    def read(self, _size=-1):
        return ""

    def readline(self, _size=-1):
        return ""

    def readable(self):
        return True

    def fileno(self):
        return 0

    def isatty(self):
        return False

    def close(self):
        """The stream belongs to the kernel and stays open."""
