"""Runs one cell and tells all that came of it."""

import builtins
import os
import sys

from _artificer import tracebacks
from _artificer.compile_cell import AWAITABLE, COROUTINE
from _artificer.encode_value import encode_value
from _artificer.errors import ArtificerError
from _artificer.host import AsyncCall, current_cell
from _artificer.limits import limit_code
from _artificer.json_text import dump
from _artificer.memory_reserve import MemoryReserve
from _artificer.present import capped, capped_repr
from _artificer.values import ValueProblem
from _artificer.working_folder import WorkingFolder


class Value:
    """A cell's last value, made ready to be sent."""

    __slots__ = ("json", "parts", "facts")

    def __init__(self):
        self.json = None
        self.parts = ()
        self.facts = {}


class CellRunner:
    def __init__(self, kernel):
        self._kernel = kernel
        self._recursion_limit = sys.getrecursionlimit()
        # IPython around the cells, where it is used.
        self.engine = None
        self._reserve = MemoryReserve()
        self.max_value_bytes = 1 << 62
        self.max_inline_bytes = 1 << 62
        self.max_repr_chars = 1 << 20
        # The limits of the operating system that were set on purpose.
        self.resources = {}

    def run(self, request_id, cell, source, cwd=None):
        kernel = self._kernel
        filename = "cell %d" % cell
        self._begin(cell, filename, source)
        interrupts = kernel.interrupts
        interrupts.current = request_id
        before = kernel.namespace.snapshot()
        bound = set()
        execute = self._execute if self.engine is None else self._execute_with
        with WorkingFolder(cwd) as folder:
            value, error = (None, folder.problem) if folder.problem else self._guarded(execute, source, filename, bound)
        if os.getpid() != kernel.pid:
            leave_child(error)
        shown = Value()
        if error is None:
            _, error = self._guarded(self._show, cell, value, shown)
        del value
        if self.engine is not None:
            _, late = self._guarded(self.engine.end)
            error = error or late
        result = self._outcome(error, filename, interrupts.was_withdrawn())
        result.update(shown.facts)
        result.setdefault("hasValue", False)
        error = None
        self._end(result, before, bound)
        interrupts.current = None
        interrupts.forget(request_id)
        self._answer(request_id, result, shown)

    def _begin(self, cell, filename, source):
        kernel = self._kernel
        tracebacks.remember(filename, source)
        kernel.namespace.refresh()
        kernel.history.bind()
        if kernel.snapshots is not None:
            kernel.snapshots.catch_up()
        vars(builtins)[AWAITABLE] = kernel.host.awaitable
        kernel.interrupts.install()
        kernel.output.begin()
        kernel.displays.begin()
        kernel.host.running = cell
        kernel.context.run(current_cell.set, cell)
        current_cell.set(cell)

    def _guarded(self, function, *args):
        """(result, exception) of code that may be the user's, the only place where an interrupt can land."""
        interrupts = self._kernel.interrupts
        try:
            try:
                interrupts.armed = True
                result = function(*args), None
            finally:
                interrupts.armed = False
            return result
        except BaseException as error:
            interrupts.armed = False
            return None, error

    def guard_request(self, request_id, function, *args):
        """As a cell's code is guarded, for another request that touches the user's objects."""
        interrupts = self._kernel.interrupts
        interrupts.current = request_id
        try:
            return self._guarded(function, *args)
        finally:
            interrupts.current = None
            interrupts.forget(request_id)

    def _execute(self, source, filename, bound):
        self._kernel.interrupts.check()
        body, last, names = self._kernel.compiler.compile(source, filename)
        bound.update(names)
        tracebacks.watch(filename, (body, last))
        kernel = self._kernel
        if kernel.snapshots is not None:
            kernel.snapshots.compiled(kernel.compiler.compiled, filename, kernel.compiler.future, (body, last))
        space = kernel.namespace.space
        if (flags_of(body) | flags_of(last)) & COROUTINE:
            # All of it runs in the loop, so that statements before the first `await` can make tasks.
            value, error = kernel.event_loop.run(run_in_loop(body, last, space))
            if error is not None:
                raise error
            return value
        if body is not None:
            kernel.context.run(eval, body, space)
        return None if last is None else kernel.context.run(eval, last, space)

    def _execute_with(self, source, filename, bound):
        engine = self.engine
        engine.begin(self._kernel.host.running, source)
        value = self._execute(engine.alone(source), filename, bound)
        engine.raise_failure()
        return value

    def _show(self, cell, value, shown):
        kernel = self._kernel
        # A forgotten call is no value; it is reported as un-awaited.
        if value is not None and type(value) is not AsyncCall:
            facts = shown.facts
            facts["hasValue"] = True
            kernel.history.add(cell, value)
            text = None if self.engine is None else self.engine.show(value)
            if self.engine is None:
                kernel.displays.show_value(value)
            size = self._encode(value, shown)
            if size is None or size > self.max_inline_bytes:
                from _artificer.reference import describe

                reference = describe(value, kernel.history.large(cell), size, self.max_repr_chars - 1)
                facts["reference"] = reference
                facts["repr"] = "\u2026".join(filter(None, (reference["head"], reference["tail"])))
            else:
                facts["repr"], full = capped_repr(value, self.max_repr_chars) if text is None else capped(text, self.max_repr_chars)
                if full is not None:
                    facts["reprChars"] = full
        kernel.displays.flush_figures(value)

    def _encode(self, value, shown):
        """The encoded size in bytes; 0 for what can't be encoded, None for what is too large to be."""
        parts = []
        try:
            try:
                tree = encode_value(value, parts, self.max_value_bytes)
                text = dump(tree)
            except (KeyboardInterrupt, ValueProblem):
                raise
            except BaseException as error:
                # The user's own classes take part in their encoding.
                raise ValueProblem("value/not-encodable", "Encoding raised %s" % type(error).__name__) from None
            size = len(text) + sum(map(len, parts))
            if size > self.max_value_bytes:
                text = "The value takes %d bytes, more than the %d allowed" % (size, self.max_value_bytes)
                raise ValueProblem("cell/value-too-large", text)
        except ValueProblem as problem:
            shown.facts["valueProblem"] = {"code": problem.code, "message": problem.message, "path": problem.path}
            return None if problem.code == "cell/value-too-large" else 0
        shown.json, shown.parts = text, parts
        return size

    def tell_variable(self, request_id, name):
        """Answers `variables.value`."""
        items = dict(self._kernel.namespace.user_items())
        if name not in items:
            self._kernel.wire.respond_error(request_id, "session/unknown-variable", "There is no variable %r." % name)
            return
        shown = Value()
        _, error = self.guard_request(request_id, self._encode, items[name], shown)
        problem = shown.facts.get("valueProblem")
        if shown.json is not None:
            self._kernel.wire.send(b'{"type":"response","id":%d' % request_id, b',"value":' + shown.json + b"}", shown.parts)
        elif problem is not None:
            self._kernel.wire.respond_error(request_id, problem["code"], problem["message"])
        else:
            self._kernel.wire.respond_error(request_id, "cell/interrupted", tracebacks.message_of(error))

    def _outcome(self, error, filename, withdrawn):
        if error is None:
            return {"status": "completed"}
        if isinstance(error, SystemExit):
            return {"status": "exited", "exitCode": exit_code(error)}
        if isinstance(error, MemoryError):
            self._reserve.release()
        kind = tracebacks.type_name(error)
        facts = {"type": kind, "message": tracebacks.message_of(error), "traceback": tracebacks.render(error)}
        line = tracebacks.line_of(error, filename)
        if line is not None:
            facts["line"] = line
        if isinstance(error, ArtificerError) and isinstance(error.code, str):
            facts["code"] = error.code
        else:
            code = limit_code(error, self.resources)
            if code is not None:
                facts["code"] = code
        interrupted = withdrawn and isinstance(error, KeyboardInterrupt)
        return {"status": "interrupted" if interrupted else "failed", "error": facts}

    def _end(self, result, before, bound):
        kernel = self._kernel
        if sys.getrecursionlimit() < self._recursion_limit:
            sys.setrecursionlimit(self._recursion_limit)
        result["names"] = kernel.namespace.changed(before, bound)
        if result.get("error", {}).get("code") != "cell/memory-limit":
            self._reserve.renew()
        result["unawaited"] = kernel.host.unawaited.drain()
        kernel.host.forget_last()
        kernel.host.running = 0
        marker = kernel.output.end()
        if marker is not None:
            result["marker"] = marker

    def _answer(self, request_id, result, shown):
        head = b'{"type":"response","id":%d' % request_id
        tail = b',"value":' + dump(result)
        if shown.json is not None:
            tail = b"".join((tail[:-1], b',"value":', shown.json, b"}"))
        self._kernel.wire.send(head, tail + b"}", shown.parts)


def flags_of(code):
    return 0 if code is None else code.co_flags


async def run_in_loop(body, last, space):
    value = None
    for code in (body, last):
        if code is not None:
            value = eval(code, space)
            if code.co_flags & COROUTINE:
                value = await value
    return None if last is None else value


def exit_code(error):
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF if abs(code) > 1 << 31 else int(code)
    # As the interpreter does: a message goes to stderr and the status is 1.
    try:
        sys.stderr.write("%s\n" % (code,))
    except Exception:
        pass
    return 1


def leave_child(error):
    """A forked child has come to the end of the cell. It is not the kernel: it ends here, as a script would."""
    code = 0
    try:
        if isinstance(error, SystemExit):
            code = exit_code(error)
        elif error is not None:
            code = 1
            sys.stderr.write(tracebacks.render(error))
        sys.stdout.flush()
    finally:
        os._exit(code & 0xFF)
