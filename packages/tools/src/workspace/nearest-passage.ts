/** The passage of a file that is most like one that was not found. */
export interface NearestPassage {
  /** From 1. */
  line: number;
  text: string;
  /** From 0 to 1. */
  similarity: number;
}

const maxLines = 20_000;
const maxTextChars = 2000;
const minSimilarity = 0.4;

/** Finds it by the line that says most; undefined when nothing comes near. */
export function nearestPassage(text: string, wanted: string): NearestPassage | undefined {
  const lines = text.split(/\r?\n/).slice(0, maxLines);
  const asked = wanted
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .slice(0, 200);
  const anchorAt = asked.reduce((best, line, at) => (line.trim().length > asked[best]!.trim().length ? at : best), 0);
  const anchor = pairs(asked[anchorAt]!);
  const likely = lines
    .map((line, at) => ({ at, score: likeness(anchor, pairs(line)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 5);
  let nearest: NearestPassage | undefined;
  for (const { at } of likely) {
    const start = Math.min(Math.max(0, at - anchorAt), Math.max(0, lines.length - asked.length));
    const passage = lines.slice(start, start + asked.length);
    const scores = passage.map((line, index) => likeness(pairs(asked[index] ?? ""), pairs(line)));
    const similarity = Math.round((scores.reduce((sum, score) => sum + score, 0) / asked.length) * 100) / 100;
    if (similarity >= minSimilarity && similarity > (nearest?.similarity ?? 0))
      nearest = { line: start + 1, text: passage.join("\n").slice(0, maxTextChars), similarity };
  }
  return nearest;
}

/** How often each pair of neighbouring characters stands in a line, white space left out. */
function pairs(line: string): Map<string, number> {
  const bare = line.replace(/\s+/g, "").slice(0, 200);
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, bare.length - 1); at++) {
    const pair = bare.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let [shared, all] = [0, 0];
  for (const [pair, count] of a) {
    shared += Math.min(count, b.get(pair) ?? 0);
    all += count;
  }
  for (const count of b.values()) all += count;
  return (2 * shared) / all;
}
