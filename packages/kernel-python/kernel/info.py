"""Facts from the host that read well: dictionaries whose keys are attributes too."""


class Info(dict):
    """A dictionary that shows itself in one line."""

    __slots__ = ("_kind", "_title")

    def __init__(self, facts, kind, title):
        super().__init__(facts)
        self._kind = kind
        self._title = title

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("A %s has no %r; it has %s." % (self._kind, name, ", ".join(self))) from None

    def __repr__(self):
        text = "<%s %s" % (self._kind, self.get(self._title))
        if isinstance(self.get("score"), (int, float)):
            text += " (%.2f)" % self["score"]
        description = self.get("description")
        return text + (": %s>" % description.partition("\n")[0] if description else ">")

    def __reduce__(self):
        return dict, (dict(self),)


def infos(items, kind, title):
    return [Info(item, kind, title) for item in items]
