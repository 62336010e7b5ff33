import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pnpmCommand } from "../pnpm-command.mjs";
import { runCommand } from "../run-command.mjs";
import { installedBin } from "./installed-bin.mjs";
import { publishablePackages } from "./publishable-packages.mjs";
import { toolCheck } from "./tool-check.mjs";

/**
 * What people get who install the packages: every one is packed, its tarball is read by publint and attw, and all tarballs
 * are installed by npm into an empty project, where every entry is imported and every command asked for its help.
 */
export async function* packedChecks() {
  const scratch = mkdtempSync(join(tmpdir(), "artificer-packed-"));
  try {
    yield* checksIn(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function* checksIn(scratch) {
  const tarballs = [];
  for (const { name, folder } of publishablePackages()) {
    const packed = join(scratch, "tarballs", name.replace("/", "+"));
    mkdirSync(packed, { recursive: true });
    const pack = await runCommand([...(await pnpmCommand()), "pack", "--pack-destination", packed], {
      cwd: folder,
      capture: true,
    });
    const file = readdirSync(packed).find((entry) => entry.endsWith(".tgz"));
    if (pack.code !== 0 || file === undefined) {
      yield { title: `${name} packs`, passed: false, output: pack.output };
      continue;
    }
    const tarball = join(packed, file);
    tarballs.push(tarball);
    yield await toolCheck(`${name} is published right (publint)`, [
      ...installedBin("publint"),
      "run",
      tarball,
      "--strict",
    ]);
    const attw = [...installedBin("@arethetypeswrong/cli", "attw"), tarball, "--profile", "esm-only", "--no-emoji"];
    yield await toolCheck(`${name} has types for each entry (attw)`, attw);
  }
  yield* consumerChecks(join(scratch, "consumer"), tarballs);
}

async function* consumerChecks(consumer, tarballs) {
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  const options = { cwd: consumer, capture: true, env: withoutNpm() };
  const install = await runCommand(["npm", "install", ...quiet, ...tarballs], options);
  yield {
    title: "all packages install with npm in an empty project",
    passed: install.code === 0,
    output: install.output,
  };
  if (install.code !== 0) return;
  for (const { name, entries, bins } of publishablePackages()) {
    for (const entry of entries) {
      const code = `const names = Object.keys(await import(${JSON.stringify(entry)})); console.log(names.length);`;
      const run = await runCommand([process.execPath, "--input-type=module", "-e", code], options);
      yield { title: `${entry} can be imported once installed`, passed: run.code === 0, output: run.output };
    }
    for (const bin of bins) {
      const run = await runCommand([join(consumer, "node_modules", ".bin", bin), "--help"], options);
      yield {
        title: `${name}'s command ${bin} answers --help once installed`,
        passed: run.code === 0,
        output: run.output,
      };
    }
  }
}

/** Settings that an npm above passes down are about the clone and not about the consumer. */
function withoutNpm() {
  const names = Object.keys(process.env).filter((name) => /^npm_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
