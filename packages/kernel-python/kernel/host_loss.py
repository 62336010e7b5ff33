"""The end of a kernel whose host is gone, or can't be spoken to any more: nothing that was started here may outlive it."""

import os
import sys
from time import sleep

UNDERTAKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "undertaker.py")
# What an interpreter may need to be started once more.
PASSED = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME")

called = []


def end_everything(pid, staging):
    """`pid`: the kernel's own, which differs in a forked child. `staging`: a folder that goes with it, or None. Never returns."""
    if os.getpid() != pid:
        os._exit(1)
    first = not called
    called.append(pid)
    if first and call_undertaker(pid, staging):
        while True:
            sleep(60)
    elif not first:
        # Another thread has noticed as well.
        sleep(60)
    # There is none to be had, when no more processes are allowed, say: what is found now.
    end_found(pid)
    if os.getpgrp() == pid:
        os.killpg(pid, 9)
    os._exit(1)


def end_found(pid):
    from _artificer.process_tree import all_rows, grow, signal_all

    found = {pid}
    rows = all_rows()
    while grow(found, rows):
        pass
    signal_all(found - {pid}, 9)


def call_undertaker(pid, staging):
    """False when it can't do its work: it ends this process, so that its own end is never seen here."""
    try:
        argv = [sys.executable, "-I", "-S", UNDERTAKER, str(pid)]
        env = {name: os.environ[name] for name in PASSED if name in os.environ}
        # In a group of its own, since the kernel's ends.
        child = os.posix_spawn(sys.executable, argv + ([staging] if staging else []), env, setpgroup=0)
        os.waitpid(child, 0)
    except Exception:
        pass
    return False
