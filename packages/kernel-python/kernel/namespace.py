"""The user's namespace: a real `__main__`, with the handles bound wherever the user keeps no name of the same spelling."""

import builtins
import sys

MISSING = object()
TEXTS = {str}


class Namespace:
    def __init__(self):
        # Kept for the kernel's life: dropping it would empty the globals of the file that started us.
        self._booted_from = sys.modules["__main__"]
        self.module = type(sys)("__main__")
        self.space = vars(self.module)
        self.space["__builtins__"] = builtins
        sys.modules["__main__"] = self.module
        self.handles = {}
        # Which names belong to an engine rather than the user.
        self.hidden = None

    def bind(self, handles):
        """Replaces the handles; a name that the user has taken stays the user's."""
        for name, handle in self.handles.items():
            if handles.get(name) is not handle and self.space.get(name, MISSING) is handle:
                del self.space[name]
        self.handles = handles

    def refresh(self):
        """Before a cell: a handle whose name is free is there again."""
        space = self.space
        for name, handle in self.handles.items():
            if name not in space:
                space[name] = handle
        if "__builtins__" not in space:
            space["__builtins__"] = builtins
        sys.modules["__main__"] = self.module

    def fill(self, space):
        """Binds the handles in another namespace, a skill's."""
        space.update(self.handles)

    def snapshot(self):
        """Which object every name stands for, without keeping the objects alive."""
        space = self.space
        if set(map(type, space)) == TEXTS:
            return dict(zip(space, map(id, space.values())))
        # What is no text is no name, and hashing it could run the user's code.
        return {name: id(value) for name, value in list(space.items()) if type(name) is str}

    def changed(self, before, bound):
        """The user's names that were bound since `before`, or are in `bound`."""
        now = self.snapshot()
        if now == before and not bound:
            return []
        known = before.get
        return self._of_user([name for name, mark in now.items() if known(name) != mark or name in bound], self.space)

    def user_items(self):
        items = {name: value for name, value in list(self.space.items()) if type(name) is str}
        return [(name, items[name]) for name in self._of_user(items, items)]

    def _of_user(self, names, items):
        """Those that are neither ours nor the interpreter's nor an engine's."""
        handles = self.handles
        hidden = self.hidden
        return [
            name
            for name in names
            if not name.startswith("__")
            and (name not in handles or handles[name] is not items.get(name, MISSING))
            and not (hidden and hidden(name))
        ]
