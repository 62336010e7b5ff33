"""
A real IPython shell, with the ends that would touch this machine or print for a terminal tied to the kernel instead:
no history file, no profile of the user's, displays as notices, shells by our own runner, errors kept for the outcome.
"""

import sys

from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.profiledir import ProfileDir
from traitlets import Type
from traitlets.config import Config

from _artificer import tracebacks
from _artificer.magic_shell import caller_space

# IPython's own way to leave does not concern a cell, and its `open` guards a terminal's descriptors.
UNWANTED = ("exit", "quit", "open")
# The values of earlier cells are builtins, for as long as the kernel keeps them.
VALUES = ("_", "__", "___", "Out")


class Publisher(DisplayPublisher):
    displays = None

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **_facts):
        self.displays.send(dict(data), dict(metadata or {}), (transient or {}).get("display_id"), update)

    def clear_output(self, wait=False):
        self.displays.clear_output(wait)


class Shell(InteractiveShell):
    display_pub_class = Type(Publisher)
    artificer_folder = None
    artificer_magics = None
    # The exception that a magic showed instead of raising it.
    artificer_failure = None
    artificer_nested = 0

    def init_ipython_dir(self, ipython_dir):
        self.ipython_dir = self.artificer_folder

    def init_profile_dir(self, profile_dir):
        self.profile_dir = ProfileDir.create_profile_dir(self.artificer_folder)

    def init_virtualenv(self):
        """The interpreter was chosen by the session, not by what the environment says."""

    def init_user_ns(self):
        super().init_user_ns()
        for name in UNWANTED:
            if name in self.user_ns_hidden:
                self.user_ns.pop(name, None)

    def showtraceback(self, exc_tuple=None, *_arguments, **_options):
        error = self._get_exc_info(exc_tuple)[1]
        if self.artificer_nested:
            sys.stderr.write(tracebacks.render(error))
        else:
            self.artificer_failure = error

    def showsyntaxerror(self, *_arguments, **_options):
        self.showtraceback()

    def run_cell(self, *arguments, **options):
        self.artificer_nested += 1
        try:
            return super().run_cell(*arguments, **options)
        finally:
            self.artificer_nested -= 1

    def ask_yes_no(self, prompt, default=None, interrupt=None):
        """Nobody can be asked: the code that calls has asked for it already."""
        return True

    def system(self, cmd):
        return self.artificer_magics.system(cmd, caller_space(self.user_ns))

    system_piped = system_raw = system

    def getoutput(self, cmd, split=True, depth=0):
        lines = self.artificer_magics.getoutput(cmd, caller_space(self.user_ns))
        from IPython.utils.text import LSString, SList

        return SList(lines) if split else LSString("\n".join(lines))


def create_shell(kernel, magics, folder):
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.xmode = "Plain"
    config.Completer.use_jedi = False
    Publisher.displays = kernel.displays
    Shell.artificer_folder = folder
    Shell.artificer_magics = magics
    namespace = kernel.namespace
    streams = sys.displayhook, sys.excepthook
    shell = Shell.instance(config=config, user_module=namespace.module, user_ns=namespace.space)
    sys.displayhook, sys.excepthook = streams
    shell.history_manager.output_hist = shell.user_ns["_oh"] = kernel.history.values
    for name in VALUES:
        shell.user_ns.pop(name, None)
    # `%store` and `%bookmark` last as long as the session.
    shell.db = {}
    return shell
