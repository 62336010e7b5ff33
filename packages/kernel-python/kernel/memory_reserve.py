"""Memory put by for the moment after a MemoryError.

Under a limit the user's variables can fill all there is, and then not even `del hoard` can be compiled. What is put by is
address space alone: the system gives it pages only when it is written to, so it costs no resident memory.
"""

RESERVED_BYTES = 16 << 20


class MemoryReserve:
    def __init__(self):
        self._limited = is_limited()
        self._held = None
        self.renew()

    def renew(self):
        """Puts memory by, when there is a limit and room; called after cells that had enough."""
        if self._limited and self._held is None:
            try:
                self._held = bytearray(RESERVED_BYTES)
            except MemoryError:
                pass

    def release(self):
        self._held = None


def is_limited():
    try:
        import resource
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
