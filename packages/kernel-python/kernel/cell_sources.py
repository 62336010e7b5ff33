"""The sources of cells and skills, for tracebacks and `inspect`: of the latest cells, and of those whose code still lives."""

from _collections import deque
from _weakref import ref

# A conversation may have many thousand cells; the source of one is of use as long as something of it can still run.
MAX_RECENT = 500
MAX_RECENT_CHARS = 256 * 1024
FIRST_SWEEP = 64


class CellSources:
    def __init__(self, forget):
        # File name -> source.
        self.all = {}
        # Told of each file name that is let go of.
        self._forget = forget
        self._recent = deque()
        self._recent_chars = 0
        # File name -> weak references to its code objects.
        self._codes = {}
        # Older ones that still live.
        self._old = set()
        self._sweep_at = FIRST_SWEEP
        self.dropped = 0

    def keep(self, filename, source):
        """For as long as the kernel lives."""
        self.all[filename] = source

    def add(self, filename, source):
        self.all[filename] = source
        self._recent.append((filename, len(source)))
        self._recent_chars += len(source)
        while len(self._recent) > MAX_RECENT or (self._recent_chars > MAX_RECENT_CHARS and len(self._recent) > 1):
            oldest, size = self._recent.popleft()
            self._recent_chars -= size
            self._age(oldest)

    def watch(self, filename, codes):
        """`codes` were compiled from it: while one of them, or of the functions in it, is there, the source is kept."""
        found = []
        pending = [code for code in codes if code is not None]
        while pending:
            code = pending.pop()
            found.append(ref(code))
            pending += [constant for constant in code.co_consts if type(constant) is type(code)]
        self._codes[filename] = found

    def _lives(self, filename):
        return any(code() is not None for code in self._codes.get(filename, ()))

    def _age(self, filename):
        if self._lives(filename):
            self._old.add(filename)
            if len(self._old) >= self._sweep_at:
                self._sweep()
        else:
            self._drop(filename)

    def _sweep(self):
        for filename in [filename for filename in self._old if not self._lives(filename)]:
            self._old.discard(filename)
            self._drop(filename)
        # Each sweep looks at all of them: the more there are, the rarer.
        self._sweep_at = FIRST_SWEEP + 2 * len(self._old)

    def _drop(self, filename):
        self.all.pop(filename, None)
        self._codes.pop(filename, None)
        self._forget(filename)
        self.dropped += 1
