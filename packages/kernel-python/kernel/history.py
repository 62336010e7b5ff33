"""The values of the last cells: `_`, `__`, `___`, `_3` and `Out[3]`, as builtins, so that the user's own names come first."""

import builtins

# Whoever returned a value once does not expect it to be kept for ever.
MAX_VALUES = 20
MAX_LARGE = 4
RECENT = ("_", "__", "___")
MISSING = object()


class Outputs(dict):
    """`Out`: cell number -> value. `Out.clear()` lets go of all of them."""

    def __missing__(self, cell):
        kept = ", ".join(map(str, self)) or "none"
        raise KeyError("Out[%r] is not kept: only the last %d values are, now those of cells %s" % (cell, MAX_VALUES, kept))


class History:
    def __init__(self):
        self.values = Outputs()
        self._large = []
        # Our own entries, to tell them from what the user put there.
        self._set = {}
        # Cell number -> the name under which its value is found.
        self._names = {}

    def add(self, cell, value):
        self.values.pop(cell, None)
        self.values[cell] = value
        self._names[cell] = "_%d" % cell
        while len(self.values) > MAX_VALUES:
            del self.values[next(iter(self.values))]

    def large(self, cell):
        """Of large values fewer are kept. Returns the expression that stands for this one in later cells."""
        self._large.append(cell)
        while len(self._large) > MAX_LARGE:
            self.values.pop(self._large.pop(0), None)
        return "_%d" % cell

    def bind(self):
        """Before a cell: the names are what they should be."""
        space = vars(builtins)
        found = space.get
        names = self._names
        wanted = {names.get(cell) or "_%d" % cell: value for cell, value in self.values.items() if type(cell) is int}
        if len(names) > 2 * MAX_VALUES:
            self._names = {cell: name for cell, name in names.items() if cell in self.values}
        recent = list(self.values.values())[-1 : -len(RECENT) - 1 : -1]
        wanted.update(zip(RECENT, recent))
        wanted["Out"] = self.values
        ours = self._set
        for name in ours.keys() - wanted.keys():
            if found(name, MISSING) is ours[name]:
                del space[name]
        # What somebody else has put there, gettext its `_` for one, stays.
        known = ours.get
        self._set = {
            name: value
            for name, value in wanted.items()
            if (there := found(name, MISSING)) is MISSING or there is known(name, MISSING)
        }
        space.update(self._set)
