import { describe, expect, it } from "vitest";
import { importViolations, manifestViolations } from "../src/layer-violations.js";
import { layers, toolingForAll } from "../src/layers.js";
import { optionalPythonModules } from "../src/optional-python-modules.js";
import { pythonImports } from "../src/python-imports.js";
import { pythonStandardLibrary } from "../src/python-standard-library.js";
import { readSource } from "../src/read-source.js";
import { sourceFiles } from "../src/source-files.js";
import { workspacePackages } from "../src/workspace-packages.js";

const packages = workspacePackages();
const isCode = (path: string) => /\.m?[jt]s$/.test(path);

describe("the layers", () => {
  it("name exactly the packages that exist", () => {
    expect(packages.map(({ name }) => name).sort()).toEqual(Object.keys(layers).sort());
  });

  it.each(packages)("$name imports what its layer allows and nothing else", ({ name, folder, manifest }) => {
    const layer = layers[name] ?? { imports: [] };
    const violations = [
      ...sourceFiles(`${folder}/src`, isCode).flatMap((path) =>
        importViolations(path, readSource(path), "source", name, layer),
      ),
      ...sourceFiles(`${folder}/test`, isCode).flatMap((path) =>
        importViolations(path, readSource(path), "test", name, layer),
      ),
      ...manifestViolations(manifest, layer, toolingForAll),
    ];
    expect(violations).toEqual([]);
  });

  it("have no cycle among what is imported by sources", () => {
    const above = (name: string, path: string[]): string[] => {
      if (path.includes(name)) return [[...path, name].join(" -> ")];
      return (layers[name]?.imports ?? []).flatMap((next) => above(next, [...path, name]));
    };
    expect(Object.keys(layers).flatMap((name) => above(name, []))).toEqual([]);
  });

  it("let the Python program inside a kernel import the standard library and its own modules alone", () => {
    const folder = "packages/kernel-python/kernel";
    const files = sourceFiles(folder, (path) => path.endsWith(".py"));
    const own = new Set(files.map((path) => path.slice(folder.length + 1, -".py".length).replaceAll("/", ".")));
    const violations = files.flatMap((path) =>
      pythonImports(readSource(path))
        .filter(({ specifier }) => !isOwnModule(specifier, own) && !pythonStandardLibrary.has(top(specifier)))
        .filter(
          ({ specifier }) => !(optionalPythonModules[path.slice(folder.length + 1)] ?? []).includes(top(specifier)),
        )
        .map(({ specifier, line }) => `${path}:${line} imports ${specifier}, which not every CPython from 3.9 on has`),
    );
    expect(violations).toEqual([]);
  });
});

describe("the layering check", () => {
  const layer = { imports: ["@artificer/protocol"], testImports: ["@artificer/testkit"] };
  const inSource = (source: string) =>
    importViolations("packages/tools/src/a.ts", source, "source", "@artificer/tools", layer);

  it("finds a forbidden package however it is imported, and names the line", () => {
    const source = [
      'import { a } from "@artificer/runtime";',
      'export { b } from "@artificer/executors/subprocess";',
      'import type { c } from "artificer";',
      'const d = await import("@artificer/embeddings/local");',
    ].join("\n");
    expect(inSource(source).map((text) => text.split(",")[0])).toEqual([
      "packages/tools/src/a.ts:1 imports @artificer/runtime",
      "packages/tools/src/a.ts:2 imports @artificer/executors",
      "packages/tools/src/a.ts:3 imports artificer",
      "packages/tools/src/a.ts:4 imports @artificer/embeddings",
    ]);
  });

  it("lets tests reach what sources may not, and sources reach other people's packages", () => {
    const source =
      'import { suite } from "@artificer/testkit";\nimport { parse } from "yaml";\n// import "artificer"\n';
    expect(inSource(source)).toHaveLength(1);
    expect(importViolations("packages/tools/test/a.test.ts", source, "test", "@artificer/tools", layer)).toEqual([]);
  });

  it("refuses a way around a package's entry", () => {
    const inTest = (source: string) =>
      importViolations("packages/tools/test/cli/a.mjs", source, "test", "@artificer/tools", layer);
    expect(inSource('import { a } from "../../protocol/src/json.js";')).toHaveLength(1);
    expect(inSource('import { a } from "@artificer/protocol/dist/json.js";')).toHaveLength(1);
    expect(inSource('import { a } from "../dist/cli/index.js";')).toHaveLength(1);
    expect(inTest('import { a } from "../../dist/cli/index.js";')).toEqual([]);
    expect(inTest('import { a } from "../../../protocol/dist/index.js";')).toHaveLength(1);
    expect(inSource('import { a } from "ajv/dist/2020.js";\nimport { b } from "./b.js";')).toEqual([]);
  });

  it("refuses a Node built-in and any other package where a browser runs the code", () => {
    const bare = { imports: [], onlyForeign: ["zod"] };
    const source =
      'import { z } from "zod";\nimport { join } from "node:path";\nimport fs from "fs";\nimport { parse } from "yaml";';
    const violations = importViolations("packages/tools/src/a.ts", source, "source", "@artificer/protocol", bare);
    expect(violations.map((text) => text.split(" ")[0])).toEqual([
      "packages/tools/src/a.ts:2",
      "packages/tools/src/a.ts:3",
      "packages/tools/src/a.ts:4",
    ]);
  });

  it("refuses a dependency that no import has used yet", () => {
    const manifest = {
      name: "@artificer/tools",
      dependencies: { "@artificer/runtime": "workspace:*", yaml: "catalog:" },
      devDependencies: { "@artificer/tsconfig": "workspace:*", "@artificer/executors": "workspace:*" },
    };
    expect(manifestViolations(manifest, layer, toolingForAll)).toHaveLength(2);
  });

  it("reads every form of a Python import and no string", () => {
    const source = `"""
import forged
from forged import x
"""
import os, numpy as np
from json import loads
try: import cloudpickle
except ImportError: pass
from . import sibling
def f():
    import pandas.core as core  # late
    yield from values
important = "import nothing"
`;
    expect(pythonImports(source).map(({ specifier, line }) => `${line} ${specifier}`)).toEqual([
      "5 os",
      "5 numpy",
      "6 json",
      "7 cloudpickle",
      "11 pandas.core",
    ]);
  });
});

/** The kernel's files are modules of the package `_artificer` while it runs. */
function isOwnModule(specifier: string, own: ReadonlySet<string>): boolean {
  return specifier === "_artificer" || own.has(specifier.replace(/^_artificer\./, ""));
}

function top(module: string): string {
  return module.split(".", 1)[0] ?? module;
}
