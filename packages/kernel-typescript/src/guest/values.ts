import {
  codecMark,
  type DecodedForms,
  decodeValue,
  type Reference as ReferenceFacts,
  viewOf,
} from "@artificer/protocol";

/** Stands for a value too large to show. `artifact` names the artifact that keeps the whole of it, if one does. */
export class Reference {
  declare readonly id: string;
  declare readonly type: string;
  declare readonly shape?: readonly number[];
  declare readonly bytes: number;
  declare readonly head: string;
  declare readonly tail: string;
  declare readonly artifact?: string;

  /** Set by the kernel: loads an artifact by its name. */
  static loadArtifact: (name: string) => Promise<unknown> = () =>
    Promise.reject(new Error("The kernel has not started."));

  constructor(facts: Omit<ReferenceFacts, "$type">) {
    const { id, type, shape, bytes, head, tail, artifact } = facts;
    Object.assign(this, { id, type, shape, bytes, head, tail, artifact });
  }

  /** The whole value, from the artifact that keeps it. */
  async load(): Promise<unknown> {
    if (this.artifact !== undefined) return Reference.loadArtifact(this.artifact);
    throw new Error("No artifact keeps this value; it was too large, or it could not be saved.");
  }

  get [codecMark](): string {
    return "reference";
  }
}

/** What cells get: typed arrays, which have their `shape` where they are more than a row of numbers, and references that load. */
const forms: DecodedForms = {
  array({ dtype, shape, bytes }) {
    const view = viewOf(dtype, bytes);
    // Without its shape, an array of bytes would be bytes.
    if (shape.length === 1 && dtype !== "u1") return view;
    return Object.defineProperty(view, "shape", { value: [...shape], writable: true, configurable: true });
  },
  reference: (facts) => new Reference(facts),
};

/** A value that the host has sent, in the forms that cells have. */
export function valueFromWire(json: unknown, parts: readonly Uint8Array[]): unknown {
  return decodeValue(json, parts, forms);
}
