import type { WireError } from "@artificer/protocol";

/** What the host answered instead of a value. */
export class ArtificerError extends Error {
  readonly code: string;
  declare readonly hint?: string;
  declare readonly details?: Record<string, unknown>;

  constructor(error: WireError, options?: ErrorOptions) {
    super(error.hint === undefined ? error.message : `${error.message} ${error.hint}`, options);
    this.code = error.code;
    // It is in the message already: printed beside it, it would be there twice.
    if (error.hint !== undefined) Object.defineProperty(this, "hint", { value: error.hint, enumerable: false });
    if (error.details !== undefined && Object.keys(error.details).length > 0)
      Object.assign(this, { details: error.details });
  }

  override get name(): string {
    return this.constructor.name;
  }
}

export class ToolError extends ArtificerError {}
export class SkillError extends ArtificerError {}
export class ArtifactError extends ArtificerError {}
export class SharedError extends ArtificerError {}
export class DepError extends ArtificerError {}

const byArea: Record<string, typeof ArtificerError> = {
  tool: ToolError,
  skill: SkillError,
  artifact: ArtifactError,
  shared: SharedError,
  dep: DepError,
};

/** The class that fits an error's code. */
export function errorClass(code: string): typeof ArtificerError {
  return byArea[code.split("/")[0] ?? ""] ?? ArtificerError;
}
