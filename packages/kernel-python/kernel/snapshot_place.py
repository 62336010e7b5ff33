"""Where a kernel stands besides its variables: working folder, environment, import path."""

import os
import sys


class Place:
    def __init__(self, compiler):
        self._compiler = compiler
        self._cwd = folder()
        self._env = dict(os.environ)
        self._path = list(sys.path)

    def changes(self):
        """What the cells have changed since the kernel began."""
        env = dict(os.environ)
        cwd = folder()
        return {
            # Empty when it is gone.
            "cwd": None if cwd == self._cwd else cwd or "",
            "env": {name: value for name, value in env.items() if self._env.get(name) != value},
            "unset": [name for name in self._env if name not in env],
            # What `from __future__` has turned on.
            "future": self._compiler.future,
            "path": [entry for entry in self._added() if isinstance(entry, str)],
        }

    def _added(self):
        known = set(self._path)
        for finder in sys.meta_path:
            # What the interpreter's own site-packages brought in is brought in again by itself.
            added = getattr(finder, "added", None)
            if added and type(finder).__module__ == "_artificer.imports":
                known.update(added)
        if self._cwd is not None:
            known.update(os.path.join(self._cwd, entry) for entry in self._path)
        return [entry for entry in sys.path if entry not in known]

    def apply(self, changes):
        """Repeats the changes; returns [(what, why it could not be repeated)]."""
        failed = []
        self._compiler.future |= changes["future"]
        os.environ.update(changes["env"])
        for name in changes["unset"]:
            os.environ.pop(name, None)
        sys.path[:] += [entry for entry in changes["path"] if entry not in sys.path]
        if changes["cwd"] == "":
            failed.append(("the working folder", "it was gone when the variables were saved"))
        elif changes["cwd"] is not None:
            try:
                os.chdir(changes["cwd"])
            except OSError as error:
                failed.append(("the working folder %s" % changes["cwd"], str(error)))
        return failed


def folder():
    try:
        return os.getcwd()
    except OSError:
        return None
