"""What the interpreter leaves out at a fast start, brought in when a cell first needs it."""

import sys
from _frozen_importlib_external import PathFinder


class SiteFinder:
    """
    The last finder: the first import that nobody else can serve runs `site.main()`, which adds the site-packages of the
    interpreter or its virtual environment, and is then tried again.
    """

    def __init__(self):
        self.added = None

    def find_spec(self, name, path=None, target=None):
        if self.added is not None or path is not None or name.startswith("_artificer"):
            return None
        self._load_site()
        return PathFinder.find_spec(name, self.added)

    def find_distributions(self, context):
        """`importlib.metadata` asks every finder; without this it would see no packages before the first miss."""
        if self.added is not None:
            return ()
        self._load_site()
        import importlib.metadata

        facts = dict(vars(context), path=self.added)
        return importlib.metadata.MetadataPathFinder.find_distributions(importlib.metadata.DistributionFinder.Context(**facts))

    def _load_site(self):
        self.added = []
        before = list(sys.path)
        import builtins

        import site

        # site replaces these by its own.
        kept = {name: getattr(builtins, name, None) for name in ("exit", "quit", "help")}
        try:
            site.main()
        except Exception as error:
            sys.stderr.write("artificer: site-packages could not be set up: %r\n" % (error,))
        for name, value in kept.items():
            setattr(builtins, name, value)
        known = set(map(_absolute, before))
        self.added = [entry for entry in sys.path if entry not in known]
        # site makes every entry absolute; '' must go on meaning the current folder.
        sys.path[:] = before + self.added
        if sys.flags.no_site and "" not in before:
            sys.path.insert(0, "")


def _absolute(entry):
    import os

    return os.path.abspath(entry)


class HookFinder:
    """Runs a function right after a module's first import; stands aside for every other module."""

    def __init__(self):
        self._hooks = {}

    def add(self, name, hook):
        module = sys.modules.get(name)
        if module is None:
            self._hooks[name] = hook
        else:
            hook(module)

    def find_spec(self, name, path=None, target=None):
        hook = self._hooks.get(name)
        if hook is None:
            return None
        del self._hooks[name]
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find and find(name, path, target)
            if spec is not None:
                break
        else:
            self._hooks[name] = hook
            return None
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            hook(module)

        try:
            spec.loader.exec_module = exec_module
        except AttributeError:
            # A built-in loader is a class without room; such modules are never hooked.
            pass
        return spec


def install(hooks):
    sys.path.insert(0, "")
    sys.meta_path.insert(0, hooks)
    sys.meta_path.append(SiteFinder())


class DepFolders:
    """The folders of the session's installed deps: before the interpreter's own packages, behind its library."""

    def __init__(self):
        self._folders = []

    def set(self, folders):
        """Replaces them; what is already imported stays."""
        if folders == self._folders:
            refresh_imports()
            return
        kept = [entry for entry in sys.path if entry not in self._folders]
        place = next((at for at, entry in enumerate(kept) if entry.endswith(("site-packages", "dist-packages"))), len(kept))
        sys.path[:] = kept[:place] + folders + kept[place:]
        self._folders = list(folders)
        refresh_imports()


def refresh_imports():
    """Folder listings that the import system has cached may be out of date now."""
    PathFinder.invalidate_caches()
