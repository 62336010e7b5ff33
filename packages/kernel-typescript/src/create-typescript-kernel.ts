import { fileURLToPath } from "node:url";
import type { KernelProgram } from "@artificer/protocol";
import { analyzeTypescript } from "./analyze/analyze-typescript.js";
import { createCellChecker } from "./check/create-cell-checker.js";
import { findNode } from "./find-node.js";
import { prepareCell } from "./prepare/prepare-cell.js";
import { prepareSkill } from "./prepare/prepare-skill.js";

/** Settings of the TypeScript kernel's process. */
export interface TypescriptKernelOptions {
  /** More flags for Node, before the program, e.g. `--max-old-space-size=512`. */
  nodeFlags?: readonly string[];
  /** The compiler that checks cells: a package's name, or the path of one. Default `typescript`, where it is installed. */
  compiler?: string;
}

const folder = fileURLToPath(new URL("../dist/guest-program/", import.meta.url));

/** The program of a TypeScript kernel. It needs nothing but its folder and a Node. */
export function createTypescriptKernel(options: TypescriptKernelOptions = {}): KernelProgram {
  const flags = [...(options.nodeFlags ?? []), "--experimental-import-meta-resolve"];
  return {
    language: "typescript",
    snapshots: true,
    handOver: true,
    folder,
    source: {
      prepareCell: (code) => prepareCell(code).js,
      prepareSkill,
      analyze: (source) => analyzeTypescript(source),
    },
    createChecker: () => createCellChecker({ compiler: options.compiler }),
    thread: { script: "main.cjs", flags },
    findInterpreter: (where) => findNode(where),
    command: (interpreter, { folder: inside, wire }) => [
      interpreter.path,
      ...flags,
      `${inside.replace(/\/+$/, "")}/main.cjs`,
      wire,
    ],
  };
}
