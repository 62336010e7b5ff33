"""What belongs to definitions besides their source: the order they ran in, and what cells have set on them since."""

from types import FunctionType

# Attributes that a class has of itself.
OWN_ATTRIBUTES = frozenset(("_abc_impl", "_parameters", "_is_protocol", "_is_runtime_protocol"))


def order_of(definitions):
    """Their names in the order in which cells ran them."""
    rows = sorted(definitions, key=lambda facts: (int(facts[3].rpartition(" ")[2]), facts[4]))
    return [facts[0] for facts in rows]


def extra_attributes(value):
    """Data kept on a function, or on a class beside what its statement wrote there and what Python adds."""
    if isinstance(value, FunctionType):
        return {name: item for name, item in vars(value).items() if name != "__wrapped__"}
    if not isinstance(value, type) or hasattr(value, "__members__"):
        return {}
    return {
        name: item
        for name, item in vars(value).items()
        if not name.startswith("__") and name not in OWN_ATTRIBUTES and is_data(item)
    }


def is_data(item):
    kind = type(item)
    return not (callable(item) or hasattr(kind, "__get__") or hasattr(kind, "__set__"))
