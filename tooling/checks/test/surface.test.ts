import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exportedNames } from "../src/exported-names.js";
import { readSource } from "../src/read-source.js";
import { sourceFiles } from "../src/source-files.js";
import { currentSurface, type PackageSurface, surfaceFile } from "../src/surface.js";
import { workspacePackages } from "../src/workspace-packages.js";

const mend = "if that is meant, run `pnpm regenerate` and review what changes in tooling/checks/surface.json";

it(`shows the outside exactly what surface.json holds; ${mend}`, () => {
  const agreed = JSON.parse(readSource(surfaceFile)) as Record<string, PackageSurface>;
  expect(currentSurface(), mend).toEqual(agreed);
});

it("publishes only what stands in packages and apps, and all of that", () => {
  const wrong = workspacePackages().filter(
    ({ folder, manifest }) => /^(packages|apps)\//.test(folder) === (manifest.private === true),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

it("keeps index files for the entries of packages", () => {
  const stray = workspacePackages().flatMap(({ folder, manifest }) => {
    const entries = Object.values(manifest.exports ?? {}).flatMap((target) => {
      const file = typeof target === "string" ? target : target.default;
      return file === undefined
        ? []
        : [
            `${folder}/${file
              .replace(/^\.\/(dist\/)?/, "src/")
              .replace(/^src\/src\//, "src/")
              .replace(/\.m?js$/, "")}`,
          ];
    });
    return sourceFiles(`${folder}/src`, (path) => /\/index\.m?ts$/.test(path)).filter(
      (path) => !entries.includes(path.replace(/\.m?ts$/, "")),
    );
  });
  expect(stray).toEqual([]);
});

it("tells values from types and follows names through files", () => {
  const folder = mkdtempSync(join(tmpdir(), "artificer-surface-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "shape.d.ts"),
      "export interface Shape { a: 1 }\nexport declare class Box {}\nexport declare const one: 1;\n",
    );
    writeFileSync(
      join(folder, "index.d.ts"),
      'export { type Shape, Box, one as first } from "./shape.js";\nexport type { Box as BoxType } from "./shape.js";\n',
    );
    const index = join(folder, "index.d.ts");
    expect(exportedNames([index]).get(index)).toEqual(["Box", "type BoxType", "type Shape", "first"]);
    expect(() => exportedNames([join(folder, "absent.d.ts")])).toThrow("build first");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
