"""Turns the host's `cancel` into a KeyboardInterrupt in the user's code, and nowhere else."""

import _signal
from _thread import get_ident, start_new_thread
from os import getpgrp, getpid, killpg
from time import sleep

INSISTENCES = 3
INSISTENCE_S = 0.3
ASYNCIO = ("/asyncio/", "/selectors.py")


class Interrupts:
    """
    The thread that reads the wire signals the main thread; the handler decides there, between two bytecodes, what to do:
    ignore it when no user code runs (`armed`), wait while a frame is being written (`held`), cancel the cell's task
    when only the event loop's own code is interrupted, else raise KeyboardInterrupt.
    """

    def __init__(self, folder):
        self.main = get_ident()
        self.armed = False
        self.held = False
        self.deferred = False
        self.loop = None
        self.task = None
        self.current = None
        self.landed = None
        self.finished = -1
        self.withdrawn = set()
        # A request that must not reach for child processes: they belong to the cells, not to it.
        self.gentle = None
        self._folder = folder
        self._raise_signal = _signal.pthread_kill
        self.install()

    def install(self):
        """User code may have taken the signal for itself; a new cell gets ours back."""
        if _signal.getsignal(_signal.SIGINT) != self.handle:
            _signal.signal(_signal.SIGINT, self.handle)

    def withdraw(self, request_id):
        """Called by the thread that reads the wire."""
        if request_id <= self.finished:
            return
        # First noted, then signalled: a cell that starts in between finds the note.
        self.withdrawn.add(request_id)
        if self.current == request_id:
            self._raise_signal(self.main, _signal.SIGINT)
            if self.gentle != request_id:
                start_new_thread(self._insist, (request_id,))

    def _insist(self, request_id):
        """
        A cell that waits in C for a child process (`os.system`) does not notice: after a moment the whole process group
        is told, as Ctrl-C in a terminal would, and then the kernel once more.
        """
        for _ in range(INSISTENCES):
            sleep(INSISTENCE_S)
            if self.current != request_id or self.landed == request_id:
                return
            if getpgrp() == getpid():
                killpg(getpid(), _signal.SIGINT)
            sleep(INSISTENCE_S / 10)
            if self.current == request_id and self.landed != request_id:
                self._raise_signal(self.main, _signal.SIGINT)

    def forget(self, request_id):
        # Requests of this kind are served in the order of their ids.
        self.finished = request_id
        self.withdrawn.discard(request_id)

    def check(self):
        """The first thing done under `armed`: catches a withdrawal that came before it."""
        if self.current in self.withdrawn:
            raise KeyboardInterrupt

    def was_withdrawn(self):
        return self.current in self.withdrawn

    def handle(self, signum, frame):
        if not self.armed:
            return
        self.landed = self.current
        if self.held:
            self.deferred = True
            return
        if self.task is not None and not self.task.done() and self._only_loop(frame):
            self.loop.call_soon_threadsafe(self.task.cancel)
            return
        raise KeyboardInterrupt

    def hold(self):
        """
        A frame half written or half read would end the kernel: interrupts wait until `release`, which takes what this returns,
        so that the outermost of several counts. Set, not counted: a signal handler of the user's that raises on the way does no lasting harm.
        """
        if get_ident() != self.main:
            return True
        before = self.held
        self.held = True
        return before

    def release(self, before=False):
        """Raises an interrupt that came meanwhile."""
        if before:
            return
        self.held = False
        if self.deferred:
            self.deferred = False
            if self.armed:
                raise KeyboardInterrupt

    def _only_loop(self, frame):
        """True when no code of the user's stands above the loop's own frames: raising there could lose a callback."""
        while frame is not None:
            name = frame.f_code.co_filename.replace("\\", "/")
            if ASYNCIO[0] in name or name.endswith(ASYNCIO[1]):
                if frame.f_code.co_name in ("_run_once", "run_forever"):
                    return True
            elif not name.startswith(self._folder):
                return False
            frame = frame.f_back
        return False
