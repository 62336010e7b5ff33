"""What every handle stands on: a request to the host in the name of the current cell, blocking or awaited."""

from _contextvars import ContextVar
from _functools import partial
from _thread import _local
from _collections import deque

from _artificer.unawaited import Unawaited
from _artificer.wire import Pending

current_cell = ContextVar("artificer_cell", default=0)


class Host:
    def __init__(self, wire):
        self.wire = wire
        # The cell that runs now: for code that lost its context, such as a callback of a C library's thread.
        self.running = 0
        self.unawaited = Unawaited()
        self._last = _local()
        self._deliveries = None

    def cell(self):
        return current_cell.get() or self.running

    def call(self, method, params):
        """Blocks until the host answers."""
        value = self.wire.call(method, params, self.cell())
        # A needless `await` of this very value is allowed.
        self._last.value = value
        return value

    def tell(self, method, params):
        """Sends a request whose answer does not matter."""
        self.wire.start_request(method, params, self.cell(), Pending(_ignore))

    def awaitable(self, value):
        """What `await f(...)` in a cell awaits: the value itself, unless a blocking handle has just returned it."""
        if value is getattr(self._last, "value", self):
            return Ready(value)
        return value

    def returned(self, value):
        """Notes a value that a blocking handle returns, so that it may be awaited too."""
        self._last.value = value
        return value

    def forget_last(self):
        self._last.value = self

    def delivery(self, loop):
        """The way answers reach `loop`: gathered, so that a thousand answers wake it once."""
        deliveries = self._deliveries
        if deliveries is None:
            import weakref

            deliveries = self._deliveries = weakref.WeakKeyDictionary()
        delivery = deliveries.get(loop)
        if delivery is None:
            delivery = deliveries[loop] = Delivery(loop)
        return delivery


def _ignore():
    pass


class Delivery:
    def __init__(self, loop):
        self._wake = loop.call_soon_threadsafe
        self._ready = deque()
        self._scheduled = False

    def deliver(self, future):
        """Called by the thread that reads the wire."""
        self._ready.append(future)
        if not self._scheduled:
            self._scheduled = True
            try:
                self._wake(self._flush)
            except RuntimeError:
                # The loop is closed: nobody waits any more.
                self._ready.clear()
                self._scheduled = False

    def _flush(self):
        # First the flag, then the queue: an answer that comes in between schedules another turn.
        self._scheduled = False
        ready = self._ready
        while ready:
            future = ready.popleft()
            if not future.done():
                future.set_result(None)


class Ready:
    """A plain value that may be awaited."""

    __slots__ = ("_value",)

    def __init__(self, value):
        self._value = value

    def __await__(self):
        return self._value
        yield


class AsyncCall:
    """An asynchronous call not yet sent: a coroutine in all but name, so that forgetting to await it can be told kindly."""

    __slots__ = ("_host", "_method", "_params", "_label", "_mark", "_steps", "__weakref__")

    def __init__(self, host, method, params, label):
        self._host = host
        self._method = method
        self._params = params
        self._label = label
        self._steps = None
        self._mark = host.unawaited.add(label)

    def __await__(self):
        if self._steps is not None:
            raise RuntimeError("This call of %s has been awaited already; call it again instead." % self._label)
        self._host.unawaited.started(self._mark)
        self._steps = self._run()
        return self._steps

    def _run(self):
        from asyncio import get_running_loop

        host = self._host
        loop = get_running_loop()
        future = loop.create_future()
        pending = Pending(partial(host.delivery(loop).deliver, future))
        request_id = host.wire.start_request(self._method, self._params, host.cell(), pending)
        try:
            yield from future
        except BaseException:
            host.wire.withdraw(request_id)
            raise
        return pending.take(self._method)

    # What asyncio asks of a coroutine.

    def send(self, value):
        steps = self._steps
        if steps is None:
            steps = self.__await__()
        return steps.send(value)

    def throw(self, *exception):
        if self._steps is None:
            self.__await__()
        return self._steps.throw(*exception)

    def close(self):
        self._host.unawaited.started(self._mark)
        if self._steps is not None:
            self._steps.close()

    @property
    def __name__(self):
        return self._label

    def __repr__(self):
        return "<call of %s, not awaited: use `await`>" % self._label
