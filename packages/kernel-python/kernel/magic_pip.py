"""`%pip`: packages by the session's own list, under its policy."""

import re
import shlex
import sys

from _artificer.errors import ArtificerError
from _artificer.imports import refresh_imports

# Options that change nothing here: packages go into the session's own folder, at the versions asked for.
IGNORED = frozenset(
    ("-q", "-qq", "--quiet", "-U", "--upgrade", "--user", "--no-input", "--disable-pip-version-check", "-y", "--yes", "--no-cache-dir")
)
PIP = re.compile(r"\s*(?:python3?(?:\.\d+)?\s+-m\s+)?pip3?\s+((?:install|uninstall)\s[^;|&<>`$()\n]*)$")


def pip_arguments(command):
    """The arguments of a plain `pip install …` given to the shell; None for any other command."""
    match = PIP.match(command)
    return match.group(1) if match else None


class Pip:
    def __init__(self, host):
        self._host = host

    def __call__(self, text):
        words = shlex.split(text, comments=True)
        action = words[0] if words else ""
        if action == "install":
            return self._install(words[1:])
        if action == "uninstall":
            return self._uninstall(words[1:])
        if action in ("list", "freeze"):
            for dep in self._host.call("deps.list", {}):
                sys.stdout.write("%s\n" % dep["spec"])
            return None
        raise ArtificerError(
            "%%pip has no %r here." % action if action else "%pip needs to be told what to do.",
            "cell/bad-magic",
            None,
            "There are: %pip install NAME …, %pip uninstall NAME …, %pip list",
        )

    def _install(self, words):
        specs = list(requirements(words))
        if not specs:
            raise ArtificerError("%pip install needs a package: %pip install pandas", "cell/bad-magic")
        for spec in specs:
            self._host.call("deps.add", {"spec": spec})
        self._host.call("deps.sync", {})
        refresh_imports()
        sys.stdout.write("Installed %s. It can be imported now.\n" % ", ".join(specs))

    def _uninstall(self, words):
        for name in requirements(words):
            found = self._host.call("deps.remove", {"spec": name})
            sys.stdout.write(("Removed %s from the session's deps.\n" if found else "%s is no dep of this session.\n") % name)


def requirements(words):
    words = iter(words)
    for word in words:
        if word in ("-r", "--requirement"):
            with open(next(words, ""), encoding="utf-8") as file:
                lines = (line.partition("#")[0].strip() for line in file)
                yield from [line for line in lines if line]
        elif word in IGNORED:
            continue
        elif word.startswith("-"):
            raise ArtificerError(
                "%%pip install does not take %s here." % word,
                "cell/bad-magic",
                {"option": word},
                "Name packages only; where they come from is set in config.yaml under deps.",
            )
        else:
            yield word

