import { createHash } from "node:crypto";
import { ArtificerError, type EffectClass, type Language, type Storage } from "@artificer/protocol";
import type { SkillLifecycle } from "../skills/skill-library.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import { ApprovalDesk } from "./approval-desk.js";
import { createApprovalMemory, knows } from "./approval-memory.js";
import { type ApprovalCircumstances, approveCall } from "./approve-call.js";
import type { BudgetCounter } from "./call-budget.js";
import type { CallQueue } from "./call-queue.js";
import { checkPolicy, checkPolicyTools, isCacheable } from "./check-policy.js";
import { strictest, type ToolRules, type Verdict } from "./compiled-policy.js";
import { type PolicyCell, type PolicyCellStart, PolicyCells } from "./policy-cell.js";
import { denied, refused } from "./policy-errors.js";
import { createPolicyLayer, type PolicyLayer } from "./policy-layer.js";
import type { ApprovalOptions, PolicyOptions } from "./policy-options.js";
import { cacheKey, createResultCache } from "./result-cache.js";
import { shownArguments } from "./shown-arguments.js";
import { boundedJson, type GatedCall, type GoOn, type ToolGate, type ToolsetCallContext } from "./tool-gate.js";

export interface SessionPolicyOptions {
  session: string;
  owner?: string | undefined;
  policy?: PolicyOptions | readonly PolicyOptions[] | undefined;
  /** That of the session which this one works for: it holds here too, and what is used up here counts there. */
  parent?: SessionPolicy | undefined;
  storage: Storage;
  redact(text: string): string;
  onProblem(problem: ArtificerError): void;
}

/** What holds for one tool, worked out once. */
interface ToolPlan {
  free: boolean;
  rules: readonly ToolRules[];
  cacheMs: number | undefined;
  queues: readonly CallQueue[];
}

const defaultTimeoutMs = 300_000;
const defaultMaxPending = 20;

/** What a session's tool calls may do, and who is asked. Everything that a cell calls passes here before hooks and tools. */
export class SessionPolicy implements ToolGate {
  readonly desk: ApprovalDesk;
  readonly owner: string | undefined;
  readonly layers: readonly PolicyLayer[];
  readonly cells: PolicyCells;
  readonly #options: SessionPolicyOptions;
  readonly #own: readonly PolicyOptions[];
  readonly #approval: ApprovalOptions;
  readonly #agent: "main" | "sub";
  readonly #budgets: readonly BudgetCounter[];
  readonly #cache = createResultCache();
  readonly #memory;
  #plans = new WeakMap<ToolEntry, ToolPlan>();
  #entries = new Map<string, ToolEntry>();
  #checked = false;

  /** @throws ArtificerError `policy/invalid` */
  constructor(options: SessionPolicyOptions) {
    const { policy, parent, storage } = options;
    this.#options = options;
    this.#own = [policy ?? []].flat().map(checkPolicy);
    this.#agent = parent === undefined ? "main" : "sub";
    this.layers = [...this.#own.map(createPolicyLayer), ...(parent?.layers ?? [])];
    this.#budgets = this.layers.flatMap(({ sessionBudget }) => sessionBudget ?? []);
    this.#approval = Object.assign({}, parent?.approval, ...this.#own.map(({ approval }) => approval).reverse());
    this.desk = parent?.desk ?? new ApprovalDesk();
    this.owner = options.owner ?? parent?.owner;
    this.cells = new PolicyCells(this.layers);
    this.#memory = createApprovalMemory(storage, this.owner);
  }

  get approval(): ApprovalOptions {
    return this.#approval;
  }

  /** Whether rules ask for the life-cycle of skills, which costs a look at the library. */
  get minds(): { skills: boolean; cells: boolean } {
    return {
      skills: this.layers.some(({ options }) => options.rules?.some(({ skill }) => skill !== undefined)),
      cells: this.layers.some(({ options }) => options.cells === "ask"),
    };
  }

  effectOf(tool: Pick<ToolEntry, "path" | "aliases">): EffectClass | undefined {
    for (const layer of this.layers) {
      const effect = layer.effectOf(tool);
      if (effect !== undefined) return effect;
    }
    return undefined;
  }

  adopt(entries: readonly ToolEntry[]): void {
    this.#plans = new WeakMap();
    if (this.layers.length === 0) return;
    this.#entries = new Map(entries.map((entry) => [entry.path, entry]));
    if (this.#checked) return;
    this.#checked = true;
    for (const own of this.#own) checkPolicyTools(own, entries, (problem) => this.#options.onProblem(problem));
  }

  lets(entry: ToolEntry, { cell, running }: Pick<ToolsetCallContext, "cell" | "running">): boolean {
    return this.#plan(entry).free && this.cells.together(cell, running).dryRun === false;
  }

  beginCell(cell: number, start: PolicyCellStart): void {
    this.cells.begin(cell, start);
  }

  /** A cell has loaded a skill: from here on it is trusted no more than that. */
  skillLoaded(cell: number, lifecycle: SkillLifecycle): void {
    this.cells.get(cell).skills.push(lifecycle);
  }

  /** The largest answer that may go to the cell, and what it is told beyond; undefined where policy sets no bound of its own. */
  answerBound(
    cell: number,
    path: string,
  ): { maxBytes(): number; beyond(bytes: number): ArtificerError | undefined } | undefined {
    if (this.layers.length === 0) return undefined;
    const entry = this.#entries.get(path);
    const limits =
      entry === undefined ? [] : this.layers.map((layer) => layer.maxResultBytes(entry) ?? Number.POSITIVE_INFINITY);
    const limit = Math.min(...limits, Number.POSITIVE_INFINITY);
    const budgets = [...this.cells.get(cell).budgets, ...this.#budgets];
    return {
      maxBytes: () => Math.min(limit, ...budgets.map(({ leftBytes }) => leftBytes)),
      beyond: (bytes) => budgets.find(({ leftBytes }) => bytes > leftBytes)?.bytesOut(path),
    };
  }

  /** The bytes that an answer took. */
  answered(cell: number, bytes: number): void {
    if (this.layers.length === 0) return;
    for (const budget of [...this.cells.get(cell).budgets, ...this.#budgets]) budget.spend({ bytes });
  }

  /** Asks a person about a whole cell, where the policy says so. @throws ArtificerError `approval/…` */
  async approveCell(
    cell: number,
    { code, language, signal }: { code: string; language: Language; signal: AbortSignal },
  ): Promise<void> {
    const same = `cell\0${language}\0${createHash("sha256").update(code).digest("hex")}`;
    const { memory, desk, who, asking } = this.#circumstances(cell);
    if (await knows(memory, ["cells", same])) return;
    const decision = await desk.ask(
      {
        kind: "cell",
        ...who,
        language,
        reason: "every cell of this session is approved before it runs",
        code: this.#options.redact(code),
        callsSoFar: 0,
      },
      { ...asking, signal, accept: (said) => said },
    );
    if (decision.decision !== "allow") throw denied(`Cell ${cell}`, decision);
    if (decision.scope === "session") await this.#memory.remember("cells", "session");
    if (decision.scope === "always") await this.#memory.remember(same, "always");
  }

  async call(call: GatedCall, goOn: GoOn): Promise<unknown> {
    const { entry, context } = call;
    const cell = this.cells.together(context.cell, context.running);
    const plan = this.#plan(entry);
    const verdict = this.#verdict(plan, cell, call.args);
    if (verdict.action === "deny") throw refused(entry, verdict);
    const { effect, needs } = entry.definition;
    const asks = verdict.action === "ask" || needs !== undefined;
    const budgets = [...cell.budgets, ...this.#budgets];
    for (const budget of budgets) budget.check(entry.path);
    if (cell.dryRun === true || (cell.dryRun === "reads" && (effect !== "read" || asks))) {
      for (const budget of budgets) budget.take();
      const args = boundedJson(shownArguments(call.args, this.#options.redact));
      context.notes?.planned({ effect, args, wouldAsk: asks });
      return null;
    }
    let { args } = call;
    if (asks) {
      const decision = await approveCall(call, verdict, {
        ...this.#circumstances(context.cell),
        judge: (given) => this.#verdict(plan, cell, given),
      });
      if (decision.decision === "answer") return decision.result;
      args = decision.args as typeof args;
      // Others may have used it up while a person thought.
      for (const budget of budgets) budget.check(entry.path);
    }
    for (const budget of budgets) budget.take();
    const around = (tool: (maxMs: number) => Promise<unknown>) =>
      this.#around(entry, plan, context.signal, budgets, tool);
    if (plan.cacheMs === undefined) {
      const result = goOn(args, around);
      if (effect !== "read") result.then(ignore, ignore).then(() => this.#cache.forget(entry.toolkit.name));
      return result;
    }
    const key = cacheKey(entry.toolkit.name, entry.definition.name, args);
    const kept = await this.#cache.get(key, { ttlMs: plan.cacheMs, signal: context.signal }, () => goOn(args, around));
    if (kept.cached) context.notes?.cached();
    return kept.result;
  }

  /** A session that ends asks nothing more. */
  close(): void {
    this.desk.withdraw(this.#options.session);
  }

  #plan(entry: ToolEntry): ToolPlan {
    const known = this.#plans.get(entry);
    if (known !== undefined) return known;
    const rules = this.layers.map((layer) => layer.rulesFor(entry));
    const queues = this.layers.flatMap((layer) => layer.queues(entry));
    const cacheMs = isCacheable(entry)
      ? this.layers.map((layer) => layer.cacheMs(entry)).find((ms) => ms !== undefined)
      : undefined;
    const bounded =
      queues.length > 0 || cacheMs !== undefined || this.layers.some(({ options }) => options.budgets !== undefined);
    const changes =
      entry.definition.effect !== "read" && this.layers.some(({ options }) => options.cacheMs !== undefined);
    const free = !bounded && !changes && entry.definition.needs === undefined && rules.every((each) => each.free);
    const plan = { free, rules, cacheMs, queues };
    this.#plans.set(entry, plan);
    return plan;
  }

  #verdict(plan: ToolPlan, cell: PolicyCell, args: Readonly<Record<string, unknown>>): Verdict {
    const facts = { args, skills: cell.skills, agent: this.#agent };
    const allowed: Verdict = { action: "allow", reason: "", byArguments: false };
    return strictest([allowed, ...plan.rules.map((rules) => rules.verdict(facts))]);
  }

  async #around(
    entry: ToolEntry,
    { queues }: ToolPlan,
    signal: AbortSignal,
    budgets: readonly BudgetCounter[],
    tool: (maxMs: number) => Promise<unknown>,
  ): Promise<unknown> {
    const leave: (() => void)[] = [];
    let startedAt: number | undefined;
    try {
      for (const queue of queues) leave.push(await queue.enter(signal));
      const tightest = budgets.reduce<BudgetCounter | undefined>(
        (least, next) => (least === undefined || next.leftMs < least.leftMs ? next : least),
        undefined,
      );
      const maxMs = tightest?.leftMs ?? Number.POSITIVE_INFINITY;
      if (maxMs <= 0) throw tightest!.secondsOut(entry.path);
      startedAt = performance.now();
      try {
        return await tool(maxMs);
      } catch (thrown) {
        if (maxMs < entry.timeoutMs && ArtificerError.is(thrown, "tool/timed-out"))
          throw tightest!.secondsOut(entry.path);
        throw thrown;
      }
    } catch (thrown) {
      if (startedAt === undefined && signal.aborted)
        throw new ArtificerError("tool/cancelled", `${entry.path} was withdrawn while it waited for its turn.`, {
          cause: thrown,
        });
      throw thrown;
    } finally {
      for (const each of leave.reverse()) each();
      if (startedAt !== undefined) for (const budget of budgets) budget.spend({ ms: performance.now() - startedAt });
    }
  }

  #circumstances(cell: number): Omit<ApprovalCircumstances, "judge"> {
    const { session, redact } = this.#options;
    const { decide, timeoutMs = defaultTimeoutMs, maxPending = defaultMaxPending } = this.#approval;
    const deciders = [this.cells.get(cell).approve, decide].filter((each) => each !== undefined);
    const owner = this.owner === undefined ? {} : { owner: this.owner };
    return {
      desk: this.desk,
      memory: this.#memory,
      redact,
      who: { session, ...owner, cell, timeoutMs },
      asking: { deciders, maxPending },
    };
  }
}

function ignore(): void {}
