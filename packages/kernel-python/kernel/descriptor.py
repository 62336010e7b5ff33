"""The host's two output streams, as descriptors."""

import fcntl
import os
import stat
import sys

TIOCOUTQ = 0x5411
FIONREAD = 0x541B


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
            fcntl.fcntl(self.fd, fcntl.F_GETFD)
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
