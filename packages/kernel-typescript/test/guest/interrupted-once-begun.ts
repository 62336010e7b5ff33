import type { ScriptedHost } from "../scripted-host.js";

/**
 * Runs a cell and interrupts it a moment after it has said that it is under way. Code that does not say so itself has it said
 * before its first line.
 */
export async function interruptedOnceBegun(host: ScriptedHost, code: string): ReturnType<ScriptedHost["cell"]> {
  const controller = new AbortController();
  const before = host.stdout.length;
  const told = code.includes("'begun'") ? code : `console.log('begun'); ${code}`;
  const running = host.cell(told, controller.signal);
  while (!host.stdout.slice(before).includes("begun\n")) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  controller.abort();
  return running;
}
