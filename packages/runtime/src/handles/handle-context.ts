import type { Language, Value } from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import type { ActiveCell } from "../cell/active-cell.js";
import type { ToolCallLog } from "../cell/tool-call-log.js";
import type { DepList } from "../deps/dep-list.js";
import type { Withdrawal } from "../kernel/withdrawal.js";
import type { SessionPolicy } from "../policy/session-policy.js";
import type { SharedValues } from "../shared/shared-values.js";
import type { SkillLibrary } from "../skills/skill-library.js";
import type { ToolSearch } from "../tools/tool-search.js";
import type { Toolset } from "../tools/toolset.js";

/** A skill that is called from a cell of another language. */
export interface SkillElsewhere {
  from: Language;
  /** The cell that calls. */
  cell: number;
  language: Language;
  name: string;
  args: Record<string, Value>;
}

/** What the handles of a cell reach: the session's namespaces, nothing else of the host. */
export interface Namespaces {
  session: string;
  policy: SessionPolicy;
  toolset: Toolset;
  /** What tools may pass on to programs of what the host's environment holds. */
  environment(): Readonly<Record<string, string>>;
  toolSearch(): Promise<ToolSearch>;
  /** A call succeeded: a search that led to it is learned. */
  toolUsed(toolkit: string, tool: string): void;
  /** Resolves when everything learned so far is kept. */
  settle(): Promise<void>;
  skills(): Promise<SkillLibrary>;
  artifacts: ArtifactStore;
  shared: SharedValues;
  deps: DepList;
  /** Source as a kernel of the language takes it. */
  prepareSkill(language: Language, source: string): string;
  /** Runs a skill of another language in that language's kernel. */
  invokeElsewhere(call: SkillElsewhere, signal: AbortSignal): Promise<unknown>;
}

/** One request of a kernel, and the cell it counts for. */
export interface HandleCall {
  language: Language;
  cell: number;
  /** The cell that runs now in the kernel, which may be another one. */
  running: number | undefined;
  /** Absent when the cell has ended: a thread of it still calls. */
  active: ActiveCell | undefined;
  log: ToolCallLog;
  /** Told when the call is taken back; its `signal` is made when it is asked for. */
  withdrawal: Withdrawal;
  onAnswered(listener: (bytes: number) => void): void;
  /** Bounds the answer by the session's limits and its policy. `onRefused` is told when it may not go to the cell. */
  limitAnswer(tool: string, onRefused: (error: unknown) => void): void;
  /** Tells the reader something that happened outside the run of a cell. */
  remark(text: string): void;
}

/** Answers one method. Parameters come from a kernel and are not trusted. */
export type Handler = (namespaces: Namespaces, params: unknown, call: HandleCall) => Promise<unknown>;
