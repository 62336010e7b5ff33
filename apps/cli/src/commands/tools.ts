import { buildCommand, buildRouteMap } from "@stricli/core";
import type { CliContext } from "../context.js";
import { findTool } from "../find-tool.js";
import { toolRows } from "../output/tool-rows.js";
import { writeJson } from "../output/write-json.js";
import { ownNames } from "../own-names.js";
import { type BaseFlags, baseFlags, limitFlag } from "../shared-flags.js";
import { withSession } from "../with-session.js";
import { acceptCommand } from "./tools/accept.js";
import { addCommand } from "./tools/add.js";
import { catalogCommand } from "./tools/catalog.js";
import { stubsCommand } from "./tools/stubs.js";

const list = buildCommand<BaseFlags, [], CliContext>({
  docs: { brief: "List the tools that a cell can call" },
  parameters: { flags: baseFlags },
  async func(flags) {
    const tools = await withSession(this.io, flags, (session) => session.listTools());
    if (flags.json) return writeJson(this.io, { tools });
    if (tools.length === 0) this.io.stderr.write("No tools yet: put YAML files into the base's tools/ folder.\n");
    this.io.stdout.write(toolRows(tools, this.io.stdout.columns));
  },
});

const show = buildCommand<BaseFlags, [string], CliContext>({
  docs: {
    brief: "Show how a tool is called",
    fullDescription: "Shows a tool's signature, description and argument schema.\n\n  artificer tools show curl.get",
  },
  parameters: {
    flags: baseFlags,
    positional: { kind: "tuple", parameters: [{ brief: "Such as curl.get", parse: String, placeholder: "PATH" }] },
  },
  async func(flags, path) {
    const tool = await withSession(this.io, flags, (session) => findTool(session, path));
    if (flags.json) return writeJson(this.io, { tool });
    const schema = JSON.stringify(tool.definition.inputSchema, null, 2);
    this.io.stdout.write(`${tool.signature}\n\n${tool.description.trim()}\n\nEffect: ${tool.definition.effect}\n`);
    this.io.stdout.write(`Arguments: ${schema}\n`);
  },
});

const search = buildCommand<BaseFlags & { limit: number }, [string], CliContext>({
  docs: {
    brief: "Find tools by what they do",
    fullDescription: 'Finds tools by meaning and words, best first.\n\n  artificer tools search "download a page"',
  },
  parameters: {
    flags: { limit: limitFlag, ...baseFlags },
    positional: { kind: "tuple", parameters: [{ brief: "What is to be done", parse: String, placeholder: "QUERY" }] },
  },
  async func(flags, query) {
    const tools = await withSession(this.io, flags, (session) => session.searchTools(query, { limit: flags.limit }));
    if (flags.json) return writeJson(this.io, { tools });
    if (tools.length === 0) this.io.stderr.write("No tool matches.\n");
    this.io.stdout.write(toolRows(tools, this.io.stdout.columns));
  },
});

export const toolsRoutes = buildRouteMap({
  routes: ownNames({
    add: addCommand,
    list,
    show,
    search,
    catalog: catalogCommand,
    stubs: stubsCommand,
    accept: acceptCommand,
  }),
  aliases: ownNames({}),
  docs: {
    brief: "The tools that cells can call",
    fullDescription: `The tools that cells can call, found in the base's tools/ folder.

  artificer tools list
  artificer tools show curl.get
  artificer tools search "download a page"
  artificer tools add grep`,
  },
});
