/** An option as a program's help tells it. */
export interface HelpOption {
  /** As written: `-m`, `--max-count`. */
  names: string[];
  value?: HelpValue;
  description: string;
  required: boolean;
  /** May be given several times. */
  repeated: boolean;
}

/** What follows an option. */
export interface HelpValue {
  name: string;
  /** How it is tied to the option where the help shows it. */
  glue: "equals" | "attached" | "space";
  choices?: string[];
}

/** A positional argument as a program's usage tells it. */
export interface HelpArgument {
  name: string;
  description: string;
  required: boolean;
  many: boolean;
  choices?: string[];
}

export interface HelpCommand {
  name: string;
  description: string;
}

/** What a program's help says, as far as it could be read. */
export interface HelpText {
  description: string;
  options: HelpOption[];
  arguments: HelpArgument[];
  /** Subcommands. */
  commands: HelpCommand[];
}
