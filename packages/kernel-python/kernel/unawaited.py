"""Keeps account of asynchronous calls that nobody has awaited yet."""

import itertools


class Unawaited:
    def __init__(self):
        self._calls = {}
        self._ids = itertools.count()

    def add(self, label):
        mark = next(self._ids)
        self._calls[mark] = label
        return mark

    def started(self, mark):
        self._calls.pop(mark, None)

    def drain(self):
        """The labels of the calls made and not awaited since the last time."""
        if not self._calls:
            return []
        calls, self._calls = self._calls, {}
        return list(calls.values())
