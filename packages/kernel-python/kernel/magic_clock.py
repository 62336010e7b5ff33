"""`%time`, `%%time` and `%timeit`: how long code takes."""

from time import perf_counter
import os
import sys

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"), (1e-9, "ns"))


def duration(seconds):
    if seconds >= 60:
        minutes, rest = divmod(seconds, 60)
        return "%dmin %.3gs" % (minutes, rest)
    for scale, unit in UNITS:
        if seconds >= scale:
            return "%.3g %s" % (seconds / scale, unit)
    return "%.3g ns" % (seconds / 1e-9)


class Clock:
    """What timed statements call: without arguments or with "begin" before them, with the beginning and the value after them."""

    def __init__(self):
        self._open = []

    def __call__(self, step=None, value=None):
        if step is None:
            return now()
        if step == "begin":
            self._open.append(now())
            return None
        report(self._open.pop() if step == "end" and self._open else step)
        return value


def now():
    used = os.times()
    return perf_counter(), used.user, used.system


def report(began):
    if not isinstance(began, tuple):
        return
    wall, user, system = (after - before for after, before in zip(now(), began))
    total = user + system
    times = "user %s, sys: %s, total: %s" % (duration(user), duration(system), duration(total))
    sys.stdout.write("CPU times: %s\nWall time: %s\n" % (times, duration(wall)))


def timeit(arguments, body, space, usage):
    """`%timeit [-n N] [-r R] [-q] [-o] statement`; with a body, the statement is the set-up."""
    import statistics
    import timeit as library

    words, statement = split_options(arguments, "nrqo", usage)
    options = dict(words)
    if not (body or statement):
        raise usage("%timeit needs a statement to time: %timeit sum(range(100))")
    setup = statement if body else "pass"
    timer = library.Timer(body or statement, setup or "pass", globals=space)
    number = int(options.get("-n") or 0)
    if not number:
        number, _ = timer.autorange(lambda count, took: None)
    runs = [took / number for took in timer.repeat(int(options.get("-r") or 7), number)]
    mean = statistics.fmean(runs)
    spread = statistics.pstdev(runs)
    if "-q" not in options:
        counts = "mean \u00b1 std. dev. of %d run%s, %s loop%s each" % (
            len(runs),
            "" if len(runs) == 1 else "s",
            format(number, ","),
            "" if number == 1 else "s",
        )
        sys.stdout.write("%s \u00b1 %s per loop (%s)\n" % (duration(mean), duration(spread), counts))
    return runs if "-o" in options else None


def split_options(arguments, letters, usage):
    """Leading `-x` and `-n N` options, and the rest untouched."""
    found = []
    rest = arguments
    while True:
        rest = rest.lstrip()
        word, _, after = rest.partition(" ")
        if len(word) < 2 or word[0] != "-" or word[1] not in letters:
            return found, rest
        flag, attached = word[:2], word[2:]
        if flag in ("-n", "-r"):
            if not attached:
                attached, _, after = after.lstrip().partition(" ")
            if not attached.isdigit() or int(attached) < 1:
                raise usage("%s takes a whole number above 0, not %r." % (flag, attached))
        found.append((flag, attached))
        rest = after
