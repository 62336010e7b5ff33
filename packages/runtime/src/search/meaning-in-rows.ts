import { rankingWeights as weights } from "./ranking-weights.js";
import type { SlotRows } from "./slot-rows.js";

/** What a document means to a query by the rows of its vectors; nothing where it has none, or the query has no vector. */
export function meaningInRows(rows: SlotRows, slot: number, cosines: Float32Array | undefined): number {
  if (cosines === undefined) return 0;
  const ownRow = rows.own[slot]!;
  const usedRow = rows.used[slot]!;
  const own = ownRow < 0 ? 0 : cosines[ownRow]!;
  const used = usedRow < 0 ? own : cosines[usedRow]!;
  return weights.own * own + (1 - weights.own) * used;
}
