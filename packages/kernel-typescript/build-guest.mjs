// The program inside a kernel is a few self-contained files: it must run where there is no node_modules.
import { copyFile, mkdir } from "node:fs/promises";
import { rolldown } from "rolldown";

const folder = new URL("./dist/guest-program/", import.meta.url).pathname;
await mkdir(folder, { recursive: true });
for (const name of ["main", "watchdog"]) {
  const bundle = await rolldown({ input: `src/guest/${name}.ts`, platform: "node", external: [/resolve\.mjs$/] });
  await bundle.write({ file: `${folder}${name}.cjs`, format: "cjs", sourcemap: false });
  await bundle.close();
}
await copyFile("src/guest/resolve.mjs", `${folder}resolve.mjs`);
