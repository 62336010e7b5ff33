"""What shows, and shows anew under the same id: `display(x, display_id=True)`, `update_display`, `clear_output`."""

import os


class DisplayHandle:
    """Stands for something shown: `update(x)` puts something else in its place."""

    def __init__(self, displays, display_id=None):
        self._displays = displays
        self.display_id = new_id() if display_id is None or display_id is True else str(display_id)

    def display(self, item, **options):
        self._displays.display(item, display_id=self.display_id, **options)

    def update(self, item, **options):
        self._displays.display(item, display_id=self.display_id, update=True, **options)

    def __repr__(self):
        return "<DisplayHandle display_id=%s>" % self.display_id


def new_id():
    return os.urandom(8).hex()
