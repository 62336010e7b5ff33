import { ArtificerError, type Language } from "@artificer/protocol";
import type { Session } from "artificer";
import type { CliIo } from "../context.js";
import { firstLine, formatColumns } from "../output/format-columns.js";
import { skillRows } from "../output/skill-rows.js";
import type { ReplState } from "./repl-state.js";

interface ReplScope {
  session: Session;
  io: CliIo;
  state: ReplState;
}

interface ReplCommand {
  usage: string;
  brief: string;
  run(rest: string, scope: ReplScope): Promise<string>;
}

const commands: Record<string, ReplCommand> = {
  help: { usage: ":help", brief: "this", run: async () => helpText() },
  tools: {
    usage: ":tools [QUERY]",
    brief: "list tools, or find them by what they do",
    async run(query, { session, io }) {
      const tools = query === "" ? await session.listTools() : await session.searchTools(query, { limit: 10 });
      if (tools.length === 0) return "No tools.\n";
      return formatColumns(
        tools.map(({ signature, description }) => [signature, firstLine(description)]),
        io.stdout.columns,
      );
    },
  },
  skills: {
    usage: ":skills [QUERY]",
    brief: "list skills, or find them by what they do",
    async run(query, { session, io }) {
      const skills = query === "" ? await session.listSkills() : await session.searchSkills(query, { limit: 10 });
      return skills.length === 0 ? "No skills.\n" : skillRows(skills, io.stdout.columns);
    },
  },
  vars: {
    usage: ":vars",
    brief: "list the variables",
    async run(_rest, { session, io, state }) {
      const variables = await session.variables(state.language);
      if (variables.length === 0) return "No variables.\n";
      return formatColumns(
        variables.map(({ name, type, repr }) => [name, type, firstLine(repr)]),
        io.stdout.columns,
      );
    },
  },
  reset: {
    usage: ":reset",
    brief: "start over with a fresh kernel; variables go",
    async run(_rest, { session, state }) {
      await session.restart(state.language);
      return "A fresh kernel: no variables.\n";
    },
  },
  lang: {
    usage: ":lang python|typescript",
    brief: "change the language of the next cells",
    async run(name, { state }) {
      if (name === "") return `${state.language}\n`;
      if (name !== "python" && name !== "typescript") {
        throw new ArtificerError("session/unknown-language", `There is no language ${JSON.stringify(name)}.`, {
          hint: "Allowed: python, typescript.",
        });
      }
      state.language = name;
      return "";
    },
  },
  "save-skill": {
    usage: ":save-skill NAME [DESCRIPTION]",
    brief: "keep the last cell that defines run() as a skill",
    async run(rest, { session, state }) {
      const [name = "", ...words] = rest.split(/\s+/);
      const cell = state.cells.findLast(({ code, language }) => definesRun(code, language));
      if (name === "" || cell === undefined) {
        throw new ArtificerError(
          "usage/invalid-argument",
          name === "" ? "The name is missing." : "No cell has defined run().",
          {
            hint: "Define run(...) in a cell, then :save-skill NAME WHAT IT DOES.",
          },
        );
      }
      const { code: source, language } = cell;
      const skill = await session.createSkill({ name, source, language, description: words.join(" ") || undefined });
      return `Kept ${skill.signature} as version ${skill.version}.\n`;
    },
  },
  quit: { usage: ":quit", brief: "leave; so does Ctrl-D", run: async () => "" },
};

/** Runs a line such as `:tools page`. @throws ArtificerError `usage/unknown-command`, and what the library throws */
export async function runReplCommand(line: string, scope: ReplScope): Promise<void> {
  const [, name = "", rest = ""] = /^:\s*(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new ArtificerError("usage/unknown-command", `There is no :${name}.`, { hint: ":help lists what there is." });
  }
  scope.io.stdout.write(await command.run(rest.trim(), scope));
}

function helpText(): string {
  const rows = formatColumns(Object.values(commands).map(({ usage, brief }) => [usage, brief]));
  return `${rows}
Type code to run it; a block ends with a blank line. Ctrl-C interrupts the cell that runs and keeps its variables.
tools, skills and artifacts are there in every cell.
`;
}

function definesRun(code: string, language: Language): boolean {
  if (language === "python") return /^(async\s+)?def\s+run\b/m.test(code);
  return /^(export\s+)?(default\s+)?((async\s+)?function\s*\*?\s+run\b|(const|let|var)\s+run\b)/m.test(code);
}
