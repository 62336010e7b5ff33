"""Messages over the private channel: requests both ways, their answers, notices."""

import fcntl
import itertools
import os
from _thread import allocate_lock, get_ident

from _artificer.decode_value import decode_value
from _artificer.encode_value import encode_value
from _artificer.errors import ArtificerError, from_wire
from _artificer.frames import PREFIX
from _artificer.json_text import dump, load
from _artificer.turns import Turns
from _artificer.values import ValueProblem

# Past this many pieces a vectored write would exceed the system's limit.
MAX_PIECES = 500


class Forked(ArtificerError):
    """Raised in a forked child, which must not speak on its parent's wire."""


def private_descriptor(fd):
    """Moves a descriptor out of the way of the user's own, not inheritable by programs that the user starts."""
    os.set_blocking(fd, True)
    for floor in (900, 200, 20):
        try:
            high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, floor)
            break
        except OSError:
            continue
    else:
        os.set_inheritable(fd, False)
        return fd
    os.close(fd)
    return high


class Pending:
    """A request on its way. `settle` is called by the thread that reads, once `header` holds the answer."""

    __slots__ = ("settle", "header", "parts", "tagged", "main")

    def __init__(self, settle, main=False):
        self.settle = settle
        self.header = None
        # Whether it is the main thread that blocks until then.
        self.main = main

    def settled(self):
        return self.header is not None

    def take(self, method):
        """The answer's value; raises what the host answered instead."""
        header = self.header
        error = header.get("error")
        if error is not None:
            if self.tagged:
                error = decode_value(error, self.parts)
            raise from_wire(error, method)
        value = header.get("value")
        if not self.tagged:
            return value
        try:
            return decode_value(value, self.parts)
        except ValueProblem as problem:
            raise from_wire(problem.error(), method) from None


class Wire:
    def __init__(self, fd, interrupts):
        self.fd = private_descriptor(fd)
        self.interrupts = interrupts
        self.key_json = b'""'
        self._lock = allocate_lock()
        self._owner = None
        self._ids = itertools.count(1)
        self._pending = {}
        self._turns = Turns(self.fd, interrupts, self._accept)
        self.on_lost = None

    # -- sending

    def send(self, head, tail, parts=()):
        """Writes one frame whose header is `head`, the secret, and `tail`."""
        header = b"".join((head, b',"key":', self.key_json, tail))
        if parts:
            lengths = dump([len(part) for part in parts])
            header = b"".join((header[:-1], b',"parts":', lengths, b"}"))
            pieces = [PREFIX.pack(len(header), sum(map(len, parts))) + header]
            pieces += parts
        else:
            pieces = (PREFIX.pack(len(header), 0) + header,)
        self._write(pieces)

    def _write(self, pieces):
        if self.fd < 0:
            raise Forked("A forked process can't call the host: its parent owns the connection.", "kernel/closed")
        if self._owner == get_ident():
            raise ArtificerError("A finalizer can't call the host while another call is being written.")
        interrupts = self.interrupts
        before = interrupts.hold()
        try:
            with self._lock:
                self._owner = get_ident()
                try:
                    if len(pieces) == 1:
                        self._write_all(pieces[0])
                    else:
                        self._write_pieces(pieces)
                finally:
                    self._owner = None
        except OSError:
            self.on_lost()
        finally:
            interrupts.release(before)

    def _write_all(self, data):
        fd = self.fd
        sent = os.write(fd, data)
        if sent < len(data):
            rest = memoryview(data)[sent:]
            while rest:
                rest = rest[os.write(fd, rest) :]

    def _write_pieces(self, pieces):
        views = [memoryview(piece) for piece in pieces if len(piece)]
        at = 0
        while at < len(views):
            sent = os.writev(self.fd, views[at : at + MAX_PIECES])
            while at < len(views) and sent >= len(views[at]):
                sent -= len(views[at])
                at += 1
            if sent:
                views[at] = views[at][sent:]

    def respond(self, request_id, tree, parts=()):
        self.send(b'{"type":"response","id":%d' % request_id, b',"value":' + dump(tree) + b"}", parts)

    def respond_error(self, request_id, code, message, kind=None, hint=None):
        error = {"code": code, "message": message}
        if hint:
            error["hint"] = hint
        if kind:
            error["type"] = kind
        self.send(b'{"type":"response","id":%d' % request_id, b',"error":' + dump(error) + b"}")

    def notice(self, name, tree, parts, cell):
        cell_json = b',"cell":%d' % cell if cell else b""
        self.send(b'{"type":"notice"', b',"name":' + dump(name) + b',"params":' + dump(tree) + cell_json + b"}", parts)

    # -- requests of the kernel

    def start_request(self, method, params, cell, pending):
        """Sends a request whose answer settles `pending`; returns its id."""
        parts = []
        try:
            tree = encode_value(params, parts)
        except ValueProblem as problem:
            if method == "shared.set" and problem.steps:
                # What a cell passes is named by its own place, not by where it lies in the request.
                problem.steps.pop()
            raise from_wire(problem.error(), method) from None
        cell_json = b',"cell":%d' % cell if cell else b""
        tail = b',"method":"' + method.encode() + b'","params":' + dump(tree) + cell_json + b"}"
        request_id = next(self._ids)
        self._pending[request_id] = pending
        try:
            self.send(b'{"type":"request","id":%d' % request_id, tail, parts)
            if not pending.main:
                self._turns.call_reader()
        except BaseException:
            self.withdraw(request_id)
            raise
        return request_id

    def withdraw(self, request_id):
        """Takes a request back; its late answer is dropped."""
        if self._pending.pop(request_id, None) is not None and self.fd >= 0:
            self.send(b'{"type":"cancel","id":%d' % request_id, b"}")

    def call(self, method, params, cell):
        """Asks the host and blocks this thread until it answers."""
        me = get_ident()
        turns = self._turns
        if turns.reading == me:
            raise ArtificerError("A finalizer or signal handler can't call the host while its thread reads the host's answers.")
        gate = allocate_lock()
        gate.acquire()
        pending = Pending(gate.release, me == self.interrupts.main)
        request_id = self.start_request(method, params, cell, pending)
        try:
            if not (pending.main and turns.read_until(pending.settled, len(self._pending) > 1)):
                gate.acquire()
        except BaseException:
            self.withdraw(request_id)
            raise
        return pending.take(method)

    # -- receiving

    def start_reading(self, on_request, on_cancel, on_end):
        self._on_request = on_request
        self._on_cancel = on_cancel
        self._turns.start(on_end)

    def next_of(self, jobs):
        """The main thread's next job, which `on_request` puts into the queue `jobs`."""
        while jobs.empty():
            if not self._turns.read_until(lambda: not jobs.empty(), bool(self._pending)):
                break
        return jobs.get()

    def _accept(self, frame):
        """Deals with one frame, or again with the last; true when it was for the main thread."""
        head, body = frame
        header = load(head)
        # The host writes the tag's key in this one way, so its absence spares the walk over the value.
        tagged = b'"$"' in head
        parts = cut(body, header.get("parts"))
        kind = header["type"]
        if kind == "response":
            waiting = self._pending.get(header["id"])
            if waiting is None:
                return False
            waiting.parts = parts
            waiting.tagged = tagged
            waiting.header = header
            try:
                waiting.settle()
            except RuntimeError:
                # It was settled already, when this frame was dealt with before.
                pass
            self._pending.pop(header["id"], None)
            return waiting.main
        if kind == "request":
            return self._take_request(header, parts, tagged)
        if kind == "cancel":
            self._on_cancel(header["id"])
        return False

    def _take_request(self, header, parts, tagged):
        params = header.get("params")
        if tagged:
            try:
                params = decode_value(params, parts)
            except ValueProblem as problem:
                self.respond_error(header["id"], problem.code, problem.message, None, problem.hint)
                return False
        return self._on_request(header["id"], header["method"], params)

    def close_in_child(self):
        """After a fork: the child gives up its copy of the wire."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)


def cut(body, lengths):
    if not lengths:
        return ()
    parts = []
    at = 0
    for length in lengths:
        parts.append(body[at : at + length])
        at += length
    return parts
