/** What the agent writes, cell by cell. */

export const explore = `
packages = tools.package.list()
print(len(packages), "packages are installed, for instance")
for p in packages[:3]:
    print(" ", p["name"], p["version"])
`;

export const aggregate = `
from collections import Counter
import asyncio

manifests = await asyncio.gather(*[package.manifest(folder=p["folder"]) for p in packages])
texts = await asyncio.gather(*[package.licence_text(folder=p["folder"]) for p in packages])

def licence_of(manifest):
    licence = manifest.get("license") or manifest.get("licenses") or "none stated"
    return licence if isinstance(licence, str) else "other form"

counts = Counter(licence_of(m) for m in manifests)
print(sum(len(t) for t in texts), "characters of licence text read")
dict(counts.most_common(6))
`;

export const draw = `
import struct, zlib

def bar_chart(counts, width=480, bar=22, gap=8):
    """A PNG of horizontal bars, by hand: nothing needs installing."""
    colours = [(66, 99, 235), (12, 166, 120), (245, 159, 0), (224, 49, 49), (132, 94, 247), (134, 142, 150)]
    height = gap + len(counts) * (bar + gap)
    rows = [bytearray(b"\\xff" * width * 3) for _ in range(height)]
    most = max(counts.values())
    for i, count in enumerate(counts.values()):
        length = max(2, int((width - 20) * count / most))
        for y in range(gap + i * (bar + gap), gap + i * (bar + gap) + bar):
            rows[y][30:30 + (length - 10) * 3] = bytes(colours[i % len(colours)]) * (length - 10)
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\\0" + bytes(row) for row in rows)
    return (b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))

picture = bar_chart(dict(counts.most_common(6)))
display(picture)
artifacts.save("afternoon/licences.png", picture, description="Installed packages by licence")
artifacts.save("afternoon/licences.json", dict(counts))["bytes"]
`;

export const keep = `
skill = skills.create(
    name="tally_licences",
    description="Count how many installed packages come under each kind of legal terms, such as MIT or Apache",
    tags=["packages", "compliance"],
    replace=True,
    source='''
def run(scope: str = "", top: int = 5) -> dict:
    """scope: only packages whose name begins with it; top: how many kinds to name."""
    from collections import Counter
    counts = Counter()
    for found in tools.package.list(scope=scope):
        manifest = tools.package.manifest(folder=found["folder"])
        licence = manifest.get("license") or "none stated"
        counts[licence if isinstance(licence, str) else "other form"] += 1
    return dict(counts.most_common(top))
''')
print(skill["name"], "version", skill["version"])
`;

/** Skills of other afternoons: something to be mistaken for. */
export const others: readonly { name: string; description: string; source: string }[] = [
  {
    name: "slugify_title",
    description: "Turn a headline into a short string for a web address",
    source: `def run(title: str) -> str:\n    import re\n    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")\n`,
  },
  {
    name: "moving_average",
    description: "Smooth a series of numbers by the mean of a sliding window",
    source: `def run(series: list, window: int = 3) -> list:\n    return [sum(series[i:i + window]) / window for i in range(len(series) - window + 1)]\n`,
  },
  {
    name: "parse_access_log",
    description: "Read lines of a web server's log into address, path and status",
    source: `def run(lines: list) -> list:\n    return [line.split() for line in lines]\n`,
  },
];

/** Shares no word with the skill's name. */
export const question = "under what legal conditions may we use our dependencies?";

export const compose = `
skills.create(
    name="compare_scopes",
    description="Set the licences of two groups of packages side by side",
    replace=True,
    source='''
def run(left: str, right: str) -> dict:
    return {scope: skills.invoke("tally_licences", scope=scope, top=3) for scope in (left, right)}
''')
skills.invoke("compare_scopes", left="@types", right="@changesets")
`;
