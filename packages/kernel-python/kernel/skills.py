"""`skills`: saved source with a function `run`, found by meaning and run in this kernel."""

import sys
from _contextvars import ContextVar
from time import perf_counter

from _artificer import tracebacks
from _artificer.compile_cell import tolerate_plain_values
from _artificer.encode_value import encode_value
from _artificer.errors import SkillArgumentError, SkillError
from _artificer.info import Info, infos
from _artificer.values import ValueProblem

# The names of the skills that are running, outermost first.
stack = ContextVar("artificer_skill_stack", default=())


class Skills:
    """Saved skills. `skills.search("what I need")` finds them, `skills.<name>(...)` runs one."""

    def __init__(self, host, runner):
        self._host = host
        self._runner = runner

    def list(self, tag=None):
        """Every skill, or those with a tag."""
        return infos(self._host.call("skills.list", {} if tag is None else {"tag": tag}), "skill", "name")

    def search(self, query, limit=None):
        """The skills that fit a description best."""
        params = {"query": query} if limit is None else {"query": query, "limit": limit}
        found = infos(self._host.call("skills.search", params), "skill", "name")
        self._runner.searched(query, found)
        return found

    def get(self, name):
        """One skill with its source."""
        return Info(self._host.call("skills.get", {"name": name}), "skill", "name")

    def create(self, name, source, description="", tags=None, language="python", replace=False):
        """Saves source that defines `run`. `replace` makes a new version of one that is there."""
        params = {"name": name, "source": source, "description": description, "language": language}
        if tags is not None:
            params["tags"] = list(tags)
        if replace:
            params["replace"] = True
        return Info(self._host.call("skills.create", params), "skill", "name")

    def delete(self, name):
        """Removes one; tells whether there was one."""
        return self._host.call("skills.delete", {"name": name})

    def invoke(self, name, /, **args):
        """Runs a skill with arguments by name and returns what its `run` returns."""
        return self._host.returned(self._runner.invoke(name, args))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return SkillHandle(self, name)

    def __getitem__(self, name):
        return SkillHandle(self, name)

    def __dir__(self):
        methods = ["create", "delete", "get", "invoke", "list", "search"]
        try:
            return methods + [skill["name"] for skill in self.list()]
        except Exception:
            return methods

    def __repr__(self):
        return "<skills: list, search, get, create, delete, invoke; skills.<name>(...) runs one>"


class SkillHandle:
    """One skill as a function."""

    def __init__(self, skills, name):
        self._skills = skills
        self.__name__ = name

    def __call__(self, /, *args, **kwargs):
        if args:
            raise SkillArgumentError(
                "skills.%s() takes its arguments by name." % self.__name__, "skill/failed", None, self._text()
            )
        return self._skills.invoke(self.__name__, **kwargs)

    def _text(self):
        skill = self._skills.get(self.__name__)
        return "%s\n\n%s" % (skill.get("signature") or self.__name__, skill.get("description", ""))

    def artificer_help(self):
        return "skills.%s\n" % self._text()

    def __repr__(self):
        return "<skill %s: call it with arguments by name, or help(skills.%s)>" % (self.__name__, self.__name__)


class SkillRunner:
    """Runs loaded skills: each invocation in a fresh module, its code compiled once for each content hash."""

    def __init__(self, host, event_loop, bind_handles):
        self._host = host
        self._event_loop = event_loop
        self._bind_handles = bind_handles
        self._codes = {}
        self._queries = {}

    def searched(self, query, found):
        for skill in found:
            self._queries[skill.get("name")] = query

    def invoke(self, name, args):
        host = self._host
        above = stack.get()
        loaded = host.call("skills.load", {"name": name, "args": carried(args), "stack": list(above)})
        if loaded["language"] != "python":
            return host.call("skills.invoke", {"name": name, "args": args, "stack": list(above)})
        name = loaded["name"]
        token = stack.set(above + (name,))
        started = perf_counter()
        try:
            value = self._run(loaded, args)
        except Exception as error:
            self._used(loaded, started, "%s: %s" % (tracebacks.type_name(error), tracebacks.message_of(error)))
            raise
        finally:
            stack.reset(token)
        self._used(loaded, started, None)
        return value

    def _used(self, loaded, started, problem):
        use = {
            "name": loaded["name"],
            "version": loaded["version"],
            "ok": problem is None,
            "ms": round((perf_counter() - started) * 1000, 3),
        }
        if problem is not None:
            use["error"] = problem[:2000]
        query = self._queries.get(loaded["name"])
        if query is not None:
            use["query"] = query
            if problem is None:
                # One search leads to one lesson, however often the skill is then called.
                del self._queries[loaded["name"]]
        self._host.tell("skills.used", use)

    def _run(self, loaded, args):
        name = loaded["name"]
        module = type(sys)("skill_" + name)
        space = vars(module)
        space["__file__"] = "skill " + name
        space["__builtins__"] = sys.modules["builtins"]
        self._bind_handles(space)
        # Data classes and pickle look a class's module up by its name.
        sys.modules[module.__name__] = module
        exec(self._code(loaded), space)
        run = space.get("run")
        if not callable(run):
            raise SkillError("The skill %s defines no function `run`." % name, "skill/no-run", {"skill": name})
        check_arguments(name, run, args)
        value = run(**args)
        return self._finish(value) if hasattr(value, "__await__") else value

    def _code(self, loaded):
        code = self._codes.get(loaded["hash"])
        if code is None:
            filename = "skill " + loaded["name"]
            tracebacks.remember_always(filename, loaded["source"])
            import _ast

            tree = compile(loaded["source"], filename, "exec", _ast.PyCF_ONLY_AST, True)
            if "await" in loaded["source"]:
                tolerate_plain_values(tree)
            code = self._codes[loaded["hash"]] = compile(tree, filename, "exec", 0, True)
        return code

    def _finish(self, awaitable):
        """Drives an asynchronous `run` to its end, wherever the call came from."""
        import asyncio

        async def wait():
            return await awaitable

        if asyncio._get_running_loop() is None:
            return self._event_loop.run_anywhere(wait())
        # A loop runs in this very thread and is blocked by this call: the skill gets a loop and a thread of its own.
        return run_in_thread(asyncio, wait())


def run_in_thread(asyncio, coroutine):
    import threading

    result = []

    def work():
        try:
            result.append((asyncio.run(coroutine), None))
        except BaseException as error:
            result.append((None, error))

    worker = threading.Thread(target=work, name="artificer-skill", daemon=True)
    worker.start()
    worker.join()
    value, error = result[0]
    if error is not None:
        raise error
    return value


def carried(args):
    """The arguments as the host can read them. The skill runs here, so what can't cross need not: it is sent as None."""
    shown = {}
    for name, value in args.items():
        try:
            encode_value(value, [])
            shown[name] = value
        except ValueProblem:
            shown[name] = None
    return shown


def check_arguments(name, run, args):
    """Names what is missing or unknown, and shows the signature."""
    code = getattr(run, "__code__", None)
    if code is not None and not code.co_posonlyargcount and not hasattr(run, "__wrapped__"):
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        optional = len(run.__defaults__ or ())
        required = set(names[: code.co_argcount - optional])
        required.update(set(names[code.co_argcount :]) - set(run.__kwdefaults__ or ()))
        if required.issubset(args) and (code.co_flags & 0x08 or set(names).issuperset(args)):
            return
    import inspect

    try:
        signature = inspect.signature(run)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(**args)
    except TypeError as problem:
        raise SkillArgumentError(
            "The skill %s: %s." % (name, problem),
            "skill/failed",
            {"allowed": list(signature.parameters)},
            "Its signature is run%s" % signature,
        ) from None
