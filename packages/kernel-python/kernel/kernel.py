"""The kernel: what the host may ask, and the parts that answer."""

import builtins
import gc
import os
import sys
from _contextvars import copy_context
from _functools import partial
from _queue import SimpleQueue
from _thread import start_new_thread

import posix

from _artificer import conveniences, folder, imports, tracebacks
from _artificer.compile_cell import CellCompiler
from _artificer.display import Displays
from _artificer.event_loop import EventLoop
from _artificer.flat_module import FlatModule
from _artificer.hand_over import take_over
from _artificer.history import History
from _artificer.host import Host
from _artificer.host_loss import end_everything
from _artificer.interrupts import Interrupts
from _artificer.json_text import dump
from _artificer.namespace import Namespace
from _artificer.output import Output, unbuffer_c
from _artificer.present import variables
from _artificer.run_cell import CellRunner
from _artificer.scripting import FUNCTIONS
from _artificer.skills import SkillRunner, Skills
from _artificer.stores import Artifacts, Deps, sharing
from _artificer.tool_handles import Toolkit, Tools
from _artificer.values import Reference
from _artificer.wire import Wire

WIRE_VERSION = 1


class Kernel:
    def __init__(self, wire_fd):
        self.pid = os.getpid()
        self.staging = None
        self.interrupts = Interrupts(folder)
        self.wire = Wire(wire_fd, self.interrupts)
        self.wire.on_lost = self.die
        self.output = Output()
        self.output.install()
        self.context = copy_context()
        self.host = Host(self.wire)
        self.namespace = Namespace()
        self.history = History()
        self.event_loop = EventLoop(self.interrupts, self.context)
        self.compiler = CellCompiler()
        self.compiler.rewrite = self.rewrite
        self.dep_folders = imports.DepFolders()
        self.allow_shell = True
        self.displays = Displays(self.wire, self.host)
        self.cells = CellRunner(self)
        self.jobs = SimpleQueue()
        # Set when the host keeps snapshots: only then is it noted what cells did.
        self.snapshots = None
        self._tools = Tools(self.host)
        self._flat = FlatModule(self.host)
        runner = SkillRunner(self.host, self.event_loop, self.namespace.fill)
        artifacts = Artifacts(self.host)
        Reference._load_artifact = artifacts.load
        self._fixed = {
            "tools": self._tools,
            "skills": Skills(self.host, runner),
            "artifacts": artifacts,
            "deps": Deps(self.host),
            "display": self.displays.display,
            "update_display": self.displays.update_display,
            "clear_output": self.displays.clear_output,
            **sharing(self.host),
            **FUNCTIONS,
        }
        self._prepare_interpreter()

    def _prepare_interpreter(self):
        sys.argv = [""]
        conveniences.install(builtins)
        os.system = settled(self.output, os.system)
        hooks = imports.HookFinder()
        imports.install(hooks)
        hooks.add("linecache", tracebacks.fill)
        hooks.add("threading", carry_context)
        hooks.add("warnings", tracebacks.hide_in_warnings)
        hooks.add("ctypes", unbuffer_c)
        hooks.add("subprocess", self.output.adopt_subprocess)
        hooks.add("matplotlib.pyplot", self.displays.adopt_pyplot)
        hooks.add("matplotlib.figure", self.displays.adopt_figure)
        posix.register_at_fork(before=self.output.settle, after_in_child=self.wire.close_in_child)

    def run(self):
        """Serves until the host closes the wire. Never returns."""
        # What is alive now stays so: the collector need not look at it again.
        gc.freeze()
        self.wire.start_reading(self.on_request, self.interrupts.withdraw, self.die)
        served = 0
        while True:
            try:
                request_id, job = self.wire.next_of(self.jobs)
                if request_id <= served:
                    # Queued twice, since a signal handler of the user's broke into the queueing.
                    continue
                served = request_id
                try:
                    job()
                except Exception as error:
                    self.wire.respond_error(request_id, "internal/fault", tracebacks.render(error))
            except BaseException:
                # A signal handler of the user's that raised between two cells, or an interrupt that came too late.
                continue

    # In the thread that reads, whichever it is: nothing here may run code of the user's or take long.

    def on_request(self, request_id, method, params):
        """True when the main thread has something to do now."""
        job = self.job_of(request_id, method, params)
        if job is not None:
            self.jobs.put((request_id, job))
        return job is not None

    def job_of(self, request_id, method, params):
        """What the main thread has to do for a request; None when it is dealt with."""
        if method == "cell.run":
            return partial(self.cells.run, request_id, params["cell"], params["code"], params.get("cwd"))
        elif method == "kernel.start":
            if params.get("engine", "own") != "own":
                return partial(self.start, request_id, params)
            self.start(request_id, params)
        elif method == "kernel.bind":
            self.bind(params.get("bindings", params)["toolkits"])
            self.wire.respond(request_id, None)
        elif method == "kernel.paths":
            self.dep_folders.set(params["paths"])
            self.wire.respond(request_id, None)
        elif method == "variables.list":
            return partial(self.list_variables, request_id)
        elif method == "variables.value":
            return partial(self.cells.tell_variable, request_id, params["name"])
        elif method in ("snapshot.save", "snapshot.restore") and self.snapshots is not None:
            action = self.snapshots.save if method == "snapshot.save" else self.snapshots.restore
            return partial(action, request_id, params)
        elif method == "source.analyze":
            start_new_thread(self.analyze, (request_id, params))
        else:
            self.wire.respond_error(request_id, "wire/unknown-method", "The Python kernel has no method %r." % method)
        return None

    def rewrite(self, source, filename, parse):
        """The magics of a cell; loaded when a cell first has one."""
        from _artificer.magics import Magics

        self.compiler.rewrite = Magics(self).rewrite
        return self.compiler.rewrite(source, filename, parse)

    def start(self, request_id, params):
        self.wire.key_json = dump(params["key"])
        if params["wire"] != WIRE_VERSION:
            message = "This kernel speaks version %d of the wire, the host version %r." % (WIRE_VERSION, params["wire"])
            self.wire.respond_error(request_id, "kernel/protocol-violation", message)
            return
        problem = take_over(params.get("cwd"), params.get("env"))
        if problem is not None:
            self.wire.respond_error(request_id, "kernel/start-failed", problem)
            return
        # Figures are shown by the kernel; a window could be seen by nobody.
        os.environ.setdefault("MPLBACKEND", "Agg")
        self.staging = params.get("staging")
        self.cells.resources = params.get("resources") or {}
        self.allow_shell = params.get("allowShell", True)
        self.dep_folders.set(params.get("paths", []))
        if not self.start_engine(request_id, params.get("engine", "own")):
            return
        limits = params["limits"]
        self.cells.max_value_bytes = limits["maxValueBytes"]
        self.cells.max_inline_bytes = limits.get("maxInlineBytes", limits["maxValueBytes"])
        self.cells.max_repr_chars = limits["maxReprChars"]
        self.displays.max_bytes = limits["maxDisplayBytes"]
        self.displays.max_count = limits["maxDisplays"]
        self.bind(params["bindings"]["toolkits"])
        if params.get("snapshots"):
            from _artificer.snapshots import Snapshots

            self.snapshots = Snapshots(self)
        version = "%d.%d.%d" % sys.version_info[:3]
        answer = {"pid": self.pid, "language": "python", "version": version, "executable": sys.executable or ""}
        answer["engine"] = "own" if self.cells.engine is None else "ipython"
        self.wire.respond(request_id, answer)

    def start_engine(self, request_id, engine):
        """False when the engine asked for can't be had, which has then been answered."""
        if engine == "own":
            return True
        from _artificer.ipython_engine import EngineMissing, IPythonEngine

        try:
            ipython = IPythonEngine(self)
        except EngineMissing as problem:
            if engine == "auto":
                if problem.broken:
                    sys.stderr.write("artificer: %s. Cells run without it.\n" % problem)
                return True
            hint = "Install it: %s -m pip install ipython; or set python.engine to auto or own." % (sys.executable or "python3")
            self.wire.respond_error(request_id, "kernel/engine-missing", "%s." % problem, None, hint)
            return False
        self.cells.engine = ipython
        self.compiler.rewrite = ipython.rewrite
        self.compiler.transform_tree = ipython.transform_tree
        self._fixed["display"] = ipython.display
        return True

    def bind(self, toolkits):
        self._tools._bind(toolkits)
        self._flat.bind(toolkits)
        handles = dict(self._fixed)
        for toolkit in toolkits:
            name = toolkit.get("global")
            if name and name not in handles:
                handles[name] = Toolkit(self.host, toolkit, True)
        self.namespace.bind(handles)

    def list_variables(self, request_id):
        rows, error = self.cells.guard_request(request_id, variables, self.namespace.user_items())
        if error is not None:
            self.wire.respond_error(request_id, "cell/interrupted", "The listing was interrupted.")
            return
        self.wire.respond(request_id, rows)

    def analyze(self, request_id, params):
        try:
            from _artificer.analyze import analyze

            self.wire.respond(request_id, analyze(params["source"], params.get("entry", "run")))
        except Exception as error:
            self.wire.respond_error(request_id, "internal/fault", tracebacks.render(error))

    def die(self):
        end_everything(self.pid, self.staging)


def settled(output, start):
    """`os.system`, in its place among the cell's output."""

    def system(command):
        output.settle()
        return start(command)

    system.__doc__ = start.__doc__
    return system


def carry_context(threading):
    """Run when threading is first imported: a thread's calls belong to the cell that started it."""
    start = threading.Thread.start

    def start_with_context(self):
        # Both callables are C code, so no frame of ours shows in the thread's tracebacks.
        self.run = partial(copy_context().run, self.run)
        try:
            start(self)
        finally:
            if not self.is_alive():
                self.__dict__.pop("run", None)

    start_with_context.__name__ = "start"
    start_with_context.__qualname__ = "Thread.start"
    threading.Thread.start = start_with_context
    if threading.excepthook is threading.__dict__.get("__excepthook__", threading.excepthook):
        threading.excepthook = tracebacks.report_thread
