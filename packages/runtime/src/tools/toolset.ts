import type { Bindings, Language, ToolDefinition } from "@artificer/protocol";
import type { ToolsetCallContext } from "../policy/tool-gate.js";

/** A tool as listings show it. */
export interface ToolInfo {
  /** `toolkit.tool`, in the tool's own names. */
  path: string;
  toolkit: string;
  tool: string;
  description: string;
  /** How to call it in Python, e.g. `tools.curl.get(url: str, headers: list[str] | None = None) -> str`. */
  signature: string;
  /** The same in each language. */
  signatures: Record<Language, string>;
  definition: ToolDefinition;
  /** Set when it can't work here as things are, and says why and how to mend it. */
  unavailable?: { reason: string; hint?: string };
}

/** The tools of a session: one table from which names, signatures, stubs, help and calls come, so that they can't disagree. */
export interface Toolset {
  list(): ToolInfo[];
  /** @throws ArtificerError `tool/unknown-toolkit`, `tool/unknown-tool`, naming the nearest. */
  find(toolkit: string, tool: string): ToolInfo;
  bindings(language: Language): Bindings;
  /**
   * Validates the arguments against the schema, lets policy and hooks have their say, then the toolkit run the call under the tool's time limit.
   *
   * @throws ArtificerError with a `tool/…` code, naming unknown or missing arguments and the allowed ones; `approval/…` and `budget/…` of a policy.
   */
  call(
    request: { toolkit: string; tool: string; args: Record<string, unknown> },
    context: ToolsetCallContext,
  ): Promise<unknown>;
  /** Has a listener told when a toolkit's tools have changed, and so the names and bindings; gives back what ends that. */
  onChanged(listener: () => void): () => void;
  /** Closes every toolkit. Idempotent. */
  close(): Promise<void>;
}
