import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** An interpreter that has both libraries; undefined, with the reason printed, where none of the usual ones has them. */
export async function plottingPython(): Promise<string | undefined> {
  const candidates = ["python3", "/usr/bin/python3", "/usr/local/bin/python3"];
  for (const path of candidates) {
    const found = await run(path, ["-c", "import matplotlib, pandas, sys; print(sys.executable)"]).catch(
      () => undefined,
    );
    if (found !== undefined) return found.stdout.trim();
  }
  console.info(`matplotlib and pandas are in none of ${candidates.join(", ")}: only stand-ins for them are tried.`);
  return undefined;
}

/** Modules in the folder that follow the protocols of matplotlib and pandas, and do nothing else. */
export async function writeStandIns(folder: string): Promise<void> {
  const files: Record<string, string> = {
    "matplotlib/__init__.py": "",
    "matplotlib/figure.py": `
class Figure:
    def savefig(self, sink, format="png", **options): sink.write(b"\\x89PNG\\r\\n\\x1a\\n" + b"0" * 100)
    def show(self, warn=True): raise AttributeError("no window")
`,
    "matplotlib/pyplot.py": `
import warnings
from matplotlib.figure import Figure
opened = {}
def figure(number=None):
    number = number or len(opened) + 1
    return opened.setdefault(number, Figure())
def plot(*values):
    figure(max(opened, default=None))
    return []
def get_fignums(): return sorted(opened)
def close(which=None):
    if isinstance(which, Figure):
        for number in [n for n, f in opened.items() if f is which]: del opened[number]
    else: opened.clear()
def show(): warnings.warn("non-interactive: cannot be shown")
`,
    "pandas.py": `
class DataFrame:
    def __init__(self, columns): self.columns = columns
    @property
    def shape(self): return (len(next(iter(self.columns.values()))), len(self.columns))
    def __repr__(self): return "   a  b\\n" + "\\n".join("%d  %s  %s" % (n, *row) for n, row in enumerate(zip(*self.columns.values())))
    def _repr_html_(self): return "<div><table>%s</table></div>" % "".join("<td>%s</td>" % v for c in self.columns.values() for v in c)
`,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
