"""What the encoding and the decoding half of the value codec share."""

NONFINITE = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "-0": -0.0}
MAX_SAFE = 2**53 - 1
DTYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")


class ValueProblem(Exception):
    """A value that can't cross; `code` and `path` as the host's codec gives them."""

    def __init__(self, code, text, hint=None):
        super().__init__(text)
        self.code = code
        self.text = text
        self.hint = hint
        self.steps = []

    @property
    def path(self):
        return "$" + "".join(reversed(self.steps))

    @property
    def message(self):
        return "%s at %s." % (self.text, self.path) if self.steps else self.text + "."

    def error(self):
        """As an error of the wire."""
        return {"code": self.code, "message": self.message, "hint": self.hint, "details": {"path": self.path}}


class BigInt(int):
    """A small integer that is one of TypeScript's big integers, so that it goes back as one. An int in all else."""

    __slots__ = ()


class Map(dict):
    """One of TypeScript's maps, so that it goes back as one even when all of its keys are strings. A dict in all else."""

    __slots__ = ()


class Reference:
    """Stands for a value too large to show. `artifact` names the artifact that keeps the whole of it, if one does."""

    def __init__(self, facts):
        self.__dict__.update(facts)
        self._facts = facts

    # Set by the kernel: loads an artifact by its name.
    _load_artifact = None

    def load(self):
        """The whole value, from the artifact that keeps it."""
        name = self._facts.get("artifact")
        if name is None:
            raise LookupError("No artifact keeps this value; it was too large, or it could not be saved.")
        return Reference._load_artifact(name)

    def __repr__(self):
        facts = self._facts
        return "<reference %s: %s, %s bytes>" % (facts.get("id"), facts.get("type"), facts.get("bytes"))
