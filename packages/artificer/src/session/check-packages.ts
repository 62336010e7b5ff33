import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SessionProblem } from "@artificer/runtime";
import { z } from "zod";

const manifest = z.object({ dependencies: z.record(z.string(), z.unknown()).default({}) });

/** What is wrong with a base's package.json: packages that it names and TypeScript cells can't import. Nothing where there is none. */
export async function checkPackages(base: string): Promise<SessionProblem[]> {
  const file = join(base, "package.json");
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return [];
  }
  const parsed = manifest.safeParse(parseJson(text));
  if (!parsed.success) {
    return [
      {
        code: "config/invalid",
        message: `${file} is no package.json: its packages are not looked for.`,
        hint: "Make it valid JSON whose dependencies are an object, or delete it.",
        file,
      },
    ];
  }
  const names = Object.keys(parsed.data.dependencies);
  const there = await Promise.all(names.map((name) => isInstalled(name, base)));
  const missing = names.filter((_, index) => !there[index]);
  if (missing.length === 0) return [];
  return [
    {
      code: "dep/missing",
      message: `${file} names packages that are not installed: ${missing.join(", ")}.`,
      hint: `Run \`npm install\` in ${base}; TypeScript cells can import them from then on.`,
      file,
    },
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** As Node looks for packages: in node_modules of the folder, then of those above it. */
async function isInstalled(name: string, folder: string): Promise<boolean> {
  const found = await stat(join(folder, "node_modules", name)).catch(() => undefined);
  if (found?.isDirectory()) return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(name, parent);
}
