"""Cuts what arrives on the wire into frames: length-prefixed JSON headers with binary parts beside them."""

import os
from _collections import deque
from _struct import Struct

PREFIX = Struct(">II")
CHUNK = 1 << 18


class FrameReader:
    """
    Read by one thread at a time, not always the same. A signal handler of the user's may raise between any two steps when
    that is the main thread, so each step that changes something is a single one: nothing that arrived is lost.
    """

    def __init__(self, fd):
        self._fd = fd
        self._chunks = deque()
        self._body = None

    def next(self):
        """The next frame as (header bytes, body view) if it has arrived whole, else None. It stays the next until the one after is cut."""
        if self._body is not None:
            return self._next_large()
        chunks = self._chunks
        if not chunks:
            return None
        data = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        if len(data) < 8:
            return None
        head_bytes, body_bytes = PREFIX.unpack_from(data)
        total = 8 + head_bytes + body_bytes
        if total > len(data):
            # Read into its place from now on, so that large bytes are not joined piece by piece.
            whole = bytearray(total)
            whole[: len(data)] = data
            self._body = Large(whole, len(data), head_bytes)
            self._chunks = deque()
            return None
        self._chunks = deque((data[total:],)) if total < len(data) else deque()
        return data[8 : 8 + head_bytes], memoryview(data)[8 + head_bytes : total]

    def _next_large(self):
        large = self._body
        if large.missing:
            return None
        self._body = None
        whole = large.whole
        start = 8 + large.head_bytes
        return bytes(whole[8:start]), memoryview(whole)[start:]

    def read(self):
        """Waits for more. False at the wire's end."""
        large = self._body
        if large is not None:
            return large.read(self._fd)
        chunks = self._chunks
        # One call of C code: what was read is kept before a signal handler can run.
        chunks.extend(map(os.read, (self._fd,), (CHUNK,)))
        return len(chunks[-1]) > 0


class Large:
    """A frame of which a part has arrived."""

    __slots__ = ("whole", "head_bytes", "_counts")

    def __init__(self, whole, count, head_bytes):
        self.whole = whole
        self.head_bytes = head_bytes
        self._counts = [count]

    @property
    def missing(self):
        return len(self.whole) - sum(self._counts)

    def read(self, fd):
        counts = self._counts
        at = sum(counts)
        self._counts = counts = [at]
        counts.extend(map(os.readv, (fd,), ((memoryview(self.whole)[at:],),)))
        return counts[-1] > 0
