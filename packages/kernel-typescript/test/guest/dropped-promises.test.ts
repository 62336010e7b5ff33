import { expect, test } from "vitest";
import { ScriptedHost } from "../scripted-host.js";
import { interruptedOnceBegun } from "./interrupted-once-begun.js";

/** Makes so much garbage that nothing dropped is left, in the kernel that is asked. */
const collect =
  "import v8 from 'node:v8'; import vm from 'node:vm'; v8.setFlagsFromString('--expose-gc'); const gc = vm.runInNewContext('gc'); for (let i = 0; i < 4; i++) { gc(); await new Promise((r) => setTimeout(r, 5)); } keep";

// Node 22 ended with SIGTRAP here; see docs/decisions/typescript-cells.md.
test("the garbage of cells that were interrupted while they waited, or after they had, is collected without harm", async () => {
  const host = await ScriptedHost.open();
  try {
    await host.cell("let keep = 42");
    const codes = [
      "await new Promise(() => {})",
      "await new Promise((r) => setTimeout(r, 20)); for (;;) {}",
      "for (;;) await null",
      "await Promise.race([])",
    ];
    for (const code of codes) {
      expect((await interruptedOnceBegun(host, code)).status).toBe("interrupted");
      expect((await host.cell(collect)).value).toBe(42);
    }
  } finally {
    await host.close();
  }
});

test("a cell that waits for what nobody holds any more goes on waiting", async () => {
  const host = await ScriptedHost.open();
  try {
    await host.cell("let keep = 42");
    const controller = new AbortController();
    const running = host.cell(
      "import v8 from 'node:v8'; import vm from 'node:vm'; v8.setFlagsFromString('--expose-gc'); const gc = vm.runInNewContext('gc'); setTimeout(() => { gc(); gc(); console.log('collected'); }, 5); await new Promise(() => {})",
      controller.signal,
    );
    while (!host.stdout.includes("collected")) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect((await running).status).toBe("interrupted");
    expect((await host.cell("keep")).value).toBe(42);
  } finally {
    await host.close();
  }
});
