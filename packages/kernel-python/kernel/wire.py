"""Frames over the private channel: length-prefixed JSON headers with binary parts beside them."""

import fcntl
import itertools
import os
from _struct import Struct
from _thread import allocate_lock, get_ident, start_new_thread

from _artificer.decode_value import decode_value
from _artificer.encode_value import encode_value
from _artificer.errors import ArtificerError, from_wire
from _artificer.json_text import dump, load
from _artificer.values import ValueProblem

PREFIX = Struct(">II")
CHUNK = 1 << 18
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
    """A request on its way. `settle` is called by the reader thread once `header` holds the answer."""

    __slots__ = ("settle", "header", "parts", "tagged")

    def __init__(self, settle):
        self.settle = settle
        self.header = None

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
        self._reader = None
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
        interrupts.hold()
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
            interrupts.release()

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

    def start_request(self, method, params, cell, settle):
        """Sends a request; returns its id. `settle(pending)` is called by the reader thread."""
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
        self._pending[request_id] = settle
        try:
            self.send(b'{"type":"request","id":%d' % request_id, tail, parts)
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
        if get_ident() == self._reader:
            raise ArtificerError("A finalizer can't call the host from the kernel's own thread.")
        gate = allocate_lock()
        gate.acquire()
        pending = Pending(gate.release)
        request_id = self.start_request(method, params, cell, pending)
        try:
            gate.acquire()
        except BaseException:
            self.withdraw(request_id)
            raise
        return pending.take(method)

    # -- receiving

    def start_reading(self, on_request, on_cancel, on_end):
        start_new_thread(self._read, (on_request, on_cancel, on_end))

    def _read(self, on_request, on_cancel, on_end):
        self._reader = get_ident()
        pending = self._pending
        try:
            for head, body in frames(self.fd):
                header = load(head)
                # The host writes the tag's key in this one way, so its absence spares the walk over the value.
                tagged = b'"$"' in head
                parts = cut(body, header.get("parts"))
                kind = header["type"]
                if kind == "response":
                    waiting = pending.pop(header["id"], None)
                    if waiting is not None:
                        waiting.header = header
                        waiting.parts = parts
                        waiting.tagged = tagged
                        waiting.settle()
                elif kind == "request":
                    self._take_request(header, parts, tagged, on_request)
                elif kind == "cancel":
                    on_cancel(header["id"])
        finally:
            on_end()

    def _take_request(self, header, parts, tagged, on_request):
        params = header.get("params")
        if tagged:
            try:
                params = decode_value(params, parts)
            except ValueProblem as problem:
                self.respond_error(header["id"], problem.code, problem.message, None, problem.hint)
                return
        on_request(header["id"], header["method"], params)

    def close_in_child(self):
        """After a fork: the child gives up its copy of the wire."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)


def frames(fd):
    """The frames that arrive on `fd`, until it ends, as (header bytes, body view)."""
    data = b""
    while True:
        while len(data) < 8:
            chunk = os.read(fd, CHUNK)
            if not chunk:
                return
            data = data + chunk if data else chunk
        head_bytes, body_bytes = PREFIX.unpack_from(data)
        total = 8 + head_bytes + body_bytes
        if total > len(data):
            whole = bytearray(total)
            at = len(data)
            whole[:at] = data
            view = memoryview(whole)
            while at < total:
                count = os.readv(fd, (view[at:],))
                if not count:
                    return
                at += count
            data, frame = b"", whole
        elif total == len(data):
            data, frame = b"", data
        else:
            frame, data = data[:total], data[total:]
        yield bytes(frame[8 : 8 + head_bytes]), memoryview(frame)[8 + head_bytes :]


def cut(body, lengths):
    if not lengths:
        return ()
    parts = []
    at = 0
    for length in lengths:
        parts.append(body[at : at + length])
        at += length
    return parts
