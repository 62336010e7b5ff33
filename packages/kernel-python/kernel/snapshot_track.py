"""What the cells may have changed since the last snapshot, read from their code, and the definitions they hold."""

import _ast
from types import CodeType, FunctionType, MethodType

from _artificer.compile_cell import ONLY_AST, TOP_LEVEL_AWAIT, bound_names

OPTIMIZED = 0x1
# Code that uses one of these can reach any variable without naming it.
ANYTHING = frozenset(
    "globals locals vars eval exec __main__ __globals__ f_globals f_locals modules __import__ import_module"
    " get_objects get_referrers get_referents run_path run_module ctypes __builtins__"
    # Magics take code as text.
    " get_ipython __artificer_magic__ __artificer_time__".split()
)
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
# Statements remembered of one name: the cells of the later ones may have failed before they came to them.
MAX_DEFINITIONS = 20
MAX_PENDING = 200
DEFINITIONS = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)


class Definition:
    """One statement of a cell that made a function or class, enough to run it again."""

    __slots__ = ("name", "kind", "source", "filename", "line", "last", "future")

    def __init__(self, *facts):
        for slot, fact in zip(self.__slots__, facts):
            setattr(self, slot, fact)

    def facts(self):
        return tuple(getattr(self, slot) for slot in self.__slots__)

    def compile(self, bare=False):
        """`bare`: without its decorators."""
        padded = "\n" * (self.line - 1) + self.source
        tree = compile(padded, self.filename, "exec", ONLY_AST | TOP_LEVEL_AWAIT | self.future, True)
        if bare and type(tree.body[0]) in DEFINITIONS:
            tree.body[0].decorator_list = []
        return compile(tree, self.filename, "exec", self.future, True)

    def made(self, value):
        """Whether `value` is what this statement made, as far as can be told."""
        function = inner_function(value)
        if function is not None:
            code = function.__code__
            return code.co_filename == self.filename and self.line <= code.co_firstlineno <= self.last
        if self.kind == "lambda" or getattr(value, "__module__", None) != "__main__":
            return False
        if not isinstance(value, type):
            return self.kind == "call" and type(value).__module__ == "typing"
        if value.__qualname__ != self.name:
            return False
        cells = {
            member.__code__.co_filename
            for member in vars(value).values()
            if isinstance(member, FunctionType) and member.__code__.co_filename.startswith("cell ")
        }
        return self.kind == "call" or self.filename in cells or not cells


def inner_function(value):
    """The function under decorators that keep to the custom of `__wrapped__`."""
    for _ in range(20):
        if isinstance(value, FunctionType):
            wrapped = vars(value).get("__wrapped__")
            if wrapped is None:
                return value
        elif isinstance(value, (type, MethodType)):
            return None
        else:
            try:
                wrapped = object.__getattribute__(value, "__wrapped__")
            except Exception:
                return None
        value = wrapped
    return None


class Tracker:
    def __init__(self):
        self._pending = []
        # Names used inside functions: those may be called at any time, by a thread or an operator too.
        self._always = set()
        self.dirty = set()
        self.all_dirty = False
        self.definitions = {}
        self.imports = {}

    def compiled(self, source, filename, future, codes):
        """Called before a cell runs; the reading is left for the next snapshot."""
        self._pending.append((source, filename, future, codes))

    def catch_up(self):
        """Between cells. Whoever has stopped saving, or never idles, does not leave it to grow."""
        if len(self._pending) >= MAX_PENDING:
            self.refresh()

    def refresh(self):
        """Brings `dirty`, `definitions` and `imports` up to date with the cells that ran."""
        pending, self._pending = self._pending, []
        for source, filename, future, codes in pending:
            for code in codes:
                if code is not None:
                    self._read_code(code, self.dirty)
            self._read_source(source, filename, future)
        self.dirty |= self._always

    def _read_code(self, code, names):
        names.update(code.co_names)
        names.update(code.co_varnames, code.co_cellvars, code.co_freevars)
        if not ANYTHING.isdisjoint(code.co_names):
            self.all_dirty = True
        for constant in code.co_consts:
            if constant == ("*",):
                self.all_dirty = True
            elif isinstance(constant, CodeType):
                immediate = constant.co_name in COMPREHENSIONS or not constant.co_flags & OPTIMIZED
                self._read_code(constant, names if immediate else self._always)

    def _read_source(self, source, filename, future):
        try:
            tree = compile(source, filename, "exec", ONLY_AST | TOP_LEVEL_AWAIT | future, True)
        except SyntaxError:
            # Rewritten in a way that only its tree shows: what it defined is kept as values, if at all.
            self.all_dirty = True
            return
        lines = source.encode("utf-8", "surrogatepass").splitlines(True)
        for statement in tree.body:
            kind = type(statement)
            if kind is _ast.Import:
                for alias in statement.names:
                    self.imports[alias.name] = None
            definition = definition_of(statement, lines, filename, future)
            if definition is not None:
                made = self.definitions.setdefault(definition.name, [])
                made.append(definition)
                # Nobody asks for those of a name that is only ever given the results of calls.
                del made[:-MAX_DEFINITIONS]
                continue
            names = set()
            bound_names(statement, names)
            if kind is not _ast.AnnAssign or statement.value is not None:
                for name in names:
                    self.definitions.pop(name, None)

    def definition(self, name, value):
        """The statement that made `value`, if it was one that can be run again. A cell may have failed before its own."""
        for definition in reversed(self.definitions.get(name, ())):
            if definition.made(value):
                self.definitions[name] = [definition]
                return definition
        return None


def definition_of(statement, lines, filename, future):
    kind = type(statement)
    if kind in DEFINITIONS:
        line = min([statement.lineno] + [decorator.lineno for decorator in statement.decorator_list])
        text = b"".join(lines[line - 1 : statement.end_lineno])
        word = "class" if kind is _ast.ClassDef else "def"
        return Definition(statement.name, word, decode(text), filename, line, statement.end_lineno, future)
    if kind is not _ast.Assign or len(statement.targets) != 1 or type(statement.targets[0]) is not _ast.Name:
        return None
    word = {_ast.Lambda: "lambda", _ast.Call: "call"}.get(type(statement.value))
    if word is None:
        return None
    # A call may have made anything; `made` asks later whether it was a class.
    rows = lines[statement.lineno - 1 : statement.end_lineno]
    rows[-1] = rows[-1][: statement.end_col_offset]
    rows[0] = rows[0][statement.col_offset :]
    name = statement.targets[0].id
    return Definition(name, word, decode(b"".join(rows)), filename, statement.lineno, statement.end_lineno, future)


def decode(text):
    return text.decode("utf-8", "surrogatepass")


def immediate_names(code):
    """The global names that running a definition's statement looks up there and then."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name in COMPREHENSIONS or not constant.co_flags & OPTIMIZED:
                names |= immediate_names(constant)
    return names


def all_names(code):
    """The global names that code uses, its functions included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= all_names(constant)
    return names
