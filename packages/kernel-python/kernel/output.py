"""The standard streams: written through at once, in true order, and never able to fail a cell by encoding."""

import os
import sys
from time import perf_counter, sleep

from _artificer.descriptor import Descriptor, write_all
from _artificer.streams import EmptyInput, TextStream

DRAIN_S = 1.0
# What a cell may spend on waiting after its writes to stderr.
SPARE_S = 0.1


class Output:
    """Both streams of a kernel."""

    def __init__(self):
        self.descriptors = (Descriptor(1), Descriptor(2))
        self.patient = True
        self.spare_s = SPARE_S
        self.stdout = TextStream(self, self.descriptors[0], "<stdout>")
        self.stderr = TextStream(self, self.descriptors[1], "<stderr>")
        self.stdin = EmptyInput()

    def install(self):
        sys.stdout = sys.__stdout__ = self.stdout
        sys.stderr = sys.__stderr__ = self.stderr
        sys.stdin = sys.__stdin__ = self.stdin

    def before(self, descriptor):
        """Before a write: waits a moment until the host has read the other stream, whoever wrote to it, which keeps the order."""
        other = self.descriptors[descriptor is self.descriptors[0]]
        if self.patient and other.request is not None and not other.drained():
            self.wait_for(other)

    def after_error(self, descriptor):
        """
        After a write to stderr: what comes next may be written to stdout behind our back, by C code or a child process. Waiting
        takes longer than writing, so a cell has only so much time for it.
        """
        if self.spare_s > 0 and self.patient and descriptor.request is not None:
            since = perf_counter()
            self.wait_for(descriptor)
            self.spare_s -= perf_counter() - since

    def settle(self):
        """Before another process is started that writes to the same streams."""
        for descriptor in self.descriptors:
            if self.patient and descriptor.request is not None:
                self.wait_for(descriptor)

    def wait_for(self, descriptor):
        until = perf_counter() + DRAIN_S
        while not descriptor.drained():
            if perf_counter() > until:
                # The host is busy; it would be no use to wait before every line.
                self.patient = False
                return
            sleep(0.00002)

    def adopt_subprocess(self, subprocess):
        """Run when subprocess is first imported."""
        start = subprocess.Popen._execute_child

        def _execute_child(child, *args, **kwargs):
            self.settle()
            return start(child, *args, **kwargs)

        subprocess.Popen._execute_child = _execute_child

    def begin(self):
        """Before a cell: what the last one broke is mended."""
        self.patient = True
        self.spare_s = SPARE_S
        for descriptor in self.descriptors:
            descriptor.restore()
        # Ours can't be closed.
        if sys.stdout is not self.stdout and unusable(sys.stdout):
            sys.stdout = self.stdout
        if sys.stderr is not self.stderr and unusable(sys.stderr):
            sys.stderr = self.stderr
        if sys.stdin is not self.stdin and unusable(sys.stdin):
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


def unbuffer_c(ctypes):
    """Run when ctypes is first imported: what C code prints from then on keeps its place among all else."""
    for name in ("stdout", "stderr", "__stdoutp", "__stderrp"):
        try:
            libc = ctypes.CDLL(None)
            libc.setvbuf(ctypes.c_void_p.in_dll(libc, name), None, 2, 0)
        except Exception:
            # Each C library has two of the four; where none is found, the buffers are flushed at the cell's end.
            continue


def unusable(stream):
    try:
        return stream is None or stream.closed
    except Exception:
        return not hasattr(stream, "write")
