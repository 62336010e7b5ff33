import { ArtificerError, nearestName } from "@artificer/protocol";
import { readCliToolkit } from "@artificer/tools/cli";
import { type Document, isMap, isScalar, parseDocument, visit } from "yaml";

/** Words for types that meant the same there. */
const types: Record<string, string> = {
  str: "string",
  int: "integer",
  float: "number",
  bool: "boolean",
  list: "array",
};

/** Keys that are taken out at most: what needs more is no definition of that program. */
const maxRounds = 50;

/**
 * Makes a definition of tools fit: words for types are ours, and keys that had no effect there and are refused here are taken out.
 *
 * @returns the text, unchanged where nothing had to be, and what was changed.
 * @throws ArtificerError `tool/definition-invalid` for what can't be mended.
 */
export async function mendTool(text: string, source: string): Promise<{ text: string; name: string; notes: string[] }> {
  const notes: string[] = [];
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new ArtificerError("tool/definition-invalid", `${source}: it is no definition of tools.`, {
      details: { file: source },
    });
  }
  mendTypes(document, notes);
  const name = String(document.get("name") ?? "");
  const recipes = document.get("recipes");
  const isMcp = document.get("type") === "mcp";
  if (!isMcp && isMap(recipes) && recipes.has("run") && !document.has("escapeHatch")) {
    document.set("escapeHatch", false);
    notes.push("escapeHatch: false was added, since a recipe is called run");
  }
  if (!isMcp && document.hasIn(["schema", "positional"]) && !document.has("endOfOptions")) {
    // That program never put it there, and its definitions know only programs that can do without.
    document.set("endOfOptions", false);
    notes.push("endOfOptions: false was added, so that the program is called as before");
  }
  for (let round = 0; ; round++) {
    const mended = notes.length === 0 ? text : document.toString();
    try {
      if (isMcp) (await import("@artificer/tools/mcp")).readMcpDefinition(mended, source);
      else readCliToolkit(mended, { source });
      return { text: mended, name, notes };
    } catch (thrown) {
      if (round === maxRounds || !ArtificerError.is(thrown, "tool/definition-invalid")) throw thrown;
      const field = unknownKey(thrown);
      if (field === undefined || !document.deleteIn(pathOf(field))) throw thrown;
      notes.push(`the key ${field} was taken out: it has no meaning${meant(thrown)}`);
    }
  }
}

/** Which key a reader of definitions refused for being none of its own. */
function unknownKey({ details, message }: ArtificerError): string | undefined {
  if (typeof details.field === "string" && message.includes("unknown key")) return details.field;
  const [, above, key] = /(?:^|: )(?:([\w.]+): )?Unrecognized keys?: "([^"]+)"/.exec(message) ?? [];
  return key === undefined ? undefined : [above, key].filter(Boolean).join(".");
}

function mendTypes(document: Document, notes: string[]): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== "type" || !isScalar(value)) return;
      const ours = types[String(value.value)];
      if (ours === undefined) return;
      notes.push(`type: ${String(value.value)} became ${ours}`);
      value.value = ours;
    },
  });
}

function pathOf(field: string): (string | number)[] {
  return [...field.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? name! : Number(index),
  );
}

function meant({ details }: ArtificerError): string {
  const allowed = Array.isArray(details.allowed) ? details.allowed.map(String) : [];
  const nearest = nearestName(String(details.field).split(".").at(-1) ?? "", allowed);
  return nearest === undefined ? "" : ` (${nearest} has one)`;
}
