import type { SkillInfo } from "@artificer/runtime";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Session } from "../session/session.js";
import { eliciting } from "./eliciting.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { progressNotices } from "./progress-notices.js";
import { answering, plainJson, toolResult } from "./tool-result.js";

/** Registers `search_skills`, `get_skill`, `create_skill` and `invoke_skill`. */
export function registerSkillTools(server: McpServer, session: Session, options: McpServerOptions): void {
  server.registerTool(
    "search_skills",
    {
      title: "Search skills",
      description: "Finds saved workflows by what they do, best first. An empty query lists them all.",
      inputSchema: z.object({ query: z.string(), limit: z.int().min(1).max(100).default(10) }),
      annotations: { readOnlyHint: true },
    },
    ({ query, limit }) =>
      answering(async () => {
        const found = query.trim() === "" ? await session.listSkills() : await session.searchSkills(query, { limit });
        const skills = found.slice(0, limit);
        return toolResult(skillLines(skills), { skills: skills.map((skill) => plainJson(skill)) });
      }),
  );

  server.registerTool(
    "get_skill",
    {
      title: "Get a skill",
      description: "The source, parameters and state of one skill.",
      inputSchema: z.object({ name: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ name }) =>
      answering(async () => {
        const skill = await session.getSkill(name);
        return toolResult(`${skill.signature}\n${skill.description}\n\n${skill.source}`, { skill: plainJson(skill) });
      }),
  );

  server.registerTool(
    "create_skill",
    {
      title: "Create a skill",
      description:
        "Keeps source that defines a function run(...) as a skill, to be found by its description and called again with other arguments.",
      inputSchema: z.object({
        name: z.string().describe("Lower case with underscores."),
        source: z.string().describe("Defines run(...); may use tools, skills and artifacts."),
        description: z.string().describe("What it does, in the words one would search with."),
        language: z.enum(["python", "typescript"]).optional(),
        tags: z.array(z.string()).optional(),
        replace: z.boolean().optional().describe("Make a new version of a skill that is there."),
      }),
      annotations: { destructiveHint: false },
    },
    ({ replace, ...draft }) =>
      answering(async () => {
        const skill = await session.createSkill(draft, { replace });
        return toolResult(`Kept ${skill.signature} as version ${skill.version}.`, { skill: plainJson(skill) });
      }),
  );

  server.registerTool(
    "invoke_skill",
    {
      title: "Run a skill",
      description: "Runs a skill with named arguments and answers as run_code does.",
      inputSchema: z.object({ name: z.string(), arguments: z.record(z.string(), z.json()).default({}) }),
    },
    ({ name, arguments: args }, { mcpReq }) =>
      eliciting(server, session, mcpReq, (about) =>
        session.invokeSkill(name, args, { timeoutMs: options.timeoutMs, ...progressNotices(mcpReq), ...about }),
      ),
  );
}

function skillLines(skills: readonly SkillInfo[]): string {
  if (skills.length === 0) return "No skill matches.";
  return skills
    .map(({ signature, name, description, problem }) =>
      problem === undefined ? `- ${signature}: ${description}` : `- ${name}: unusable: ${problem.message}`,
    )
    .join("\n");
}
