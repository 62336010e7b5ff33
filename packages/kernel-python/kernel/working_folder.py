"""A working folder for one cell."""

import os

from _artificer.errors import ArtificerError


class WorkingFolder:
    """Enters a folder, and goes back to the one before whatever happened meanwhile. Without a folder it does nothing."""

    def __init__(self, folder):
        self._folder = folder
        self._before = None
        # Set when the folder can't be entered: nothing was changed then.
        self.problem = None

    def __enter__(self):
        if self._folder is None:
            return self
        try:
            before = os.getcwd()
            os.chdir(self._folder)
            self._before = before
        except (OSError, ValueError) as error:
            text = getattr(error, "strerror", None) or str(error)
            self.problem = ArtificerError(
                "The cell was not run: %s can't be its working folder: %s." % (self._folder, text),
                "cell/bad-folder",
                {"folder": self._folder},
                "Name a folder that is there for the kernel: in a sandbox or container, by its path inside.",
            )
        return self

    def __exit__(self, *_exception):
        if self._before is None:
            return
        try:
            os.chdir(self._before)
        except OSError:
            # The cell has removed it.
            pass
