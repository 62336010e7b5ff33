/** Python that the attempts share: system calls by number, and the outcome of trying something. */
export const preamble = `
import ctypes, errno, os, platform, signal, socket, stat
libc = ctypes.CDLL(None, use_errno=True)
on_x64 = platform.machine() == "x86_64"
def call(x64, arm64, *args):
    "The error's name, or the result"
    result = libc.syscall(x64 if on_x64 else arm64, *args)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result
def told(action):
    try:
        return action()
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)
def reads(path):
    return told(lambda: open(path, "rb").read(64) and "read")
def writes(path):
    "Opens for writing and writes nothing: the machine's settings are among what is tried"
    return told(lambda: open(path, "ab", 0).close() or "written")
`;
