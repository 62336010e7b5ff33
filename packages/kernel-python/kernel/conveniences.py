"""`exit`, `quit`, `help` and `input` as a cell should find them."""


class Quitter:
    def __init__(self, name):
        self._name = name

    def __call__(self, code=None):
        raise SystemExit(code)

    def __repr__(self):
        return "Use %s() to end the cell." % self._name


class Help:
    """`help(x)`: handles explain themselves, everything else is Python's own help."""

    def __call__(self, *args, **kwargs):
        if args and hasattr(type(args[0]), "artificer_help"):
            print(args[0].artificer_help(), end="")
            return None
        import pydoc

        if not args and not kwargs:
            print("help(x) explains x. There is no interactive help in a cell.")
            return None
        return pydoc.help(*args, **kwargs)

    def __repr__(self):
        return "Type help(x) for help about x, such as help(tools)."


def read_input(prompt="", /):
    import sys

    sys.stdout.write(str(prompt))
    raise EOFError("stdin is empty: a cell can't ask anyone. Put the value into the code.")


read_input.__name__ = read_input.__qualname__ = "input"


def install(builtins):
    builtins.exit = Quitter("exit")
    builtins.quit = Quitter("quit")
    builtins.help = Help()
    builtins.input = read_input
