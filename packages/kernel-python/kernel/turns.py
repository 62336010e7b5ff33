"""
Who reads the wire. The main thread reads for itself while it waits for the host, which spares waking it for each answer; the
reader thread reads whenever the main thread is busy otherwise, so that an interrupt always finds somebody listening.
"""

import os
from _thread import allocate_lock, get_ident, start_new_thread
from time import perf_counter

from _artificer.frames import FrameReader

# How soon the reader thread notices that the main thread stopped reading, in seconds.
TICK_S = 0.002
# Ticks without need after which the reader thread sleeps until it is called.
PATIENCE = 25
# An answer that comes this soon is worth waiting for without going to sleep, in seconds.
SPIN_S = 0.0001
# Waits that don't try so after one that was in vain.
SPIN_REST = 15


class Turns:
    def __init__(self, fd, interrupts, accept):
        """
        `accept(frame)` deals with one frame; true when it was for the main thread. It gets the same frame once more when a
        signal handler of the user's raised meanwhile.
        """
        import select

        self._frames = FrameReader(fd)
        self._interrupts = interrupts
        self._accept = accept
        self._main = interrupts.main
        # A dict with at most one key: taking the turn is one step, and whose it is can be seen.
        self._turn = {}
        self._reading = None
        self._rest = allocate_lock()
        self._rest.acquire()
        self._parked = False
        self._called = False
        self._on_end = None
        self._spin = 0 if many_processors() else 1 << 62
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        self._poll = poll.poll

    def start(self, on_end):
        self._on_end = on_end
        start_new_thread(self._run, ())

    @property
    def reading(self):
        """The thread in the midst of reading: a finalizer that runs in it can't wait for the host."""
        return self._reading

    def call_reader(self):
        """Somebody waits who can't read. Does nothing when a thread is reading."""
        if not self._turn:
            self._called = True
            self._wake()

    def read_until(self, settled, waiting):
        """
        Reads in the main thread until `settled()`. `waiting` is true when others may wait afterwards for what this thread read
        for them. False when another thread is reading, which will deliver.
        """
        interrupts = self._interrupts
        interrupts.hold()
        try:
            if self._turn.setdefault(0, self._main) != self._main:
                return False
            try:
                self._reading = self._main
                while not settled():
                    self._next(self._wait_here)
            finally:
                self._reading = None
                self._turn.clear()
                if self._parked:
                    self._wake()
                elif waiting:
                    self.call_reader()
        finally:
            interrupts.release()
        return True

    def _next(self, read):
        """Accepts one frame; whether it was for the main thread."""
        frames = self._frames
        frame = frames.next()
        while frame is None:
            if not read():
                self._on_end()
            frame = frames.next()
        mine = self._accept(frame)
        frames.done()
        return mine

    def _wait_here(self):
        interrupts = self._interrupts
        try:
            interrupts.release()
            if self._spin:
                self._spin -= 1
                self._poll()
            else:
                self._poll_briskly()
        finally:
            interrupts.hold()
        return self._frames.read()

    def _poll_briskly(self):
        poll = self._poll
        until = perf_counter() + SPIN_S
        while not poll(0):
            if perf_counter() > until:
                self._spin = SPIN_REST
                poll()
                return

    def _wake(self):
        try:
            self._rest.release()
        except RuntimeError:
            # It has been woken already.
            pass

    # In the reader thread.

    def _run(self):
        me = get_ident()
        turn = self._turn
        quiet = 0
        try:
            while True:
                if turn.setdefault(0, me) == me:
                    quiet = 0
                    self._called = False
                    self._reading = me
                    try:
                        while not self._next(self._frames.read):
                            pass
                    finally:
                        self._reading = None
                        turn.clear()
                quiet += 1
                if quiet < PATIENCE:
                    self._rest.acquire(True, TICK_S)
                    continue
                self._parked = True
                if turn and not self._called:
                    self._rest.acquire()
                self._parked = False
                quiet = 0
                # It was woken because the main thread is busy again: not for a moment only, perhaps.
                if not self._called:
                    self._rest.acquire(True, TICK_S)
        finally:
            self._on_end()


def many_processors():
    """Waiting awake on the only processor keeps the host from answering."""
    try:
        return len(os.sched_getaffinity(0)) > 1
    except (AttributeError, OSError):
        return (os.cpu_count() or 1) > 1
