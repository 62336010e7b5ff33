import type {
  EffectClass,
  JsonValue,
  Language,
  PlannedCall,
  ToolCallContext,
  ToolCallRecord,
} from "@artificer/protocol";
import type { Withdrawal } from "../kernel/withdrawal.js";
import type { ToolEntry } from "../tools/tool-entry.js";

/** What becomes known of a call before or besides its result, for its record. */
export interface CallNotes {
  planned(plan: PlannedCall): void;
  approval(how: NonNullable<ToolCallRecord["approval"]>): void;
  cached(): void;
  /** Tool calls of the cell before this one. */
  readonly callsSoFar: number;
}

/** What a toolset's caller says of a call besides its arguments. */
export interface ToolsetCallContext extends ToolCallContext {
  /** Tells the same as `signal`, which is not asked for where this is there. */
  withdrawal?: Withdrawal;
  /** That of the calling cell: refusals show how to call the tool in it. Python unless given. */
  language?: Language;
  /** Told when the call passes validation and policy and goes to its tool. */
  onReached?: () => void;
  /** Told when the tool still answers after it was cancelled. */
  onLate?: () => void;
  /** The calling cell's source, and the line that calls, as the kernel says. */
  code?: string;
  line?: number;
  notes?: CallNotes;
  /** The cell that runs now, where a call says that it belongs to an earlier one: what holds for either then holds. */
  running?: number;
  /** The call waits for a person: no clock runs until what is given back is called. */
  onParked?: () => () => void;
}

export interface GatedCall {
  entry: ToolEntry;
  /** Checked against the schema. */
  args: Record<string, unknown>;
  context: ToolsetCallContext;
}

/** Lets a call go on, to the hooks and in the end to its tool; `around` stands around the tool alone. */
export type GoOn = (
  args: Record<string, unknown>,
  around?: (tool: (maxMs: number) => Promise<unknown>) => Promise<unknown>,
) => Promise<unknown>;

/** Stands before every call of a toolset. */
export interface ToolGate {
  /** The class of a tool, where it is not what the tool says of itself. */
  effectOf(tool: Pick<ToolEntry, "path" | "aliases">): EffectClass | undefined;
  /** The tools there are; told at the start and at every change. @throws ArtificerError at the start, for a policy that names what is not there */
  adopt(entries: readonly ToolEntry[]): void;
  /** True when nothing can stand in the way of the tool's calls: they need not be shown. */
  lets(entry: ToolEntry, context: Pick<ToolsetCallContext, "cell" | "running">): boolean;
  call(call: GatedCall, goOn: GoOn): Promise<unknown>;
}

/** For a person, at most: larger arguments are told by their beginning. */
const maxShownChars = 20_000;

/** Arguments that a record or a person may be shown, cut where they are very long. */
export function boundedJson(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= maxShownChars ? value : `${text.slice(0, maxShownChars)}… (${text.length} characters)`;
}
