"""The user's namespace: a real `__main__`, with the handles bound wherever the user keeps no name of the same spelling."""

import builtins
import sys

MISSING = object()


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
        return dict(zip(self.space, map(id, self.space.values())))

    def changed(self, before, bound):
        """The user's names that were bound since `before`, or are in `bound`."""
        return [name for name, value in self.user_items() if before.get(name) != id(value) or name in bound]

    def user_items(self):
        handles = self.handles
        hidden = self.hidden
        return [
            (name, value)
            for name, value in list(self.space.items())
            if type(name) is str
            and not name.startswith("__")
            and handles.get(name, MISSING) is not value
            and not (hidden and hidden(name))
        ]
