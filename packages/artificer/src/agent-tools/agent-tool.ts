import type { JsonSchema } from "@artificer/protocol";

/** What may come with one call of a tool by a model. */
export interface AgentToolCallOptions {
  /** Stops the cell: interrupted first, its kernel killed only when that does not land. */
  signal?: AbortSignal;
  /** Told of output as it happens, for a person who watches; the model gets the answer alone. */
  onOutput?: (chunk: { stream: "stdout" | "stderr"; text: string }) => void;
  /** A sign of life while a cell runs, every `heartbeatMs` (10,000 unless given), also when it is silent. */
  onHeartbeat?: (beat: { cell: number; phase: "queued" | "running" | "waiting"; elapsedMs: number }) => void;
  heartbeatMs?: number;
}

/** A tool for a model, as a plain object that any agent framework can take. `call` never throws for what the model does. */
export interface AgentTool<Answer> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  call(args: unknown, options?: AgentToolCallOptions): Promise<Answer>;
}
