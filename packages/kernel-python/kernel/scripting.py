"""The small functions that go with the flat scripting form: json_parse, shell_quote, retry."""


def json_parse(text):
    """Parses JSON as tools really write it: control characters inside strings and a byte-order mark are allowed."""
    import json

    if isinstance(text, (bytes, bytearray)):
        text = bytes(text).decode("utf-8", "replace")
    if isinstance(text, str):
        text = text[text.startswith("\ufeff") :]
    return json.loads(text, strict=False)


def shell_quote(text):
    """Quotes a value so that a POSIX shell takes it as one word."""
    import shlex

    return shlex.quote(str(text))


def retry(fn, max_attempts=3, delay=2):
    """Calls `fn()` until it succeeds, at most `max_attempts` times, waiting `delay` seconds, then twice as long each time."""
    import time

    if max_attempts < 1:
        raise ValueError("max_attempts must be at least 1, not %r" % (max_attempts,))
    for attempt in range(1, max_attempts + 1):
        try:
            return fn()
        except Exception:
            if attempt == max_attempts:
                raise
        time.sleep(delay * 2 ** (attempt - 1))


FUNCTIONS = {"json_parse": json_parse, "shell_quote": shell_quote, "retry": retry}
for _function in FUNCTIONS.values():
    _function.__module__ = "artificer_tools"
