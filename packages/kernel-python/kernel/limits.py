"""Tells by an exception that the kernel ran into a limit of the operating system."""

import errno

# Signals as exit codes of child processes: their own, and as a shell passes them on.
SIGXCPU = (-24, 152)
SIGXFSZ = (-25, 153)
FORKING = {"fork", "forkpty", "fork_exec", "_fork_exec", "posix_spawn", "posix_spawnp", "start_new_thread", "_start_new_thread"}


def limit_code(error, resources):
    """
    The stable code when a limit made `error`, else None. `resources` holds the limits that were set on purpose; only these
    are told, except for memory, whose end is the same whoever set it.
    """
    if isinstance(error, MemoryError):
        return "cell/memory-limit"
    if isinstance(error, OSError):
        return _of_errno(error, resources)
    if type(error) is RuntimeError and error.args == ("can't start new thread",):
        if "processes" in resources:
            return "cell/process-limit"
        return "cell/memory-limit" if "memoryBytes" in resources else None
    status = getattr(error, "returncode", None)
    if type(status) is int:
        if status in SIGXFSZ and "fileBytes" in resources:
            return "cell/file-size-limit"
        if status in SIGXCPU and "cpuSeconds" in resources:
            return "cell/cpu-limit"
    return None


def _of_errno(error, resources):
    number = error.errno
    if number == errno.EMFILE and "openFiles" in resources:
        return "cell/open-files-limit"
    if number == errno.EFBIG and "fileBytes" in resources:
        return "cell/file-size-limit"
    if number == errno.ENOMEM and "memoryBytes" in resources:
        return "cell/memory-limit"
    if number == errno.EAGAIN and "processes" in resources and _raised_by_forking(error):
        return "cell/process-limit"
    return None


def _raised_by_forking(error):
    """The same number comes from sockets and pipes that would block."""
    trace = error.__traceback__
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return not FORKING.isdisjoint(trace.tb_frame.f_code.co_names)
