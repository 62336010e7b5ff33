"""What a kernel takes over that was started before its session was known: the working folder and the environment."""

import os


def take_over(cwd, env):
    """Returns why it can't be done, or None."""
    if cwd is not None:
        try:
            os.chdir(cwd)
        except OSError as error:
            return "The kernel's working folder %s can't be used: %s." % (cwd, error.strerror)
    if env is not None:
        _replace_environment(env)
    return None


def _replace_environment(env):
    environ = os.environ
    zone = environ.get("TZ")
    for name in list(environ):
        if name not in env:
            del environ[name]
    environ.update(env)
    if environ.get("TZ") != zone:
        # The C library has its zone from the environment of the start, and looks again only when it is told to.
        import time

        time.tzset()
