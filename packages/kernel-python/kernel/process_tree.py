"""Ends a child process with all that it has started."""

import os
from time import perf_counter, sleep

GRACE_S = 0.3
# Fields of /proc/PID/stat behind the program's name: parent, process group, start time.
PARENT, GROUP, START = 1, 2, 19


class ProcessTree:
    def __init__(self, child):
        self._child = child
        row = row_of(child.pid)
        self._born = row and row[3]

    def end(self):
        """An interrupt for everyone, a moment to leave, then a kill for those that stay."""
        members = self._members()
        signal_all(members, 2)
        until = perf_counter() + GRACE_S
        while perf_counter() < until and self._child.poll() is None:
            sleep(0.01)
        signal_all(members | self._members(), 9)
        self._child.wait()

    def _members(self):
        """
        The child and its descendants, and orphans of the kernel's process group that are no older than the child: what a
        shell leaves in the background has no parent to be known by once the shell is gone.
        """
        rows = all_rows()
        found = {self._child.pid}
        ours = {os.getpid()}
        while grow(found, rows) or grow(ours, rows):
            pass
        if self._born is not None:
            group = os.getpgrp()
            orphans = (pid for pid, _, of, start in rows if of == group and start >= self._born and pid not in ours)
            found.update(orphans)
        return found


def grow(found, rows):
    before = len(found)
    found.update(pid for pid, parent, _, _ in rows if parent in found)
    return len(found) > before


def signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def row_of(pid):
    """(pid, parent, group, start), or None where the system does not tell."""
    try:
        with open("/proc/%s/stat" % pid, "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return int(pid), int(fields[PARENT]), int(fields[GROUP]), int(fields[START])
    except (OSError, IndexError, ValueError):
        return None


def all_rows():
    try:
        rows = [row_of(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        rows = []
    if rows:
        return [row for row in rows if row is not None]
    import subprocess

    listing = subprocess.run(["ps", "-axo", "pid=,ppid=,pgid="], capture_output=True, text=True, check=False).stdout
    return [(*map(int, line.split()), 0) for line in listing.splitlines()]
