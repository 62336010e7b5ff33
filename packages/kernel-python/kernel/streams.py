"""`sys.stdout`, `sys.stderr` and `sys.stdin` of a kernel."""

import io

from _artificer.descriptor import write_all


class RawStream(io.RawIOBase):
    """`sys.stdout.buffer`."""

    def __init__(self, output, descriptor, name):
        super().__init__()
        self._output = output
        self._descriptor = descriptor
        self.name = name
        self.mode = "wb"

    def write(self, data):
        view = memoryview(data).cast("B") if not isinstance(data, bytes) else data
        self._output.before(self._descriptor)
        write_all(self._descriptor.fd, view)
        return len(view)

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor.fd

    def isatty(self):
        return False

    def close(self):
        """The stream belongs to the kernel; closing it only flushes, and there is nothing to flush."""

    def detach(self):
        raise io.UnsupportedOperation("detach")


class TextStream(io.TextIOBase):
    """`sys.stdout` and `sys.stderr`."""

    def __init__(self, output, descriptor, name):
        super().__init__()
        self._output = output
        self._descriptor = descriptor
        self.buffer = RawStream(output, descriptor, name)
        self.name = name
        self.mode = "w"
        self.line_buffering = True
        self.write_through = True

    encoding = "utf-8"
    errors = "surrogateescape"
    newlines = None

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        try:
            data = text.encode()
        except UnicodeEncodeError:
            data = encode_anything(text)
        descriptor = self._descriptor
        if data:
            self._output.before(descriptor)
            write_all(descriptor.fd, data)
            if descriptor.fd == 2:
                self._output.after_error(descriptor)
        return len(text)

    def flush(self):
        pass

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor.fd

    def isatty(self):
        return False

    def reconfigure(self, **_options):
        """Accepted and without effect: the streams already take any text and hold nothing back."""

    def close(self):
        """The stream belongs to the kernel and stays open."""

    def detach(self):
        raise io.UnsupportedOperation("detach")


def encode_anything(text):
    """File names carry undecodable bytes as surrogates: they come out as those bytes; other lone surrogates as escapes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


class EmptyInput(io.TextIOBase):
    """`sys.stdin`: always at its end."""

    name = "<stdin>"
    mode = "r"
    encoding = "utf-8"
    errors = "strict"

    def __init__(self):
        super().__init__()
        self.buffer = io.BytesIO()

    def read(self, _size=-1):
        return ""

    def readline(self, _size=-1):
        return ""

    def readable(self):
        return True

    def fileno(self):
        return 0

    def isatty(self):
        return False

    def close(self):
        """The stream belongs to the kernel and stays open."""
