import type { SkillLifecycle } from "../skills/skill-library.js";
import type { Decider } from "./approvals.js";
import type { BudgetCounter } from "./call-budget.js";
import type { PolicyLayer } from "./policy-layer.js";

/** What policy remembers of a cell, also when threads of it outlive it. */
export interface PolicyCell {
  dryRun: boolean | "reads";
  approve: Decider | undefined;
  /** Life-cycles of the skills that it has loaded; once loaded they count until its end. */
  skills: SkillLifecycle[];
  budgets: readonly BudgetCounter[];
}

export interface PolicyCellStart {
  dryRun?: boolean | "reads" | undefined;
  approve?: Decider | undefined;
  /** The cell that runs this one, as a skill of another language. */
  within?: number | undefined;
}

const remembered = 200;

/** The latest cells of a session. One that is forgotten can't call the host either. */
export class PolicyCells {
  readonly #cells = new Map<number, PolicyCell>();
  readonly #layers: readonly PolicyLayer[];

  constructor(layers: readonly PolicyLayer[]) {
    this.#layers = layers;
  }

  begin(cell: number, { dryRun, approve, within }: PolicyCellStart): void {
    const outer = within === undefined ? undefined : this.#cells.get(within);
    this.#cells.set(cell, {
      dryRun: strictestDryRun([
        dryRun ?? false,
        outer?.dryRun ?? false,
        ...this.#layers.map(({ options }) => options.dryRun ?? false),
      ]),
      approve: approve ?? outer?.approve,
      skills: [...(outer?.skills ?? [])],
      // A skill of another language is part of the cell that called it: it draws on the same budget.
      budgets: outer?.budgets ?? this.#layers.flatMap((layer) => layer.cellBudget() ?? []),
    });
    if (this.#cells.size > remembered) this.#cells.delete(this.#cells.keys().next().value!);
  }

  /**
   * A cell, and the one that runs now when a call says that it is an earlier one's: a thread that lives on, or code that only says so.
   * Neither frees it from what holds for the running cell.
   */
  together(cell: number, running: number | undefined): PolicyCell {
    const own = this.get(cell);
    if (running === undefined || running === cell) return own;
    const other = this.get(running);
    return {
      dryRun: strictestDryRun([own.dryRun, other.dryRun]),
      approve: own.approve ?? other.approve,
      skills: [...own.skills, ...other.skills],
      budgets: [...new Set([...own.budgets, ...other.budgets])],
    };
  }

  get(cell: number): PolicyCell {
    let known = this.#cells.get(cell);
    if (known === undefined) {
      this.begin(cell, {});
      known = this.#cells.get(cell)!;
    }
    return known;
  }
}

function strictestDryRun(all: readonly (boolean | "reads")[]): boolean | "reads" {
  return all.includes(true) ? true : all.includes("reads") ? "reads" : false;
}
