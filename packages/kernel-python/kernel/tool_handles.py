"""`tools.<toolkit>.<tool>(...)` and, under a toolkit's own name, its asynchronous form."""

from sys import _getframe

from _artificer.errors import ToolArgumentError, ToolNotFoundError, nearest
from _artificer.host import AsyncCall
from _artificer.info import infos


def named(names, none):
    """Names for an answer; of very many the first."""
    rest = len(names) - 50
    return (", ".join(names[:50]) or none) + (', and %d more: tools.search("...")' % rest if rest > 0 else "")


class Tool:
    """A tool as a function. Its signature, its help and its checks come from one table, the host's."""

    def __init__(self, host, toolkit, binding, asynchronous):
        self._host = host
        self._toolkit = toolkit
        self._binding = binding
        self._asynchronous = asynchronous
        parameters = binding["parameters"]
        self._known = frozenset(p["identifier"] for p in parameters)
        self._required = frozenset(p["identifier"] for p in parameters if p["required"])
        self._names = {p["identifier"]: p["name"] for p in parameters}
        self._renamed = any(identifier != name for identifier, name in self._names.items())
        self._open = binding.get("open", False)
        self._nullable = frozenset(p["identifier"] for p in parameters if p["required"] or "None" in p["type"])
        self.__name__ = binding["identifier"]
        self.__qualname__ = self._path()
        self.__module__ = "artificer_tools"

    def _path(self):
        prefix = "" if self._asynchronous else "tools."
        name = self._toolkit.get("global") if self._asynchronous else self._toolkit["identifier"]
        return "%s%s.%s" % (prefix, name, self._binding["identifier"])

    def __call__(self, /, *args, **kwargs):
        if args or self._renamed or not self._known.issuperset(kwargs) or not self._required.issubset(kwargs):
            kwargs = self._bind(args, kwargs)
        for value in kwargs.values():
            if value is None:
                # An optional parameter's signature says `= None`, which means: not given.
                names = self._names
                kept = {names.get(name, name) for name in self._nullable}
                known = set(names.values())
                kwargs = {k: v for k, v in kwargs.items() if v is not None or k in kept or k not in known}
                break
        params = {"toolkit": self._toolkit["name"], "tool": self._binding["name"], "args": kwargs}
        caller = _getframe(1)
        if caller.f_code.co_filename == "cell %d" % self._host.cell():
            # Shown to whoever is asked to approve the call.
            params["line"] = caller.f_lineno
        if self._asynchronous:
            return AsyncCall(self._host, "tools.call", params, "%s.%s" % (params["toolkit"], params["tool"]))
        return self._host.call("tools.call", params)

    def _bind(self, args, kwargs):
        """The arguments under the tool's own names."""
        parameters = self._binding["parameters"]
        if len(args) > len(parameters):
            raise self._wrong("takes at most %d positional arguments, not %d" % (len(parameters), len(args)), "unknown")
        given = {}
        for parameter, value in zip(parameters, args):
            if parameter["identifier"] in kwargs:
                raise self._wrong("got %r twice" % parameter["identifier"], "unknown")
            given[parameter["name"]] = value
        originals = set(self._names.values())
        for name, value in kwargs.items():
            if name in self._names:
                given[self._names[name]] = value
            elif name in originals or self._open:
                given[name] = value
            else:
                raise self._wrong("has no argument %r.%s" % (name, nearest(name, self._names)), "unknown")
        missing = [p["identifier"] for p in parameters if p["required"] and p["name"] not in given]
        if missing:
            raise self._wrong("needs %s" % ", ".join(map(repr, missing)), "missing")
        return given

    def _wrong(self, what, kind):
        return ToolArgumentError(
            "%s() %s" % (self._path(), what),
            "tool/%s-argument" % kind,
            {"allowed": [p["identifier"] for p in self._binding["parameters"]]},
            "Its signature is %s" % self._text(),
        )

    def _text(self):
        """`tools.curl.get(url: str, timeout: int = 30) -> str`"""
        shown = []
        for parameter in self._binding["parameters"]:
            text = "%s: %s" % (parameter["identifier"], parameter["type"])
            if not parameter["required"]:
                text += " = %r" % (parameter.get("default"),)
            shown.append(text)
        if self._open:
            shown.append("**more")
        return "%s(%s) -> %s" % (self._path(), ", ".join(shown), self._binding["returns"])

    @property
    def __signature__(self):
        import inspect

        parameters = []
        # A required parameter after an optional one can only be given by name.
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        optional = False
        for parameter in self._binding["parameters"]:
            if parameter["required"] and optional:
                kind = inspect.Parameter.KEYWORD_ONLY
            optional = optional or not parameter["required"]
            default = inspect.Parameter.empty if parameter["required"] else parameter.get("default")
            parameters.append(
                inspect.Parameter(parameter["identifier"], kind, default=default, annotation=parameter["type"])
            )
        if self._open:
            parameters.append(inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD))
        return inspect.Signature(parameters, return_annotation=self._binding["returns"])

    @property
    def __doc__(self):
        lines = [self._binding.get("description") or ""]
        described = [p for p in self._binding["parameters"] if p.get("description")]
        if described:
            lines += ["", "Arguments:"] + ["  %s: %s" % (p["identifier"], p["description"]) for p in described]
        return "\n".join(lines).strip()

    def artificer_help(self):
        form = "await " if self._asynchronous else ""
        return "%s%s\n\n%s\n" % (form, self._text(), self.__doc__)

    def __repr__(self):
        description = (self._binding.get("description") or "").partition("\n")[0]
        return "<tool %s%s>" % (self._text(), ": " + description if description else "")


class Toolkit:
    """A toolkit: its tools are attributes, or items under their original names."""

    def __init__(self, host, binding, asynchronous):
        self.__dict__["_artificer"] = (host, binding, asynchronous)

    def __getattr__(self, name):
        host, binding, asynchronous = self.__dict__["_artificer"]
        for tool in binding["tools"]:
            if tool["identifier"] == name:
                made = Tool(host, binding, tool, asynchronous)
                # The next access finds it without coming here.
                self.__dict__[name] = made
                return made
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._missing(name)

    def __getitem__(self, name):
        _, binding, _ = self.__dict__["_artificer"]
        for tool in binding["tools"]:
            if tool["name"] == name:
                return getattr(self, tool["identifier"])
        raise self._missing(name)

    def _missing(self, name):
        _, binding, _ = self.__dict__["_artificer"]
        names = [tool["identifier"] for tool in binding["tools"]]
        return ToolNotFoundError(
            "The toolkit %s has no tool %r.%s" % (binding["name"], name, nearest(name, names)),
            "tool/unknown-tool",
            {"available": names},
            "It has: %s." % named(names, "no tools"),
        )

    def __dir__(self):
        return sorted(tool["identifier"] for tool in self.__dict__["_artificer"][1]["tools"])

    def __iter__(self):
        return iter([getattr(self, tool["identifier"]) for tool in self.__dict__["_artificer"][1]["tools"]])

    @property
    def __doc__(self):
        return self.__dict__["_artificer"][1].get("description") or ""

    def artificer_help(self):
        return "%s\n%s" % (self.__doc__, "".join("\n" + tool.artificer_help() for tool in self))

    def __repr__(self):
        _, binding, asynchronous = self.__dict__["_artificer"]
        names = ", ".join(tool["identifier"] for tool in binding["tools"])
        return "<%stoolkit %s: %s>" % ("asynchronous " if asynchronous else "", binding["name"], names)


class Tools:
    """Every tool of the host. `tools.catalog()`, `tools.search(text)` and `tools.list()` tell them; `help(tools.x.y)` explains one."""

    def __init__(self, host):
        self.__dict__["_artificer"] = (host, {})

    def _bind(self, toolkits):
        host, _ = self.__dict__["_artificer"]
        self.__dict__.clear()
        self.__dict__["_artificer"] = (host, {toolkit["identifier"]: toolkit for toolkit in toolkits})

    def list(self):
        """Every tool, as `{path, description, signature}`."""
        return infos(self.__dict__["_artificer"][0].call("tools.list", {}), "tool", "path")

    def search(self, query, limit=None):
        """The tools that fit a description best, as `list` gives them, with a score."""
        params = {"query": query} if limit is None else {"query": query, "limit": limit}
        return infos(self.__dict__["_artificer"][0].call("tools.search", params), "tool", "path")

    def catalog(self, budget=None):
        """The tools as a text of about that many tokens; its first line says COMPLETE or PARTIAL."""
        host = self.__dict__["_artificer"][0]
        return host.call("tools.catalog", {} if budget is None else {"budget": budget})

    def __getattr__(self, name):
        host, toolkits = self.__dict__["_artificer"]
        toolkit = toolkits.get(name)
        if toolkit is not None:
            made = self.__dict__[name] = Toolkit(host, toolkit, False)
            return made
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._missing(name)

    def __getitem__(self, name):
        host, toolkits = self.__dict__["_artificer"]
        for toolkit in toolkits.values():
            if toolkit["name"] == name:
                # Not through the attribute: a toolkit may be called `list`.
                return Toolkit(host, toolkit, False)
        inside = None
        for toolkit in toolkits.values():
            # Names may hold dots themselves: `a.b.c` is `c` of `a.b` or `b.c` of `a`, whichever there is.
            if name.startswith(toolkit["name"] + "."):
                inside = toolkit
                rest = name[len(toolkit["name"]) + 1 :]
                if any(tool["name"] == rest for tool in toolkit["tools"]):
                    return Toolkit(host, toolkit, False)[rest]
        if inside is not None:
            return Toolkit(host, inside, False)[name[len(inside["name"]) + 1 :]]
        raise self._missing(name)

    def _missing(self, name):
        names = list(self.__dict__["_artificer"][1])
        return ToolNotFoundError(
            "There is no toolkit %r.%s" % (name, nearest(name, names)),
            "tool/unknown-toolkit",
            {"available": names},
            "There are: %s." % named(names, "none"),
        )

    def __dir__(self):
        return ["catalog", "list", "search"] + sorted(self.__dict__["_artificer"][1])

    def __iter__(self):
        return iter([getattr(self, name) for name in self.__dict__["_artificer"][1]])

    def __repr__(self):
        return "<tools: %s>" % (", ".join(self.__dict__["_artificer"][1]) or "none")
