"""Runs code of the user's between cells, one variable at a time: bounded in time, and given up when the host says so."""

import os
from _signal import SIGINT
from _thread import start_new_thread
from time import perf_counter, sleep

from _artificer.snapshot_pickle import Unsavable
from _artificer.tracebacks import message_of, type_name


class Watch:
    """`current` of the interrupts is the request while this lasts, so that the host can withdraw it."""

    def __init__(self, kernel, request_id, item_s):
        self._kernel = kernel
        self._request_id = request_id
        self._item_s = item_s
        self._until = None
        self._expired = False
        self._over = False

    def __enter__(self):
        interrupts = self._kernel.interrupts
        interrupts.install()
        interrupts.current = interrupts.gentle = self._request_id
        try:
            start_new_thread(self._look, ())
        except RuntimeError:
            # The process may have no more threads; the host has a bound of its own.
            pass
        return self

    def __exit__(self, *_):
        interrupts = self._kernel.interrupts
        self._over = True
        interrupts.current = interrupts.gentle = None
        interrupts.forget(self._request_id)

    @property
    def withdrawn(self):
        return self._request_id in self._kernel.interrupts.withdrawn

    def run(self, name, function, *args):
        """(result, None), or (None, the reason in words). `name` is told to the host first: it may be the last it hears."""
        kernel = self._kernel
        kernel.wire.notice("snapshot", {"variable": name}, (), 0)
        interrupts = kernel.interrupts
        self._expired = False
        self._until = perf_counter() + self._item_s
        try:
            try:
                interrupts.armed = True
                result, error = function(*args), None
            finally:
                interrupts.armed = False
                self._until = None
        except BaseException as raised:
            interrupts.armed = False
            result, error = None, raised
        if os.getpid() != kernel.pid:
            # The user's code has forked; the child is not the kernel.
            os._exit(0)
        if error is None:
            return result, None
        if self._expired:
            return None, Reason("it took longer than %g s" % self._item_s, True)
        return None, reason_of(error)

    def _look(self):
        interrupts = self._kernel.interrupts
        while not self._over:
            until = self._until
            expired = until is not None and perf_counter() > until
            if expired or (until is not None and self.withdrawn):
                # Again and again: code that catches everything may have swallowed the one before.
                self._expired = expired
                interrupts._raise_signal(interrupts.main, SIGINT)
            sleep(0.05)


class Reason(str):
    """Why something could not be done. `final`: it is no use to try in another way."""

    def __new__(cls, text, final=False):
        self = super().__new__(cls, text)
        self.final = final
        return self


def reason_of(error):
    if isinstance(error, Unsavable):
        return Reason(error, error.final)
    if isinstance(error, RecursionError):
        return Reason("it is nested too deeply", True)
    message = message_of(error).partition("\n")[0][:300]
    return Reason("%s: %s" % (type_name(error), message) if message else type_name(error))
