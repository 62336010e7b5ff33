import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createToolkit, defineTool, type Toolkit } from "artificer";
import { z } from "zod";

interface Installed {
  name: string;
  version: string;
  folder: string;
}

/** Host functions over the packages that are really installed in this clone: the afternoon's input. */
export function packageTools(nodeModules: string): Toolkit {
  return createToolkit({
    name: "package_tools",
    description: "The packages installed in this clone",
    tools: {
      list: defineTool({
        description: "Every installed package: name, version, folder",
        input: z.object({ scope: z.string().default("").describe("Only packages of this scope, e.g. @types") }),
        effect: "read",
        run: async ({ scope }) => (await findPackages(nodeModules)).filter(({ name }) => name.startsWith(scope)),
      }),
      manifest: defineTool({
        description: "The package.json of one package, by its folder",
        input: z.object({ folder: z.string() }),
        effect: "read",
        run: async ({ folder }) => JSON.parse(await readFile(join(nodeModules, folder, "package.json"), "utf8")),
      }),
      licence_text: defineTool({
        description: "The licence file of one package, by its folder; empty when it ships none",
        input: z.object({ folder: z.string() }),
        effect: "read",
        run: async ({ folder }) => {
          const names = await readdir(join(nodeModules, folder));
          const file = names.find((name) => /^(licen[cs]e|copying)/i.test(name));
          return file === undefined ? "" : await readFile(join(nodeModules, folder, file), "utf8").catch(() => "");
        },
      }),
    },
  });
}

/** pnpm keeps each package at `.pnpm/<id>/node_modules/<name>`; links to others lie beside it and are skipped. */
async function findPackages(nodeModules: string): Promise<Installed[]> {
  const found: Installed[] = [];
  const store = join(nodeModules, ".pnpm");
  for (const id of (await readdir(store)).sort()) {
    const inside = join(store, id, "node_modules");
    for (const name of await packageNames(inside)) {
      const text = await readFile(join(inside, name, "package.json"), "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const { version } = JSON.parse(text) as { version: string };
      found.push({ name, version, folder: join(".pnpm", id, "node_modules", name) });
    }
  }
  return found;
}

async function packageNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    if (!entry.name.startsWith("@")) names.push(entry.name);
    else for (const inner of await packageNames(join(folder, entry.name))) names.push(`${entry.name}/${inner}`);
  }
  return names;
}
