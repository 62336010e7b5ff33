"""`source.analyze`: reads source by Python's own parser, running none of it."""

import ast


def analyze(source, entry):
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        problem = {"message": error.msg or "invalid syntax", "line": error.lineno or 1}
        if error.offset:
            problem["column"] = error.offset
        return {"syntaxError": problem, "imports": [], "tools": [], "skills": []}
    except (ValueError, RecursionError, MemoryError) as error:
        problem = {"message": str(error) or "nested too deeply", "line": 1}
        return {"syntaxError": problem, "imports": [], "tools": [], "skills": []}
    result = {"imports": imports(tree)}
    result["tools"], result["skills"] = used(tree)
    for statement in tree.body:
        # The last definition is the one that counts when the source runs.
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == entry:
            result["entry"] = describe(statement)
    return result


def describe(function):
    found = {
        "parameters": parameters(function.args),
        "async": isinstance(function, ast.AsyncFunctionDef),
        "line": function.lineno,
    }
    if function.returns is not None:
        found["returns"] = ast.unparse(function.returns)
    doc = ast.get_docstring(function)
    if doc:
        found["doc"] = doc
    return found


def parameters(arguments):
    shown = []
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    for argument, default in zip(positional, defaults):
        shown.append(parameter(argument, default, "positional"))
    if arguments.vararg:
        shown.append(parameter(arguments.vararg, None, "rest", False))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        shown.append(parameter(argument, default, "keyword"))
    if arguments.kwarg:
        shown.append(parameter(arguments.kwarg, None, "keyword-rest", False))
    return shown


def parameter(argument, default, kind, required=True):
    shown = {
        "name": argument.arg,
        "type": ast.unparse(argument.annotation) if argument.annotation else "any",
        "required": required and default is None,
        "kind": kind,
    }
    if default is not None:
        shown["default"] = ast.unparse(default)
    return shown


def imports(tree):
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return sorted(names)


SKILL_METHODS = frozenset(("list", "search", "get", "create", "delete", "invoke"))


def used(tree):
    """(tools as `toolkit.tool`, skills) that the source names literally."""
    tools = set()
    skills = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "artificer_tools":
            tools.update(alias.name for alias in node.names if alias.name not in ("*", "json_parse", "shell_quote", "retry"))
        if not isinstance(node, ast.Call):
            continue
        path = dotted(node.func)
        if path[:1] == ["tools"] and len(path) == 3:
            tools.add(".".join(path[1:]))
        elif path[:1] == ["tools"] and len(path) == 2 and "." in path[1]:
            tools.add(path[1])
        elif path == ["skills", "invoke"] and node.args and isinstance(node.args[0], ast.Constant):
            if isinstance(node.args[0].value, str):
                skills.add(node.args[0].value)
        elif path[:1] == ["skills"] and len(path) == 2 and path[1] not in SKILL_METHODS:
            skills.add(path[1])
    return sorted(tools), sorted(skills)


def dotted(node):
    """`a.b["c"].d` as a list of names; empty when it is anything else."""
    names = []
    while True:
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            names.append(node.slice.value)
            node = node.value
        elif isinstance(node, ast.Name):
            names.append(node.id)
            return names[::-1]
        else:
            return []
