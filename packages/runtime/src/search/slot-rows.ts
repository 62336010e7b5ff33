/** In which rows of the vectors the documents' own are, by slot: numbers side by side, since a search goes through all of them. */
export interface SlotRows {
  /** Of what a document means by itself, and with what use has taught; -1 where there is none. They are others after a change. */
  readonly own: Int32Array;
  readonly used: Int32Array;
  set(slot: number, rows: { row?: number; usedRow?: number }): void;
}

export function createSlotRows(): SlotRows {
  let own = new Int32Array(64).fill(-1);
  let used = new Int32Array(64).fill(-1);
  return {
    get own() {
      return own;
    },
    get used() {
      return used;
    },
    set(slot, { row = -1, usedRow = -1 }) {
      own = withRoom(own, slot);
      used = withRoom(used, slot);
      own[slot] = row;
      used[slot] = usedRow;
    },
  };
}

function withRoom(rows: Int32Array<ArrayBuffer>, slot: number): Int32Array<ArrayBuffer> {
  if (slot < rows.length) return rows;
  const larger = new Int32Array(Math.max(slot + 1, 2 * rows.length)).fill(-1);
  larger.set(rows);
  return larger;
}
