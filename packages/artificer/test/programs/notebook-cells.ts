import { expect } from "vitest";
import type { Outcome } from "../../src/index.js";

/** One cell of the notebook and what must come of it. */
export interface NotebookCell {
  title: string;
  code: string;
  timeoutMs?: number;
  /** The status, when it is another than completed. */
  status?: Outcome["status"];
  check?(outcome: Outcome): void;
  /** What happens behind it: the variables live on all the same. Its value is the kernel's process where that is killed. */
  behind?: "another session" | "its kernel is killed";
}

const value =
  (expected: unknown): NonNullable<NotebookCell["check"]> =>
  (outcome) =>
    expect(outcome.value).toEqual(expected);
const prints =
  (stdout: string): NonNullable<NotebookCell["check"]> =>
  (outcome) =>
    expect(outcome.stdout).toBe(stdout);

const isPng = (part: unknown) =>
  part instanceof Uint8Array && Buffer.from(part).subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n";
const showsPng: NonNullable<NotebookCell["check"]> = ({ displays }) =>
  expect(displays.filter(({ data }) => isPng(data["image/png"]))).toHaveLength(1);

/** Drawn by the interpreter's matplotlib, or byte by byte where it has none. */
export function plotCell(matplotlib: boolean): NotebookCell {
  const drawn =
    "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots(figsize=(2, 2))\naxes.plot([row['sold'] for row in rows])\naxes.set_title('sold')\ndel figure, axes";
  const written = `import struct, zlib
def png(pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\\0" + bytes(line) for line in pixels)
    header = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 0, 0, 0, 0)
    return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
class Bars:
    def _repr_png_(self):
        return png([[255 if row["sold"] > y else 0 for row in rows] for y in range(32)])
display(Bars())`;
  return { title: "plots a series", code: matplotlib ? drawn : written, timeoutMs: 120_000, check: showsPng };
}

/** What a data analyst's afternoon may look like, in one session. */
export function notebookCells({ matplotlib }: { matplotlib: boolean }): NotebookCell[] {
  return [
    {
      title: "imports",
      code: "import asyncio, csv, json, math, os, pathlib, random, sqlite3, statistics, subprocess, sys, threading, time\nfrom collections import Counter, defaultdict",
      check: ({ names }) => expect(names).toEqual(expect.arrayContaining(["asyncio", "Counter", "time"])),
    },
    {
      title: "makes a file of data",
      code: `random.seed(7)
data = pathlib.Path("data.csv")
with data.open("w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["day", "shop", "sold"])
    for day in range(60):
        writer.writerow([day, "north" if day % 3 else "south", 10 + day % 7])
data.stat().st_size > 500`,
      check: value(true),
    },
    {
      title: "loads it",
      code: "with data.open() as file:\n    rows = [{'day': int(r['day']), 'shop': r['shop'], 'sold': int(r['sold'])} for r in csv.DictReader(file)]\nlen(rows)",
      check: value(60),
    },
    {
      title: "looks at it",
      code: "rows[:2]",
      check: value([
        { day: 0, shop: "south", sold: 10 },
        { day: 1, shop: "north", sold: 11 },
      ]),
    },
    {
      title: "asks a database",
      code: `db = sqlite3.connect(":memory:")
db.execute("create table sales (day int, shop text, sold int)")
db.executemany("insert into sales values (:day, :shop, :sold)", rows)
totals = dict(db.execute("select shop, sum(sold) from sales group by shop"))
totals`,
      check: value({ north: 515, south: 259 }),
    },
    {
      title: "shows a table",
      code: `class Table:
    def __init__(self, rows): self.rows = rows
    def _repr_html_(self):
        return "<table>" + "".join("<tr>" + "".join(f"<td>{v}</td>" for v in r.values()) + "</tr>" for r in self.rows) + "</table>"
    def __repr__(self): return f"Table of {len(self.rows)} rows"
Table(rows[:3])`,
      check({ displays, repr }) {
        expect(repr).toBe("Table of 3 rows");
        expect(displays[0]?.data["text/html"]).toMatch(/^<table>(<tr>.*<\/tr>){3}<\/table>$/);
      },
    },
    plotCell(matplotlib),
    {
      title: "shows several things in order with what it prints",
      code: "print('one')\ndisplay({'n': 1})\nprint('two')\ndisplay(Table(rows[:1]))",
      check(outcome) {
        expect(outcome.stdout).toBe("one\ntwo\n");
        expect(outcome.displays).toHaveLength(2);
      },
    },
    {
      title: "defines classes",
      code: `from dataclasses import dataclass, field
@dataclass
class Account:
    owner: str
    balance: float = 0.0
    log: list = field(default_factory=list)
    def pay(self, amount):
        if amount > self.balance:
            raise ValueError(f"{self.owner} has only {self.balance}")
        self.balance -= amount
        self.log.append(amount)
        return self
class Savings(Account):
    def pay(self, amount):
        return super().pay(amount * 1.01)
account = Savings("ada", 100)`,
      check: ({ names }) => expect(names).toEqual(expect.arrayContaining(["Account", "Savings", "account"])),
    },
    {
      title: "uses them",
      code: "account.pay(10)",
      check: ({ repr }) => expect(repr).toBe("Savings(owner='ada', balance=89.9, log=[10.1])"),
    },
    {
      title: "generators, closures and decorators",
      code: `import functools
def counted(function):
    @functools.wraps(function)
    def inner(*args):
        inner.calls += 1
        return function(*args)
    inner.calls = 0
    return inner
@counted
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def evens():
    n = 0
    while True:
        yield n
        n += 2
from itertools import islice
fib(10), fib.calls, list(islice(evens(), 3))`,
      check: value([55, 177, [0, 2, 4]]),
    },
    {
      title: "a context manager, left in good order when its body raises",
      code: `from contextlib import contextmanager
@contextmanager
def step(name):
    print("begin", name)
    try: yield
    finally: print("end", name)
try:
    with step("a"):
        raise KeyError("x")
except KeyError:
    print("caught")`,
      check: prints("begin a\nend a\ncaught\n"),
    },
    {
      title: "awaits at the top level, side by side",
      code: "async def double(n):\n    await asyncio.sleep(0.01 * (3 - n))\n    return n * 2\nawait asyncio.gather(*(double(n) for n in range(3)))",
      check: value([0, 2, 4]),
    },
    {
      title: "starts a task that the next cell waits for",
      code: `done = []
async def later():
    await asyncio.sleep(0)
    done.append("task")
    return 7
async def agen():
    for n in range(2): yield n
task = asyncio.create_task(later())
async for n in agen():
    done.append(n)`,
    },
    { title: "waits for it", code: "(await task, sorted(map(str, done)))", check: value([7, ["0", "1", "task"]]) },
    {
      title: "threads",
      code: `from concurrent.futures import ThreadPoolExecutor
lock = threading.Lock()
hits = Counter()
def hit(n):
    with lock: hits[n % 3] += 1
    return threading.current_thread().name != "MainThread"
with ThreadPoolExecutor(4) as pool:
    outside = all(pool.map(hit, range(30)))
outside, dict(hits)`,
      check: (outcome) => expect((outcome.value as unknown[])[0]).toBe(true),
    },
    {
      title: "a thread's own output and exception belong to the cell",
      code: "def work():\n    print('from a thread')\n    raise RuntimeError('in a thread')\nthread = threading.Thread(target=work)\nthread.start(); thread.join()",
      check(outcome) {
        expect(outcome.stdout).toBe("from a thread\n");
        expect(outcome.stderr).toContain("RuntimeError: in a thread");
      },
    },
    {
      title: "runs a program and reads what it says",
      code: "subprocess.run([sys.executable, '-c', 'import sys; print(sys.argv[1].upper())', 'said'], capture_output=True, text=True).stdout",
      check: value("SAID\n"),
    },
    {
      title: "a child's own output stands in its place",
      code: "print('before')\nsubprocess.run(['sh', '-c', 'echo from the child; echo aside >&2'])\nprint('after')",
      check(outcome) {
        expect(outcome.stdout).toBe("before\nfrom the child\nafter\n");
        expect(outcome.stderr).toBe("aside\n");
      },
    },
    {
      title: "several processes with a function of the notebook's",
      code: "import multiprocessing\ndef square(n): return n * n\nwith multiprocessing.get_context('fork').Pool(2) as workers:\n    squares = workers.map(square, range(5))\nsquares",
      check: value([0, 1, 4, 9, 16]),
      behind: "another session",
    },
    {
      title: "what was made before is there, functions and classes too",
      code: "len(rows), totals['south'], account.pay(1).balance, fib(7), [square(3), evens.__name__], data.exists()",
      check(outcome) {
        expect(outcome.value).toEqual([60, 259, expect.closeTo(88.89), 13, [9, "evens"], true]);
        expect(outcome.notices.join("\n")).toMatch(/Variables are restored as they were after cell 20/);
        expect(outcome.notices.join("\n")).toMatch(/Not restored: .*\block \(/);
      },
    },
    {
      title: "fails, with the lines of the cells that led to it",
      code: "progress = 'begun'\ndef risky(n):\n    return account.pay(n)\nrisky(1e6)\nprogress = 'done'",
      status: "failed",
      check({ error, traceback }) {
        expect(error).toMatchObject({ type: "ValueError", line: 3, message: expect.stringContaining("ada has only") });
        expect(traceback).toMatch(/cell 22", line 4.*\n.*risky\(1e6\)/);
        expect(traceback).toContain("raise ValueError");
      },
    },
    { title: "goes on with what the failed cell had done", code: "progress", check: value("begun") },
    {
      title: "a mistake of spelling runs nothing",
      code: "progress = 'changed'\nprint('never'\nfor",
      status: "failed",
      check(outcome) {
        expect(outcome.error?.type).toBe("SyntaxError");
        expect(outcome.stdout).toBe("");
      },
    },
    {
      title: "an exception with its cause",
      code: "try:\n    json.loads('{')\nexcept ValueError as error:\n    raise LookupError(progress) from error",
      status: "failed",
      check: ({ error, traceback }) => {
        expect(error).toMatchObject({ type: "LookupError", message: "begun" });
        expect(traceback).toContain("The above exception was the direct cause");
      },
    },
    {
      title: "defines a function anew, which its callers follow",
      code: "def rate(): return 1\ndef price(n): return n * rate()\nfirst = price(10)\ndef rate(): return 2\nfirst, price(10)",
      check: value([10, 20]),
    },
    {
      title: "defines a class anew; what was made of the old one stays as it was",
      code: "old = Account('old', 1)\n@dataclass\nclass Account:\n    owner: str\n    currency: str = 'EUR'\nisinstance(old, Account), hasattr(old, 'balance'), Account('new').currency",
      check: value([false, true, "EUR"]),
    },
    {
      title: "shell and magics",
      code: "who = 'world'\n!echo hello {who}\nlines = !printf 'a\\nb\\n'\n%env NOTEBOOK_MODE=on\nlines, os.environ['NOTEBOOK_MODE']",
      check(outcome) {
        expect(outcome.stdout).toContain("hello world\n");
        expect(outcome.value).toEqual([["a", "b"], "on"]);
      },
    },
    { title: "a cell of bash", code: "%%bash\nwc -l < data.csv | tr -d ' '\necho done", check: prints("61\ndone\n") },
    {
      title: "times a statement, whose name stays",
      code: "%time answer = sum(range(1000))\nanswer",
      check(outcome) {
        expect(outcome.value).toBe(499500);
        expect(outcome.stdout).toMatch(/Wall time/i);
      },
    },
    { title: "writes a module", code: "%%writefile shop.py\ndef tax(n):\n    return n * 0.2\n" },
    {
      title: "imports it, changes it, and loads it again",
      code: "import importlib, shop\nsys.dont_write_bytecode = True\nbefore = shop.tax(10)\npathlib.Path('shop.py').write_text('def tax(n):\\n    return n * 0.25\\n')\nimportlib.invalidate_caches()\nbefore, importlib.reload(shop).tax(10)",
      check: value([2, 2.5]),
    },
    {
      title: "calls tools, one after another and side by side",
      code: "one = tools.bank.rate(currency='EUR')\nmany = await asyncio.gather(*(bank.rate(currency=c) for c in ('USD', 'GBP')))\none, many",
      check(outcome) {
        expect(outcome.value).toEqual([
          { currency: "EUR", rate: 3 },
          [
            { currency: "USD", rate: 3 },
            { currency: "GBP", rate: 3 },
          ],
        ]);
        expect(outcome.toolCalls).toHaveLength(3);
      },
    },
    {
      title: "keeps an artifact and a skill",
      code: "artifacts.save('totals', totals)\nskills.create(name='best_shop', description='The shop that sold most', source='def run(totals: dict) -> str:\\n    return max(totals, key=totals.get)\\n')\nskills.invoke('best_shop', totals=artifacts.load('totals'))",
      check: value("north"),
    },
    {
      title: "a value too large to show is told by its ends",
      code: "[{'n': n, 'text': 'x' * 50} for n in range(60_000)]",
      check(outcome) {
        expect(outcome.reference).toMatchObject({ type: "list", shape: [60_000] });
        expect(outcome.toText().length).toBeLessThan(15_000);
      },
    },
    { title: "and can be used all the same", code: "len(_), _[59_999]['n']", check: value([60_000, 59_999]) },
    {
      title: "takes too long, and loses nothing by it",
      code: "attempt = 1\ntime.sleep(600)",
      timeoutMs: 700,
      status: "timed-out",
      check: ({ state }) => expect(state.variables).toBe("kept"),
    },
    {
      title: "logging and warnings, in order",
      code: "import logging, warnings\nlogging.basicConfig(stream=sys.stdout, format='%(levelname)s %(message)s', force=True)\nlogging.warning('first')\nprint('second', attempt)\nwarnings.warn('third')\nos.getpid()",
      check(outcome) {
        expect(outcome.stdout).toBe("WARNING first\nsecond 1\n");
        expect(outcome.stderr).toContain("UserWarning: third");
      },
      behind: "its kernel is killed",
    },
    {
      title: "nobody types into a notebook that runs by itself",
      code: "input('name? ')",
      status: "failed",
      check({ error, notices, generation }) {
        expect(error?.type).toBe("EOFError");
        expect(generation).toBe(2);
        expect(notices.join("\n")).toMatch(/restored as they were after cell 38/);
      },
    },
    {
      title: "the sum of it",
      code: `summary = {
    "shops": sorted(totals), "mean": statistics.mean(row["sold"] for row in rows), "pi": round(math.pi, 2),
    "price": price(2), "module": shop.tax(4), "skill": skills.invoke("best_shop", totals=totals),
    "classes": [type(account).__name__, Account("x").currency], "mode": os.environ["NOTEBOOK_MODE"], "attempt": attempt,
}
summary`,
      check: value({
        shops: ["north", "south"],
        mean: expect.closeTo(12.9),
        pi: 3.14,
        price: 4,
        module: 1,
        skill: "north",
        classes: ["Savings", "EUR"],
        mode: "on",
        attempt: 1,
      }),
    },
  ];
}
