import type { JsonSchema } from "./json.js";

/** What a tool does to the world. Policy goes by it. */
export type EffectClass = "read" | "write" | "destructive" | "egress";

/**
 * What a tool waits for before it does anything: that a person confirms the call, that a person fills in some of its arguments
 * (`inputFields`), or that somebody outside carries it out and gives its result.
 */
export type ToolNeed = "confirmation" | "input" | "external";

/** One tool as its toolkit describes it. Descriptions are data, never instructions to the host. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments; always of type object. */
  inputSchema: JsonSchema;
  /** JSON Schema of the result, when known. */
  outputSchema?: JsonSchema;
  effect: EffectClass;
  /** Set when no call of it may go ahead without a person; refused where nobody can decide. */
  needs?: ToolNeed;
  /** With `needs: "input"`: the arguments that the person fills in. They are optional in the schema, since cells leave them out. */
  inputFields?: string[];
  /** The same arguments give the same result for a while, so that a policy may keep it. Tools that only read need not say so. */
  cacheable?: boolean;
  /** Bound on one call; the toolkit's own default applies when absent. */
  timeoutMs?: number;
  tags?: string[];
  /** Set when the tool can't work here as things are (its program isn't installed, say); it is listed all the same. */
  readonly unavailable?: { reason: string; hint?: string };
}

/** How far a running call has come, as its tool tells it. */
export interface ToolProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** What a tool is told about the call besides its arguments. */
export interface ToolCallContext {
  /** Fires when the cell is interrupted, the call times out, or the session closes. */
  signal: AbortSignal;
  session: string;
  /** Who the session belongs to; absent when it belongs to nobody. */
  owner?: string;
  cell: number;
  /** Variables of the host that the configuration or a skill of the session asks for, for programs that the tool starts. */
  environment?: Readonly<Record<string, string>>;
  /** Told of progress when the tool reports any. */
  onProgress?: (progress: ToolProgress) => void;
}

/** A named group of host functions. Arguments are checked against the schema before `call`. */
export interface Toolkit {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly ToolDefinition[];
  /** Name of the tool that calling the toolkit itself stands for, as in `tools.curl(...)`. */
  readonly directTool?: string;
  /**
   * Runs a tool with validated arguments; the result must be a codec value.
   *
   * @throws ArtificerError with a `tool/…` code; anything else becomes `tool/failed`.
   */
  call(tool: string, args: Record<string, unknown>, context: ToolCallContext): Promise<unknown>;
  /** Has a listener told whenever `tools` is different from before; gives back what ends that. */
  onChanged?(listener: () => void): () => void;
  close?(): Promise<void>;
}
