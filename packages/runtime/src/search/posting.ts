/** A document of a posting, and which of its terms this one is. */
export interface Occurrence {
  slot: number;
  at: number;
}

/** The documents that have a term, in no order, as numbers side by side. */
export interface Posting {
  readonly term: string;
  readonly size: number;
  /** Of these two the first `size` count. They are others after a change. */
  readonly slots: Int32Array;
  readonly weights: Float64Array;
  /** @returns its place. */
  add(occurrence: Occurrence, weight: number): number;
  /** @returns which one stands at the place now, if any does: the last of all fills the gap. */
  remove(place: number): Occurrence | undefined;
}

/** Four at first: most terms are rare. */
const firstRoom = 4;

export function createPosting(term: string): Posting {
  let size = 0;
  let slots = new Int32Array(firstRoom);
  let ats = new Int32Array(firstRoom);
  let weights = new Float64Array(firstRoom);

  function grow(): void {
    const before = { slots, ats, weights };
    slots = new Int32Array(2 * size);
    ats = new Int32Array(2 * size);
    weights = new Float64Array(2 * size);
    slots.set(before.slots);
    ats.set(before.ats);
    weights.set(before.weights);
  }

  return {
    term,
    get size() {
      return size;
    },
    get slots() {
      return slots;
    },
    get weights() {
      return weights;
    },
    add({ slot, at }, weight) {
      if (size === slots.length) grow();
      slots[size] = slot;
      ats[size] = at;
      weights[size] = weight;
      return size++;
    },
    remove(place) {
      size--;
      if (place === size) return undefined;
      slots[place] = slots[size]!;
      ats[place] = ats[size]!;
      weights[place] = weights[size]!;
      return { slot: slots[place]!, at: ats[place]! };
    },
  };
}
