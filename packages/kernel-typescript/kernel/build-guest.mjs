// The program inside a kernel is a few self-contained files: it must run where there is no node_modules.
import { copyFile, mkdir } from "node:fs/promises";
import { rolldown } from "rolldown";

// A cell's `const JSON = …` is seen by every script of the process that looks JSON up in the global scope. The program looks up nothing there.
const globals = `Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean Buffer DataView Date Error Float32Array Float64Array Function
  Int16Array Int32Array Int8Array Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol
  SyntaxError TextDecoder TextEncoder TypeError URL Uint16Array Uint32Array Uint8Array WeakMap clearTimeout performance process setImmediate setTimeout`;
const banner = `(function (globalThis) { const { ${globals.split(/\s+/).join(", ")} } = globalThis;
const JSON = { parse: globalThis.JSON.parse, stringify: globalThis.JSON.stringify };`;

const folder = new URL("../dist/guest-program/", import.meta.url).pathname;
await mkdir(folder, { recursive: true });
for (const name of ["main", "watchdog"]) {
  const bundle = await rolldown({ input: `src/guest/${name}.ts`, platform: "node", external: [/resolve\.mjs$/] });
  await bundle.write({
    file: `${folder}${name}.cjs`,
    format: "cjs",
    sourcemap: false,
    banner,
    footer: "})(globalThis);",
  });
  await bundle.close();
}
await copyFile("src/guest/resolve.mjs", `${folder}resolve.mjs`);
