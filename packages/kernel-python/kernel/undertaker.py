"""
Ends a kernel whose host is gone, with everything that it has started: `undertaker.py PID [FOLDER]`, where FOLDER goes with it.
A process of its own, since the kernel's other threads may start processes until the last moment.
"""

import os
import sys

STOP, KILL = 19, 9


def end_tree(pid):
    """Stops first, parents before their children, until nothing new is found; then nothing that is killed can have left children behind."""
    from process_tree import all_rows, grow, signal_all

    own = os.getpid()
    stopped = {pid}
    signal_all(stopped, STOP)
    while True:
        found = set(stopped)
        rows = [row for row in all_rows() if row[0] != own]
        while grow(found, rows):
            pass
        if found == stopped:
            break
        signal_all(found - stopped, STOP)
        stopped = found
    try:
        os.killpg(pid, KILL)
    except OSError:
        # It leads no group.
        pass
    signal_all(stopped, KILL)


def main(pid, folder=None):
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    end_tree(int(pid))
    if folder:
        os.execv("/bin/rm", ["rm", "-rf", "--", folder])


if __name__ == "__main__":
    main(*sys.argv[1:])
