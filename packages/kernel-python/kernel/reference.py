"""What is told of a value too large to show: its type, shape and size, how it begins and how it ends."""

from _artificer.present import byte_size
from _artificer.tracebacks import message_of

HEAD_CHARS = 600
TAIL_CHARS = 300
MAX_DEPTH = 20
BRACKETS = {list: "[]", tuple: "()", set: "{}", frozenset: "{}", dict: "{}"}


def describe(value, identity, encoded_bytes, max_chars):
    size = encoded_bytes if encoded_bytes is not None else byte_size(value) or 0
    facts = {"id": identity, "type": type(value).__name__, "bytes": size}
    shape = shape_of(value)
    if shape is not None:
        facts["shape"] = shape
    facts["head"], facts["tail"] = ends(value, min(HEAD_CHARS, max_chars * 2 // 3), min(TAIL_CHARS, max_chars // 3))
    return facts


def shape_of(value):
    try:
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and all(type(size) is int for size in shape):
            return list(shape)
        return [len(value)]
    except Exception:
        return None


def ends(value, head_chars, tail_chars):
    """(head, tail) of the value's repr, writing out little more than that of it. The tail is empty when the head is all."""
    try:
        head = "".join(pieces(value, head_chars, False, 0))
        if len(head) <= head_chars:
            return head, ""
        tail = "".join(reversed(list(pieces(value, tail_chars, True, 0))))
        return head[:head_chars], tail[-tail_chars:]
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return "<%s; its __repr__ raised %s: %s>" % (type(value).__name__, type(error).__name__, message_of(error)), ""


def pieces(value, budget, backward, depth):
    """The repr in pieces, forward or backward, until they hold more than `budget` characters."""
    kind = type(value)
    if kind in (str, bytes) and len(value) > budget:
        yield repr(value[-budget - 1 :] if backward else value[: budget + 1])
        return
    if kind not in BRACKETS or not value or depth > MAX_DEPTH:
        text = repr(value)
        # An array's repr may be long as well; only as much is handed on as is wanted, and one more to tell.
        yield text[-budget - 1 :] if backward else text[: budget + 1]
        return
    left, right = BRACKETS[kind]
    yield right if backward else left
    items = reversed(list(value) if kind in (set, frozenset) else value) if backward else iter(value)
    first = True
    for item in items:
        if not first:
            yield ", "
            budget -= 2
        first = False
        parts = (item,) if kind is not dict else (value[item], item) if backward else (item, value[item])
        for at, part in enumerate(parts):
            if at:
                yield ": "
                budget -= 2
            for text in pieces(part, max(budget, 0), backward, depth + 1):
                budget -= len(text)
                yield text
        if budget < 0:
            return
    yield left if backward else right
