import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { defineTool } from "../functions/index.js";
import { commitChanges } from "./commit-changes.js";
import { nearestPassage } from "./nearest-passage.js";
import { parseUnified } from "./parse-unified.js";
import { parseV4a } from "./parse-v4a.js";
import { type PatchFailure, PatchProblem } from "./patch-failure.js";
import { type PlannedChange, planChanges } from "./plan-changes.js";
import { readInside } from "./read-inside.js";
import { replaceText } from "./replace-text.js";
import { decodeForEditing, encodeText } from "./text-file.js";
import type { WorkspaceContext } from "./workspace-context.js";

const input = z.object({
  path: z.string().optional().describe("The file, for a replacement"),
  old_string: z.string().optional().describe("What stands there"),
  new_string: z.string().optional().describe("What is to stand there"),
  replace_all: z.boolean().default(false).describe("Replace it in every place"),
  mode: z.enum(["replace", "patch"]).optional().describe("patch when a patch is given, else replace"),
  patch: z.string().optional().describe("A unified diff, or a V4A patch from *** Begin Patch to *** End Patch"),
});

/** `patch`: a passage replaced in one file, or a diff applied to several. */
export function patchTool(context: WorkspaceContext) {
  return defineTool({
    description:
      "Changes files of the workspace: old_string becomes new_string in path, or a unified or V4A diff is applied, wholly or not at all. What does not fit is told as {success: false, error, nearest}.",
    input,
    // The two shapes told apart by success.
    output: {
      type: "object",
      properties: {
        success: { type: "boolean" },
        files: {
          type: "array",
          items: { type: "object", properties: { path: { type: "string" }, action: { type: "string" } } },
        },
        replacements: { type: "integer" },
        fuzzy: { type: "boolean" },
        error: { type: "string" },
      },
      required: ["success"],
    },
    effect: "write",
    tags: ["file", "workspace", "edit", "diff"],
    run: (args, { signal }) =>
      context.exclusively(async () => {
        try {
          const asPatch = args.mode === "patch" || (args.mode === undefined && args.patch !== undefined);
          return await (asPatch ? applyDiff(context, args.patch, signal) : replace(context, args, signal));
        } catch (thrown) {
          if (thrown instanceof PatchProblem) return thrown.failure;
          throw thrown;
        }
      }),
  });
}

/** Of what was written nothing is repeated: a script may look for the word error in a result. */
interface PatchSuccess {
  success: true;
  files: { path: string; action: string }[];
  replacements: number;
  fuzzy: boolean;
}

async function replace(
  context: WorkspaceContext,
  { path, old_string: from, new_string: to, replace_all: all }: z.output<typeof input>,
  signal: AbortSignal,
): Promise<PatchSuccess | PatchFailure> {
  if (path === undefined || from === undefined || to === undefined) throw incomplete({ path, from, to });
  const { bytes, absolute, shown } = await readInside(context.root, path, {
    maxBytes: context.limits.maxFileBytes,
    signal,
  });
  const fail = (error: string, more: Omit<PatchFailure, "success" | "error" | "path">) =>
    new PatchProblem({ error, path: shown, ...more });
  if (from === "") throw fail("old_string is empty", { hint: "Write a new file with write_file." });
  if (from === to) throw fail("old_string and new_string are the same", { hint: "There is nothing to change." });
  const { text, bom } = decodeForEditing(bytes, shown);
  const result = replaceText(text, { from, to, all });
  if (!result.done && result.problem === "ambiguous") {
    throw fail(`old_string stands in ${result.lines.length} places of ${shown}`, {
      hint: "Add lines around it until it is the only one, or pass replace_all=True.",
      lines: result.lines.slice(0, 50),
    });
  }
  if (!result.done) {
    const nearest = nearestPassage(text, from);
    throw fail(`old_string does not stand in ${shown}`, {
      hint: nearest === undefined ? "Read the file again." : `Line ${nearest.line} comes nearest: see nearest.`,
      ...(nearest === undefined ? {} : { nearest }),
    });
  }
  signal.throwIfAborted();
  const change: PlannedChange = {
    action: "update",
    place: { absolute, shown },
    before: bytes,
    after: encodeText(result.text, bom),
    fuzzy: result.fuzzy,
  };
  await commitChanges(context, [change]);
  return { success: true, files: [told(change)], replacements: result.count, fuzzy: result.fuzzy };
}

async function applyDiff(
  context: WorkspaceContext,
  patch: string | undefined,
  signal: AbortSignal,
): Promise<PatchSuccess> {
  if (patch === undefined || patch.trim() === "") {
    throw new ArtificerError("tool/missing-argument", 'patch(mode="patch") needs patch: a unified or V4A diff.', {
      details: { argument: "patch" },
    });
  }
  const changes = parse(patch);
  const planned = await planChanges(context, changes, signal);
  signal.throwIfAborted();
  await commitChanges(context, planned);
  const replacements = changes.reduce((sum, each) => sum + (each.action === "update" ? each.hunks.length : 1), 0);
  return { success: true, files: planned.map(told), replacements, fuzzy: planned.some(({ fuzzy }) => fuzzy) };
}

function parse(patch: string) {
  try {
    return /^\*\*\* /m.test(patch) && !/^--- .+\n\+\+\+ /m.test(patch) ? parseV4a(patch) : parseUnified(patch);
  } catch (error) {
    throw new PatchProblem({
      error: `the patch can't be read: ${error instanceof Error ? error.message : String(error)}`,
      path: "",
      hint: "Write a unified diff (--- a/PATH, +++ b/PATH, @@ … @@), or a V4A patch (*** Begin Patch, *** Update File: PATH, @@).",
    });
  }
}

const actions = { create: "created", update: "updated", delete: "deleted", move: "moved away" } as const;

function told({ place, action }: PlannedChange) {
  return { path: place.shown, action: actions[action] };
}

function incomplete(given: { path?: string; from?: string; to?: string }): ArtificerError {
  const names = { path: given.path, old_string: given.from, new_string: given.to };
  const missing = Object.entries(names).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return new ArtificerError("tool/missing-argument", `patch needs ${missing.join(", ")}, or else patch.`, {
    details: { argument: missing[0], missing },
    hint: "Call patch(path=…, old_string=…, new_string=…), or patch(patch=…) with a diff.",
  });
}
