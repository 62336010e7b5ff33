import { buildCommand } from "@stricli/core";
import { baseFolder } from "../base-folder.js";
import type { CliContext } from "../context.js";
import { layOutBase } from "../lay-out-base.js";
import { writeJson } from "../output/write-json.js";
import { type BaseFlags, baseFlags } from "../shared-flags.js";
import { withSession } from "../with-session.js";

export const initCommand = buildCommand<BaseFlags, [], CliContext>({
  docs: {
    brief: "Lay out a base folder with a few tools",
    fullDescription: `Makes the folders tools/, skills/ and artifacts/, a configuration to fill in and starter tools. What is there already
stays as it is, so it can be run again.

  artificer init
  artificer init --base ~/agents/research`,
  },
  parameters: { flags: baseFlags },
  async func(flags) {
    const base = baseFolder(this.io, flags.base);
    const { made, kept } = await layOutBase(base);
    const tools = await withSession(this.io, { ...flags, base }, (session) => session.listTools(), { create: true });
    if (flags.json) return writeJson(this.io, { base, made, kept, tools: tools.map(({ path }) => path) });
    const chosen = flags.base === undefined ? "" : ` --base ${flags.base}`;
    this.io.stdout.write(`${base} is ready${tools.length > 0 ? `, with the tools ${tools.map(({ path }) => path).join(", ")}` : ""}.

Next:
  artificer run${chosen} -c 'tools.list()'      a first cell
  artificer repl${chosen}                       try things
  artificer tools list${chosen}                 what cells can call; add your own as YAML in tools/
  artificer doctor${chosen}                     check that all is well
`);
  },
});
