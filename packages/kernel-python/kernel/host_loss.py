"""The end of a kernel whose host is gone, or can't be spoken to any more: nothing that was started here may outlive it."""

import os


def end_everything(pid, staging):
    """`pid`: the kernel's own, which differs in a forked child. `staging`: a folder that goes with it, or None. Never returns."""
    if os.getpid() != pid:
        os._exit(1)
    try:
        for descendant in _descendants(pid):
            # Those in the kernel's own group end with it; these have left it.
            _kill_outside_group(descendant, pid)
        if staging is not None:
            # In a group of its own, since this one ends now.
            os.posix_spawn("/bin/rm", ["rm", "-rf", "--", staging], {}, setpgroup=0)
    except Exception:
        pass
    if os.getpgrp() == pid:
        os.killpg(pid, 9)
    os._exit(1)


def _descendants(pid):
    """All of them, on systems that have /proc."""
    children = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    for name in names:
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                # The program's name may hold spaces and parentheses.
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        children.setdefault(parent, []).append(int(name))
    found = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), ())
        found.extend(below)
        waiting.extend(below)
    return found


def _kill_outside_group(descendant, group):
    try:
        if os.getpgid(descendant) != group:
            os.kill(descendant, 9)
    except OSError:
        pass
