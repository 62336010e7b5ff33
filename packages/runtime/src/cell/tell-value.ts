import {
  type CellRunResult,
  createReference,
  type OutcomeData,
  type Reference,
  type Truncation,
  type Value,
} from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import { keptName } from "../artifacts/kept-outputs.js";
import { redactValue } from "../redaction/redact-value.js";
import { keepArtifact } from "./keep-artifact.js";

export interface TellValueContext {
  session: string;
  cell: number;
  artifacts: ArtifactStore;
  redact(text: string): string;
  truncated: Truncation[];
  notices: string[];
}

type ToldValue = Pick<OutcomeData, "value" | "repr" | "reference">;

/** What an outcome says of the cell's value: the value itself, or, once that is done, a reference and where the whole of it is kept. */
export function tellValue(
  result: CellRunResult | undefined,
  context: TellValueContext,
): ToldValue | Promise<ToldValue> {
  if (result?.hasValue !== true) return { value: undefined, repr: undefined, reference: undefined };
  const { repr, reference, valueProblem, reprChars } = result;
  const value = result.value as Value | undefined;
  if (reference !== undefined)
    return keep(reference, value, context).then((kept) => ({ value: undefined, repr, reference: kept }));
  if (valueProblem !== undefined) context.notices.push(`The value is shown but not carried: ${valueProblem.message}`);
  if (repr !== undefined && reprChars !== undefined) {
    const keptBytes = Buffer.byteLength(repr);
    // The whole was never written out: its size is that of its characters, taken to be like those that were.
    const totalBytes = Math.max(keptBytes + 1, Math.round((keptBytes / repr.length) * reprChars));
    context.truncated.push({ what: "repr", keptBytes, totalBytes });
    context.notices.push(`The value is written out in part only; the whole is _${context.cell} in the next cells.`);
  }
  return { value, repr, reference: undefined };
}

async function keep(
  facts: NonNullable<CellRunResult["reference"]>,
  value: Value | undefined,
  { session, cell, artifacts, redact, truncated, notices }: TellValueContext,
): Promise<Reference> {
  const cut: Truncation = {
    what: "value",
    keptBytes: Buffer.byteLength(facts.head) + Buffer.byteLength(facts.tail),
    totalBytes: facts.bytes,
  };
  truncated.push(cut);
  const { shape, ...rest } = facts;
  const reference = createReference({ ...rest, ...(shape === undefined ? {} : { shape }) });
  if (value === undefined) {
    notices.push(`The value is too large to be kept as an artifact: it is only in the kernel, as ${facts.id}.`);
    return reference;
  }
  const kept = {
    name: keptName(session, `cell-${cell}-value${extension(value)}`),
    value: redactValue(value, redact),
    description: `value of cell ${cell}`,
  };
  const artifact = await keepArtifact(artifacts, kept, notices);
  if (artifact === undefined) return reference;
  cut.artifact = artifact;
  return createReference({ ...reference, artifact });
}

function extension(value: Value): string {
  if (typeof value === "string") return ".txt";
  return value instanceof Uint8Array ? ".bin" : ".json";
}
