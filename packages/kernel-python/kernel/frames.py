"""Cuts what arrives on the wire into frames: length-prefixed JSON headers with binary parts beside them."""

import os
from _struct import Struct

PREFIX = Struct(">II")
CHUNK = 1 << 18


class FrameReader:
    """
    Read by one thread at a time, not always the same. When that is the main thread, a signal handler of the user's may raise
    between any two steps: all that is known is changed in one step, so that nothing which arrived is lost.
    """

    def __init__(self, fd):
        self._fd = fd
        # The bytes that have arrived, the large frame that they begin, the frame that waits to be dealt with.
        self._state = [], None, None

    def next(self):
        """The next frame as (header bytes, body view) if it has arrived whole, else None. It stays the next until `done`."""
        chunks, large, frame = self._state
        if frame is not None:
            return frame
        if large is not None:
            if large.missing():
                return None
            frame = large.frame()
            self._state = [], None, frame
            return frame
        if not chunks:
            return None
        data = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        if len(data) < 8:
            return None
        head_bytes, body_bytes = PREFIX.unpack_from(data)
        total = 8 + head_bytes + body_bytes
        if total > len(data):
            # Read into its place from now on, so that large bytes are not joined piece by piece.
            self._state = [], Large(data, total, head_bytes), None
            return None
        frame = data[8 : 8 + head_bytes], memoryview(data)[8 + head_bytes : total]
        self._state = [data[total:]] if total < len(data) else [], None, frame
        return frame

    def done(self):
        chunks, large, _ = self._state
        self._state = chunks, large, None

    def read(self):
        """Waits for more. False at the wire's end."""
        chunks, large, _ = self._state
        if large is not None:
            return large.read(self._fd)
        # One call of C code: what was read is kept before a signal handler can run.
        chunks.extend(map(os.read, (self._fd,), (CHUNK,)))
        return len(chunks[-1]) > 0


class Large:
    """A frame of which a part has arrived."""

    __slots__ = ("_whole", "_head_bytes", "_counts")

    def __init__(self, data, total, head_bytes):
        self._whole = bytearray(total)
        self._whole[: len(data)] = data
        self._head_bytes = head_bytes
        # How many bytes each read brought.
        self._counts = [len(data)]

    def missing(self):
        return len(self._whole) - sum(self._counts)

    def read(self, fd):
        counts = self._counts
        counts.extend(map(os.readv, (fd,), ((memoryview(self._whole)[sum(counts) :],),)))
        return counts[-1] > 0

    def frame(self):
        start = 8 + self._head_bytes
        return bytes(self._whole[8:start]), memoryview(self._whole)[start:]
