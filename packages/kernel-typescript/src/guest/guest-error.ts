import type { WireError } from "@artificer/protocol";

/** What the host answered instead of a value. */
export class ArtificerError extends Error {
  readonly code: string;
  readonly hint?: string;
  readonly details?: Record<string, unknown>;

  constructor(error: WireError, options?: ErrorOptions) {
    super(error.hint === undefined ? error.message : `${error.message} ${error.hint}`, options);
    this.code = error.code;
    if (error.hint !== undefined) this.hint = error.hint;
    if (error.details !== undefined && Object.keys(error.details).length > 0) this.details = error.details;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

export class ToolError extends ArtificerError {}
export class SkillError extends ArtificerError {}
export class ArtifactError extends ArtificerError {}
export class DepError extends ArtificerError {}

const byArea: Record<string, typeof ArtificerError> = {
  tool: ToolError,
  skill: SkillError,
  artifact: ArtifactError,
  dep: DepError,
};

/** The class that fits an error's code. */
export function errorClass(code: string): typeof ArtificerError {
  return byArea[code.split("/")[0] ?? ""] ?? ArtificerError;
}
