"""
Finds the lines of a cell that are no Python but a notebook's shorthand: `%magic`, `!command`, `x = !command`, `name?`.
Only where a logical line begins: never inside a string, a bracket or a continued line.
"""

import re

START = re.compile(r"([ \t]*)(%%?|!!?|\?\??)(.*)$", re.S)
ASSIGNED = re.compile(r"([ \t]*)([^=!%#]+?)[ \t]*=[ \t]*(!|%)(?![=%!])(.*)$", re.S)
ASKED = re.compile(r"([ \t]*)(%{0,2}[A-Za-z_][\w.]*(?:\[[^\]#]*\])?)[ \t]*(\?\??)[ \t]*$")
NAME = re.compile(r"[A-Za-z_]\w*")
TOKEN = re.compile(r"\\.|'''|\"\"\"|['\"#()\[\]{}]|\\$", re.S)


class Magic:
    """One of them: what kind, its name or command, where, and over how many lines."""

    __slots__ = ("kind", "name", "text", "target", "line", "lines", "indent", "body")

    def __init__(self, kind, name, text, line, indent, target=None):
        self.kind = kind
        self.name = name
        self.text = text
        self.target = target
        self.line = line
        self.lines = 1
        self.indent = indent
        self.body = None


class Scanner:
    """Follows Python's strings, brackets and continuations from line to line."""

    def __init__(self):
        self.depth = 0
        self.delimiter = None
        self.continued = False

    def at_start(self):
        return not self.depth and self.delimiter is None and not self.continued

    def pass_line(self, line):
        self.continued = False
        position = 0
        while True:
            match = TOKEN.search(line, position)
            if match is None:
                break
            token = match.group()
            position = match.end()
            if self.delimiter is not None:
                if token.startswith(self.delimiter):
                    position = match.start() + len(self.delimiter)
                    self.delimiter = None
                elif len(token) == 3:
                    # Three quotes of the other kind, or one that ends a string of one: looked at one by one.
                    position = match.start() + 1
            elif token == "#":
                break
            elif token[0] in "'\"":
                self.delimiter = token
            elif token in "([{":
                self.depth += 1
            elif token in ")]}":
                self.depth = max(0, self.depth - 1)
        ends_open = re.search(r"(?<!\\)(\\\\)*\\$", line) is not None
        if self.delimiter is not None and len(self.delimiter) == 1 and not ends_open:
            # An unterminated string: the compiler will say so; the next line is a new one.
            self.delimiter = None
        self.continued = ends_open and "#" not in line[position - 1 : position]


def find_magics(source):
    """Every magic of a cell, in order. A cell magic (`%%name` in the first line that is not blank) is the only one."""
    lines = source.splitlines()
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return []
    opening = lines[first]
    if opening.startswith("%%") and NAME.match(opening, 2) or opening.startswith("%%!"):
        name, _, rest = opening[2:].partition(" ")
        magic = Magic("cell", name.strip(), rest.strip(), first + 1, "")
        magic.body = "\n".join(lines[first + 1 :]) + "\n"
        magic.lines = len(lines) - first
        return [magic]
    found = []
    scanner = Scanner()
    index = 0
    while index < len(lines):
        magic = magic_at(lines, index) if scanner.at_start() else None
        if magic is None:
            scanner.pass_line(lines[index])
            index += 1
        else:
            found.append(magic)
            index += magic.lines
    return found


def magic_at(lines, index):
    text = lines[index]
    asked = ASKED.match(text)
    if asked:
        return Magic("help", asked.group(2), asked.group(3), index + 1, asked.group(1))
    match = START.match(text)
    if match:
        indent, sign, rest = match.groups()
        if sign in ("?", "??"):
            return Magic("help", rest.strip(), sign, index + 1, indent) if rest.strip() else None
        target = None
    else:
        match = ASSIGNED.match(text)
        if not match or not is_target(match.group(2)):
            return None
        indent, target, sign, rest = match.groups()
    joined, count = join_continued(rest, lines, index)
    if sign in ("!", "!!"):
        kind = "capture" if sign == "!!" or target else "shell"
        magic = Magic(kind, sign, joined.strip(), index + 1, indent, target)
    else:
        name, _, arguments = joined.lstrip().partition(" ")
        if not NAME.match(name):
            return None
        kind = "misplaced" if sign == "%%" else "line"
        magic = Magic(kind, name, arguments.strip(), index + 1, indent, target)
    magic.lines = count
    return magic


def join_continued(rest, lines, index):
    parts = []
    count = 1
    while rest.endswith("\\") and index + count < len(lines):
        parts.append(rest[:-1])
        rest = lines[index + count].strip()
        count += 1
    parts.append(rest)
    return " ".join(parts), count


def is_target(text):
    try:
        compile(text.strip() + " = 0", "target", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
