import type { Evaluator } from "../evaluator.js";
import { Unsavable } from "./unsavable.js";

/** What the inspector knows of a function or object, beyond what code can see. */
export interface HiddenFacts {
  /** Local variables of the code around that a function has kept hold of. */
  captured: [name: string, value: unknown][];
  /** Of a function of a module, whose variables are out of reach. */
  ofModule: boolean;
  location: { line: number; column: number } | undefined;
  bound: { target: unknown; self: unknown; args: unknown } | undefined;
  /** Names of private fields. */
  privates: string[];
}

const outer = new Set(["Script", "Global"]);

/** Asks the inspector; about half a millisecond. */
export function hiddenFacts(evaluator: Evaluator, value: object): HiddenFacts {
  const { internal, privates } = evaluator.propertiesOf(value);
  const facts: HiddenFacts = { captured: [], ofModule: false, location: undefined, bound: undefined, privates: [] };
  for (const one of privates) {
    // Methods are made anew with their class.
    if (one.value !== undefined && one.value.type !== "function") facts.privates.push(one.name);
  }
  const of = (name: string) => internal.find((one) => one.name === name)?.value;
  const location = of("[[FunctionLocation]]")?.value as { lineNumber: number; columnNumber: number } | undefined;
  if (location !== undefined) facts.location = { line: location.lineNumber, column: location.columnNumber };
  const target = of("[[TargetFunction]]");
  const [self, args] = [of("[[BoundThis]]"), of("[[BoundArgs]]")];
  if (target !== undefined && self !== undefined && args !== undefined) {
    const [target_, self_, args_] = [target, self, args].map((one) => evaluator.valueOf(one));
    facts.bound = { target: target_, self: self_, args: args_ };
  }
  const scopes = of("[[Scopes]]");
  if (scopes?.objectId === undefined) return facts;
  for (const { name, value: scope } of evaluator.remoteProperties(scopes.objectId).own) {
    if (!/^\d+$/.test(name) || scope?.objectId === undefined || outer.has(scope.description ?? "")) continue;
    if (scope.description === "Module") facts.ofModule = true;
    for (const local of evaluator.remoteProperties(scope.objectId).own) {
      if (local.value !== undefined) facts.captured.push([local.name, evaluator.valueOf(local.value)]);
    }
  }
  return facts;
}

/** @throws Unsavable for a function that its source alone does not make again. */
export function checkFree(
  facts: HiddenFacts,
  what: string,
  isVariable: (name: string, value: unknown) => boolean,
): void {
  if (facts.ofModule) throw new Unsavable(`it holds ${what}, which belongs to a module that does not export it`);
  const locals = facts.captured.filter(([name, value]) => typeof value !== "function" || !isVariable(name, value));
  if (locals.length === 0) return;
  const names = locals
    .slice(0, 5)
    .map(([name]) => name)
    .join(", ");
  throw new Unsavable(`it holds ${what}, which uses local variables of the function that made it: ${names}`);
}
