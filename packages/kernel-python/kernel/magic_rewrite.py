"""Turns a cell with magics into Python that means the same, each line where it was."""

import ast

from _artificer.magic_scan import find_magics

CALL = "__artificer_magic__"
TIME = "__artificer_time__"


def rewrite(source, filename, parse, check, spelled=None):
    """
    (tree, Python source) of a cell that does not parse as Python; None when it holds no magics, so that the fault is its own.
    `parse(source)` gives a tree; `check(magics)` raises for those that may not be used; `spelled(magic, timed, raw)` writes
    one as Python, `spell` when it is left out.
    """
    magics = find_magics(source)
    if not magics:
        return None
    check(magics)
    if magics[0].kind == "cell" and magics[0].name == "time":
        return rewrite_timed_cell(source, magics[0], filename, parse, check, spelled)
    originals = source.splitlines()
    lines = list(originals)
    timed = {}
    for magic in magics:
        raw = raw_text(magic, originals)
        lines[magic.line - 1] = magic.indent + (spelled or spell)(magic, timed, raw)
        for index in range(magic.line, magic.line - 1 + magic.lines):
            lines[index] = ""
    changed = "\n".join(lines) + "\n"
    tree = parse_as(parse, changed, originals)
    place(tree, magics, originals)
    if timed:
        splice_timed(tree, timed, parse, originals)
    return tree, changed


def raw_text(magic, originals):
    """As it was written, without its indentation and on one line; a cell magic with its body."""
    rows = originals[magic.line - 1 : magic.line - 1 + magic.lines]
    if magic.kind == "cell":
        return "\n".join(rows) + "\n"
    return " ".join([row.rstrip("\\") for row in rows[:-1]] + rows[-1:]).strip() + "\n"


def spell(magic, timed, _raw):
    assign = "" if magic.target is None else magic.target + " = "
    if magic.kind == "line" and magic.name == "time" and magic.text:
        if assign:
            return "%s%s(%s(), (%s))" % (assign, TIME, TIME, magic.text)
        timed[magic.line] = magic
        return "%s(%d)" % (TIME, magic.line)
    kind = "assign" if assign and magic.kind == "line" else magic.kind
    body = "" if magic.body is None else ", %r" % magic.body
    return "%s%s(%r, %r, %r%s)" % (assign, CALL, kind, magic.name, magic.text, body)


def parse_as(parse, changed, originals):
    """A syntax error shows the line as it was written."""
    try:
        return parse(changed)
    except SyntaxError as error:
        if error.lineno and error.lineno <= len(originals):
            error.text = originals[error.lineno - 1] + "\n"
        raise error from None


def place(tree, magics, originals):
    """A traceback that points at a magic points at the whole of its line."""
    starts = {magic.line: (len(magic.indent), len(originals[magic.line - 1].encode("utf-8", "replace"))) for magic in magics}
    for node in ast.walk(tree):
        where = starts.get(getattr(node, "lineno", None))
        if where:
            node.col_offset, node.end_col_offset = where
            node.end_lineno = node.lineno


def splice_timed(tree, timed, parse, originals):
    """`%time statement` becomes the statement itself between two looks at the clock: it may await, bind and span a block."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                for index in range(len(statements) - 1, -1, -1):
                    magic = timed.get(timed_line(statements[index]))
                    if magic is not None:
                        statements[index : index + 1] = timed_statements(magic, parse, originals)


def timed_line(statement):
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == TIME and call.args:
        return call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    return None


def timed_statements(magic, parse, originals):
    shift = originals[magic.line - 1].find(magic.text)
    inner = parse_as(parse, "\n" * (magic.line - 1) + magic.text, originals)
    for node in ast.walk(inner):
        if hasattr(node, "col_offset"):
            node.col_offset += shift
            node.end_col_offset += shift
    return between_clocks(inner.body, magic.line)


def between_clocks(statements, line):
    """The statements with the clock read before and after; a last expression stays the last value."""
    begin = clock_call([], line)
    last = statements[-1] if statements else None
    if len(statements) == 1 and isinstance(last, ast.Expr):
        last.value = at(ast.Call(name(line), [begin, last.value], []), last.value)
        return [last]
    if isinstance(last, ast.Expr):
        last.value = at(ast.Call(name(line), [ast.Constant("end"), last.value], []), last.value)
        ast.fix_missing_locations(last)
        return [clock_call(["begin"], line, True), *statements]
    return [clock_call(["begin"], line, True), *statements, clock_call(["end"], line, True)]


def name(line):
    node = ast.Name(TIME, ast.Load())
    return put(node, line)


def clock_call(arguments, line, statement=False):
    call = ast.Call(name(line), [put(ast.Constant(text), line) for text in arguments], [])
    return put(ast.Expr(put(call, line)) if statement else call, line)


def put(node, line):
    node.lineno = node.end_lineno = line
    node.col_offset = node.end_col_offset = 0
    return node


def at(node, model):
    ast.copy_location(node, model)
    return ast.fix_missing_locations(node)


def rewrite_timed_cell(source, magic, filename, parse, check, spelled):
    """`%%time`: the rest of the cell, magics and all, is timed; a statement behind the magic's name is run first, untimed."""
    body = "\n" * magic.line + magic.body
    originals = source.splitlines()
    try:
        tree, changed = parse(body), body
    except SyntaxError:
        rewritten = rewrite(body, filename, parse, check, spelled)
        if rewritten is None:
            tree, changed = parse_as(parse, body, originals), body
        else:
            tree, changed = rewritten
    before = parse_as(parse, "\n" * (magic.line - 1) + magic.text, originals).body if magic.text else []
    tree.body = before + between_clocks(tree.body, magic.line)
    return tree, changed
