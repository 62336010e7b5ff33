"""Turns a cell's source into code: what runs, and the last expression, which is the cell's value."""

import _ast

TOP_LEVEL_AWAIT = _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
ONLY_AST = _ast.PyCF_ONLY_AST
# barry_as_FLUFL, generator_stop, annotations: what `from __future__` can still change.
FUTURE = 0x400000 | 0x800000 | 0x1000000
COROUTINE = 0x80
# Longer cells than this, and those with one of these characters, are seldom a single expression.
SHORT = 500
UNTRIED = frozenset("\n;=\\")
# The name under which compiled cells find the function that lets a plain value be awaited.
AWAITABLE = "__artificer_awaitable__"


class CellCompiler:
    def __init__(self):
        # As in an interactive interpreter, a future statement holds for the cells after it.
        self.future = 0
        # How a cell that is no Python may be made Python: (source, filename, parse) -> (tree, source), or None.
        self.rewrite = None
        # What is done to every tree before it is compiled.
        self.transform_tree = None
        # The Python that the last cell was compiled from: its source, unless that was rewritten.
        self.compiled = ""

    def compile(self, source, filename):
        """(body or None, value or None, names): two code objects and the names that the body's statements bind."""
        flags = TOP_LEVEL_AWAIT | self.future
        if self.transform_tree is None:
            value = expression(source, filename, flags)
            if value is not None:
                self.compiled = source
                return None, value, ()
        try:
            tree = compile(source, filename, "exec", flags | ONLY_AST, True)
        except SyntaxError:
            rewritten = self._rewritten(source, filename, flags)
            if rewritten is None:
                raise
            tree, source = rewritten
        self.compiled = source
        if self.transform_tree is not None:
            tree = self.transform_tree(tree)
        if "await" in source:
            tolerate_plain_values(tree)
        body = tree.body
        last = None
        if body and type(body[-1]) is _ast.Expr and not ends_with_semicolon(source, body[-1]):
            last = body.pop().value
        names = set()
        for statement in body:
            bound_names(statement, names)
        code = value = None
        if body:
            code = compile(tree, filename, "exec", flags, True)
            self.future |= code.co_flags & FUTURE
        if last is not None:
            value = compile(_ast.Expression(last), filename, "eval", TOP_LEVEL_AWAIT | self.future, True)
        return code, value, names

    def _rewritten(self, source, filename, flags):
        """Valid Python never comes here, so nothing in it can be taken for a magic."""
        if self.rewrite is None or not ("%" in source or "!" in source or "?" in source):
            return None
        return self.rewrite(source, filename, lambda text: compile(text, filename, "exec", flags | ONLY_AST, True))


def expression(source, filename, flags):
    """
    The code of a cell that is one plain expression, as very many are: compiled at once, without a tree between. None for all
    others, those with errors too, which the usual way tells. What can't be one, or could be warned of twice, is not tried.
    """
    if len(source) > SHORT or not UNTRIED.isdisjoint(source) or "await" in source:
        return None
    try:
        return compile(source, filename, "eval", flags, True)
    except Exception:
        return None


def ends_with_semicolon(source, statement):
    """`x;` at the end of a cell keeps the value to itself."""
    if ";" not in source:
        return False
    lines = source.encode("utf-8", "surrogatepass").splitlines(True)
    rest = lines[statement.end_lineno - 1][statement.end_col_offset :]
    rest += b"".join(lines[statement.end_lineno :])
    return rest.lstrip(b" \t\f\r\n\\").startswith(b";")


def tolerate_plain_values(tree):
    """
    Rewrites `await f(...)` to `await __artificer_awaitable__(f(...))`, which passes awaitables through and lets the value
    that a blocking handle has just returned be awaited too. Lines and columns stay as they were.
    """
    stack = [tree]
    while stack:
        node = stack.pop()
        if type(node) is _ast.Await and type(node.value) is _ast.Call:
            call = node.value
            where = {
                "lineno": call.lineno,
                "col_offset": call.col_offset,
                "end_lineno": call.end_lineno,
                "end_col_offset": call.end_col_offset,
            }
            function = _ast.Name(AWAITABLE, _ast.Load(), **where)
            node.value = _ast.Call(function, [call], [], **where)
            stack.append(call)
            continue
        for field in node._fields:
            child = getattr(node, field, None)
            if type(child) is list:
                stack.extend(item for item in child if isinstance(item, _ast.AST))
            elif isinstance(child, _ast.AST):
                stack.append(child)


def bound_names(statement, names):
    """The names that a statement binds plainly; what is bound in deeper ways shows by comparing the namespace."""
    kind = type(statement)
    if kind in (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef):
        names.add(statement.name)
    elif kind is _ast.Assign:
        for target in statement.targets:
            target_names(target, names)
    elif kind in (_ast.AugAssign, _ast.AnnAssign):
        target_names(statement.target, names)
    elif kind in (_ast.Import, _ast.ImportFrom):
        for alias in statement.names:
            names.add(alias.asname or alias.name.partition(".")[0])


def target_names(target, names):
    if type(target) is _ast.Name:
        names.add(target.id)
    elif type(target) in (_ast.Tuple, _ast.List):
        for item in target.elts:
            target_names(item, names)
    elif type(target) is _ast.Starred:
        target_names(target.value, names)
