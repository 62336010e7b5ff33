"""`artifacts` and `deps`: named values kept beyond the session, and the packages a cell may import."""

from _artificer.imports import refresh_imports
from _artificer.info import Info, infos


class Artifacts:
    """Named values and files kept beyond the session. Names may be nested: `reports/2024`."""

    def __init__(self, host):
        self._host = host

    def save(
        self,
        name,
        value,
        content_type=None,
        description=None,
        metadata=None,
        if_absent=False,
        if_revision=None,
    ):
        """Keeps a text, bytes or any plain value. `if_absent` refuses to replace; `if_revision` refuses to replace another."""
        params = {"name": name, "value": value}
        if content_type is not None:
            params["contentType"] = content_type
        if description is not None:
            params["description"] = description
        if metadata is not None:
            params["metadata"] = metadata
        if if_absent:
            params["ifAbsent"] = True
        if if_revision is not None:
            params["ifRevision"] = if_revision
        return Info(self._host.call("artifacts.save", params), "artifact", "name")

    def load(self, name):
        """The value as it was saved."""
        return self._host.call("artifacts.load", {"name": name})

    def get(self, name):
        """Its facts: kind, content type, bytes, revision, description, metadata, updatedAt."""
        return Info(self._host.call("artifacts.get", {"name": name}), "artifact", "name")

    def list(self, prefix=None):
        """The facts of all whose name begins with `prefix`."""
        return infos(self._host.call("artifacts.list", {} if prefix is None else {"prefix": prefix}), "artifact", "name")

    def exists(self, name):
        """Whether there is one of this name."""
        return self._host.call("artifacts.exists", {"name": name})

    def delete(self, name):
        """Removes it; tells whether there was one."""
        return self._host.call("artifacts.delete", {"name": name})

    def __repr__(self):
        return "<artifacts: save, load, get, list, exists, delete>"


class Shared:
    """What cells of either language share: `shared.rows`, `dir(shared)`, `"rows" in shared`, `del shared.rows`."""

    __slots__ = ("_host",)

    def __init__(self, host):
        object.__setattr__(self, "_host", host)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._host.call("shared.get", {"name": name})

    def __setattr__(self, name, value):
        self._host.call("shared.set", {"name": name, "value": value})

    def __delattr__(self, name):
        if not self._host.call("shared.delete", {"name": name}):
            # As `shared.name` would fail, with the nearest names.
            self._host.call("shared.get", {"name": name})

    def __getitem__(self, name):
        return self._host.call("shared.get", {"name": name})

    __setitem__ = __setattr__
    __delitem__ = __delattr__

    def _names(self):
        return [facts["name"] for facts in self._host.call("shared.list", {})]

    def __contains__(self, name):
        return name in self._names()

    def __iter__(self):
        return iter(self._names())

    def __len__(self):
        return len(self._names())

    def __dir__(self):
        return sorted(self._names())

    def __repr__(self):
        return "<shared: %s>" % (", ".join(self._names()) or "nothing yet")


def sharing(host):
    """The handles for what cells share, by their names."""

    def share(name, value):
        """Hands a value to cells of either language, as `take(name)` and `shared.<name>`. They get a copy."""
        return host.call("shared.set", {"name": name, "value": value})

    def take(name, table=False):
        """A copy of what was shared by this name. `table=True` makes a pandas DataFrame of records."""
        value = host.call("shared.get", {"name": name})
        if not table:
            return value
        from _artificer.tables import as_frame

        return host.returned(as_frame(value))

    def unshare(name):
        """Lets go of a shared value; tells whether there was one."""
        return host.call("shared.delete", {"name": name})

    functions = {"share": share, "take": take, "unshare": unshare}
    for name, function in functions.items():
        function.__qualname__ = name
        function.__module__ = "artificer"
    return {**functions, "shared": Shared(host)}


class Deps:
    """The packages that the session's code may import."""

    def __init__(self, host):
        self._host = host

    def list(self):
        """Every dep, as `{spec, name, installed}`."""
        return infos(self._host.call("deps.list", {}), "dep", "spec")

    def add(self, spec):
        """Adds and installs one, such as `pandas>=2`."""
        return self._changed(self._host.call("deps.add", {"spec": spec}))

    def remove(self, spec):
        """Removes one; tells whether there was one."""
        return self._changed(self._host.call("deps.remove", {"spec": spec}))

    def sync(self):
        """Installs what is declared and not yet installed."""
        return self._changed(self._host.call("deps.sync", {}))

    @staticmethod
    def _changed(answer):
        refresh_imports()
        return answer

    def __repr__(self):
        return "<deps: list, add, remove, sync>"
