import { dirname } from "node:path";
import {
  ArtificerError,
  nearestNames,
  type ToolCallContext,
  type ToolDefinition,
  type Toolkit,
} from "@artificer/protocol";
import type { ResolveSecret } from "../remote/secret-value.js";
import { buildCommand } from "./build-command.js";
import { createCallGate } from "./call-gate.js";
import { type CallScope, openCallScope } from "./call-scope.js";
import type { Environment } from "./child-environment.js";
import type { CliDefinition, CliDefinitionInput } from "./definition.js";
import { type CliToolPlan, inputSchema, outputSchema, planTools } from "./plan-tools.js";
import { createProgramCall, missingProgram, type ProgramSettings } from "./program-call.js";
import { checkedDefinition } from "./read-definition.js";

export interface CliToolkitOptions {
  /** The file that the definition came from: named in errors, and what relative paths in it are relative to. */
  source: string;
  /** Where programs run unless their definition says otherwise; the host's own folder unless given. */
  cwd?: string;
  /** The host's environment, of which programs see a small part; that of this process unless given. */
  environment?: Environment;
  /** Gives the secrets that `env` names. */
  resolveSecret?: ResolveSecret;
  /** How many of its programs run at once; more wait. 32 unless given. */
  maxParallel?: number;
}

/**
 * Makes a toolkit of a command-line program: a tool for each recipe, and the escape hatch that takes every argument.
 *
 * @throws ArtificerError `tool/definition-invalid`
 */
export function createCliToolkit(definition: CliDefinitionInput, options: CliToolkitOptions): Toolkit {
  return cliToolkit(checkedDefinition(definition, options.source), options);
}

/** The same for a definition that is known to be right. */
export function cliToolkit(definition: CliDefinition, options: CliToolkitOptions): Toolkit {
  const plans = planTools(definition);
  const settings: ProgramSettings = {
    definition,
    folder: dirname(options.source),
    cwd: options.cwd ?? process.cwd(),
    environment: options.environment ?? process.env,
    resolveSecret: options.resolveSecret,
  };
  const byName = new Map(plans.map((plan) => [plan.name, plan]));
  const gate = createCallGate(options.maxParallel ?? 32);
  const scopes = new Set<CallScope>();
  const running = new Set<Promise<unknown>>();
  const runPlan = createProgramCall(settings);
  let closed = false;

  async function call(tool: string, args: Record<string, unknown>, context: ToolCallContext): Promise<unknown> {
    const plan = byName.get(tool);
    const path = `${definition.name}.${tool}`;
    if (plan === undefined) throw unknownTool(definition.name, tool, [...byName.keys()]);
    const command = buildCommand(plan, args, { path, endOfOptions: definition.endOfOptions });
    const scope = openCallScope(context.signal, plan.timeoutMs);
    if (closed) scope.cancel();
    scopes.add(scope);
    try {
      return await gate.pass(scope.signal, () => runPlan(plan, command, { path, scope }));
    } finally {
      scope.release();
      scopes.delete(scope);
    }
  }

  return {
    name: definition.name,
    description: definition.description,
    tools: plans.map((plan) => toolDefinition(plan, settings)),
    ...directTool(definition),
    call(tool, args, context) {
      const result = call(tool, args, context);
      running.add(result);
      const done = () => running.delete(result);
      result.then(done, done);
      return result;
    },
    async close() {
      closed = true;
      for (const scope of scopes) scope.cancel();
      await Promise.allSettled(running);
    },
  };
}

/** A recipe named like its program is what calling the program itself means; otherwise it is the escape hatch. */
function directTool({ name, recipes, escapeHatch }: CliDefinition): { directTool?: string } {
  if (Object.hasOwn(recipes, name)) return { directTool: name };
  return escapeHatch === false ? {} : { directTool: escapeHatch };
}

function toolDefinition(plan: CliToolPlan, settings: ProgramSettings): ToolDefinition {
  const output = outputSchema(plan.output);
  const { tags } = settings.definition;
  return {
    name: plan.name,
    description: plan.description,
    inputSchema: inputSchema(plan),
    ...(output === undefined ? {} : { outputSchema: output }),
    effect: plan.effect,
    timeoutMs: plan.timeoutMs,
    ...(tags === undefined ? {} : { tags }),
    // Looked up whenever it is asked for: a program may be installed meanwhile.
    get unavailable() {
      const missing = missingProgram(settings);
      return missing === undefined ? undefined : { reason: missing.message, hint: missing.hint };
    },
  };
}

function unknownTool(toolkit: string, tool: string, allowed: string[]): ArtificerError {
  return new ArtificerError("tool/unknown-tool", `The toolkit ${toolkit} has no tool ${JSON.stringify(tool)}.`, {
    details: { toolkit, tool, nearest: nearestNames(tool, allowed), allowed },
  });
}
