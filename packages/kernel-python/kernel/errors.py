"""The exceptions that cells can catch; importable from `artificer_tools`."""


class ArtificerError(Exception):
    """Anything the host refused or failed to do. `code` is stable, `details` holds facts, `hint` says how to mend it."""

    def __init__(self, message, code="internal/fault", details=None, hint=None):
        super().__init__(message)
        self.message = message
        self.code = code
        self.details = details or {}
        self.hint = hint

    def __str__(self):
        return "%s\nHint: %s" % (self.message, self.hint) if self.hint else self.message

    def __reduce__(self):
        return type(self), (self.message, self.code, self.details, self.hint)


class ToolError(ArtificerError):
    """A tool call that failed or was refused."""


class SkillError(ArtificerError):
    """A skill that could not be saved, found or run."""


class ArtifactError(ArtificerError):
    """An artifact that could not be saved or loaded."""


class SharedError(ArtificerError):
    """A value that could not be shared or taken."""


class NotSharedError(SharedError, AttributeError, KeyError):
    """Nothing is shared by that name."""

    __str__ = ArtificerError.__str__


class DepError(ArtificerError):
    """A dep that could not be added or removed."""


class ToolNotFoundError(ToolError, AttributeError):
    """There is no such toolkit or tool."""


class ToolImportError(ToolError, ImportError):
    """`from artificer_tools import` names a tool that is not there."""


class ToolArgumentError(ToolError, TypeError):
    """The arguments do not fit the tool's signature."""


class SkillArgumentError(SkillError, TypeError):
    """The arguments do not fit the skill's `run`."""


PUBLIC = (
    ArtificerError,
    ToolError,
    SkillError,
    ArtifactError,
    SharedError,
    NotSharedError,
    DepError,
    ToolNotFoundError,
    ToolImportError,
    ToolArgumentError,
    SkillArgumentError,
)
for _class in PUBLIC:
    # Tracebacks then name the place they can be imported from.
    _class.__module__ = "artificer_tools"

BY_AREA = {"tools": ToolError, "skills": SkillError, "artifacts": ArtifactError, "shared": SharedError, "deps": DepError}


def from_wire(error, method):
    """The exception for an error that the host answered to a request of `method`."""
    code = error.get("code", "internal/fault")
    kind = BY_AREA.get(method.partition(".")[0], ArtificerError)
    if code in ("tool/unknown-tool", "tool/unknown-toolkit"):
        kind = ToolNotFoundError
    elif code in ("tool/unknown-argument", "tool/missing-argument", "tool/invalid-argument"):
        kind = ToolArgumentError
    elif code == "shared/not-found":
        kind = NotSharedError
    return kind(error.get("message", code), code, error.get("details"), error.get("hint"))


def nearest(name, names):
    """` Did you mean 'x'?` for the closest of `names`, or nothing."""
    import difflib

    close = difflib.get_close_matches(name, list(names), 1, 0.5)
    return " Did you mean %r?" % close[0] if close else ""
