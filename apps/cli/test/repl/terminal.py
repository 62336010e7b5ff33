"""Plays a terminal: starts argv[1:] on a pty, then follows the script on stdin: JSON lines {"wait": text} or {"type": text}."""
import json, os, pty, sys

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = ""


def read():
    global seen
    try:
        data = os.read(terminal, 65536)
    except OSError:
        data = b""
    seen += data.decode("utf-8", "replace")
    return bool(data)


for line in sys.stdin:
    step = json.loads(line)
    if "type" in step:
        os.write(terminal, step["type"].encode())
        continue
    while step["wait"] not in seen:
        if not read():
            sys.exit("ended before it told %r:\n%s" % (step["wait"], seen))
    end = seen.index(step["wait"]) + len(step["wait"])
    sys.stdout.write(seen[:end])
    seen = seen[end:]
while read():
    pass
sys.stdout.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
