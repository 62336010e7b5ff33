"""Rich output: collects what an object can show of itself and sends it to the host."""

import sys

from _artificer.encode_value import encode_value
from _artificer.values import ValueProblem

REPRS = (
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", "application/json"),
)
MAGIC = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"), (b"GIF89a", "image/gif"))
BINARY = ("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf")
# A cell that shows without end is told of the first of those that were left out, not of every one.
MAX_DROPPED_NOTICES = 20


class Displays:
    def __init__(self, wire, host):
        self._wire = wire
        self._host = host
        self.max_bytes = 1 << 62
        self.max_count = 1 << 62
        self._sent = 0
        self._dropped = 0
        # What this cell has shown under an id: updates of it are no more displays.
        self._ids = set()

    def begin(self):
        self._sent = self._dropped = 0
        self._ids.clear()

    def display(self, *objects, metadata=None, raw=False, display_id=None, update=False):
        """
        Shows objects in their richest form: images, tables, pages. With `raw`, an object is a dict of MIME types. With `display_id`,
        a text or True, what is shown can be updated: by the handle that is returned, or by `update_display`.
        """
        handle = None
        if display_id is not None and display_id is not False:
            from _artificer.display_handle import DisplayHandle

            handle = DisplayHandle(self, display_id)
        elif update:
            raise TypeError("update needs a display_id: display(x, display_id='chart', update=True)")
        for item in objects:
            data, facts = (item, {}) if raw else bundle(item)
            if not data:
                data = {"text/plain": safe_repr(item)}
            elif "text/plain" not in data and not raw:
                data["text/plain"] = safe_repr(item)
            self.send(data, dict(facts, **(metadata or {})), handle and handle.display_id, update)
        return handle

    def update_display(self, item, *, display_id, **options):
        """Puts an object in the place of what is shown under `display_id`, in this cell; shows it where nothing is."""
        self.display(item, display_id=display_id, update=True, **options)

    def clear_output(self, wait=False):
        """Forgets what this cell has printed and shown so far; with `wait`, only when there is more to come."""
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        self._sent = 0
        self._ids.clear()
        self._host.call("output.clear", {"wait": bool(wait)})

    def show_value(self, value):
        """Shows a cell's last value when it has a rich form."""
        if type(value) in PLAIN:
            return
        data, facts = bundle(value)
        if data:
            data.setdefault("text/plain", safe_repr(value))
            self.send(data, facts)

    def send(self, data, metadata, display_id=None, update=False):
        kept = {}
        dropped = []
        again = update and display_id in self._ids
        over = self._sent >= self.max_count and not again
        for mime, content in data.items():
            mime = str(mime)
            content = as_content(mime, content)
            if content is None:
                continue
            size = len(content.encode("utf-8", "replace")) if isinstance(content, str) else len(content)
            if over or size > self.max_bytes:
                dropped.append({"mime": mime, "bytes": size})
            else:
                kept[mime] = content
        if over or not kept:
            self._dropped += 1
            if self._dropped > MAX_DROPPED_NOTICES:
                return
        elif not again:
            self._sent += 1
            if display_id is not None:
                self._ids.add(display_id)
        parts = []
        try:
            tree = encode_value({"data": kept, "metadata": metadata}, parts)
        except ValueProblem:
            parts.clear()
            tree = encode_value({"data": kept, "metadata": {}}, parts)
        tree["dropped"] = dropped
        if display_id is not None:
            tree["id"] = display_id[:200]
            tree["update"] = bool(update)
        self._wire.notice("display", tree, parts, self._host.cell())

    def adopt_pyplot(self, pyplot):
        """Run when pyplot is first imported: `show()` shows the open figures here and now."""

        def show(*_args, **_kwargs):
            self.flush_figures()

        pyplot.show = show

    def adopt_figure(self, module):
        """The same for a figure's own `show()`; it is not shown again at the cell's end."""

        def show(figure, warn=True):
            self.show_value(figure)
            pyplot = sys.modules.get("matplotlib.pyplot")
            if pyplot is not None:
                pyplot.close(figure)

        module.Figure.show = show

    def flush_figures(self, shown=None):
        """Shows and closes matplotlib's open figures, as a notebook does at a cell's end."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            if figure is not shown:
                self.show_value(figure)
        pyplot.close("all")


PLAIN = frozenset((int, float, str, bool, list, tuple, dict, set, frozenset, type(None), complex))


def as_content(mime, content):
    """Text or bytes, as the wire wants it."""
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content) if mime in BINARY else bytes(content).decode("utf-8", "replace")
    if isinstance(content, str):
        if mime in BINARY:
            import base64

            # Some libraries hand images over as base64 text.
            try:
                return base64.b64decode(content)
            except ValueError:
                return None
        return content
    if content is None:
        return None
    try:
        import json

        return json.dumps(content)
    except (TypeError, ValueError):
        return safe_repr(content)


def bundle(value):
    """({MIME type: content}, metadata) of what an object can show of itself; empty when it has no rich form."""
    if isinstance(value, (bytes, bytearray)):
        for magic, mime in MAGIC:
            if value.startswith(magic):
                return {mime: bytes(value), "text/plain": "<%s, %d bytes>" % (mime, len(value))}, {}
        return {}, {}
    if isinstance(value, type):
        return {}, {}
    data = {}
    facts = {}
    whole = call_repr(value, "_repr_mimebundle_")
    if isinstance(whole, tuple) and len(whole) == 2:
        whole, facts = whole
    if isinstance(whole, dict):
        data.update(whole)
    for method, mime in REPRS:
        if mime in data:
            continue
        content = call_repr(value, method)
        if isinstance(content, tuple) and len(content) == 2:
            content, more = content
            if isinstance(more, dict):
                facts[mime] = more
        if content is not None:
            data[mime] = content
    if not data:
        picture = figure_png(value)
        if picture is not None:
            data["image/png"] = picture
    return data, facts if isinstance(facts, dict) else {}


def call_repr(value, name):
    # On the class, so that objects that invent attributes on demand (mocks, our own handles) don't take part.
    if not hasattr(type(value), name):
        return None
    try:
        method = getattr(value, name)
        return method() if callable(method) else None
    except Exception:
        return None


def figure_png(value):
    figure_module = sys.modules.get("matplotlib.figure")
    if figure_module is None or not isinstance(value, figure_module.Figure):
        return None
    import io

    sink = io.BytesIO()
    value.savefig(sink, format="png", bbox_inches="tight")
    return sink.getvalue()


def safe_repr(value):
    try:
        return repr(value)[:10000]
    except Exception as error:
        return "<%s; its __repr__ raised %s>" % (type(value).__name__, type(error).__name__)
