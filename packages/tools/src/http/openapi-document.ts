import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";

const loose = z.record(z.string(), z.unknown());
const document = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string().default(""), description: z.string().optional() }).optional(),
  servers: z.array(z.looseObject({ url: z.string() })).optional(),
  paths: loose.optional(),
  components: loose.optional(),
  security: z.array(loose).optional(),
});

/** An OpenAPI 3.0 or 3.1 document as far as it must be right to be read at all. */
export type OpenApiDocument = z.output<typeof document>;

/**
 * Checks that this is an OpenAPI document of a version that is understood.
 *
 * @throws ArtificerError `tool/definition-invalid` naming the field.
 */
export function checkOpenApiDocument(data: unknown, source: string): OpenApiDocument {
  const invalid = (message: string, hint?: string) =>
    new ArtificerError("tool/definition-invalid", `${source}: ${message}`, { details: { source }, hint });
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw invalid("an OpenAPI document is an object, and this is none.");
  }
  if ("swagger" in data) {
    throw invalid(
      `this is a Swagger ${String(data.swagger)} document; OpenAPI 3.0 and 3.1 are read.`,
      "Convert it to OpenAPI 3 first, for instance with swagger2openapi.",
    );
  }
  const result = document.safeParse(data);
  if (!result.success) {
    const told = result.error.issues.slice(0, 5).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw invalid(`this is no OpenAPI document: ${told.join("; ")}`);
  }
  if (!/^3\.[012](\.|$)/.test(result.data.openapi)) {
    throw invalid(`openapi: the version ${result.data.openapi} is not understood; 3.0 and 3.1 are.`);
  }
  return result.data;
}

/**
 * What a reference within the document points to, references at its end followed.
 *
 * @throws ArtificerError `tool/definition-invalid` when it points nowhere or to itself.
 */
export function resolveReference(
  root: OpenApiDocument,
  value: unknown,
  seen: ReadonlySet<string> = new Set(),
): unknown {
  const reference = referenceOf(value);
  if (reference === undefined) return value;
  if (seen.has(reference) || seen.size > 50) throw dangling(reference, "points to itself");
  return resolveReference(root, lookUp(root, reference), new Set([...seen, reference]));
}

/** The reference that this object is, if it is one. */
export function referenceOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("$ref" in value)) return undefined;
  return typeof value.$ref === "string" ? value.$ref : undefined;
}

/**
 * Follows one JSON pointer.
 *
 * @throws ArtificerError `tool/definition-invalid` when it points nowhere.
 */
export function lookUp(root: OpenApiDocument, reference: string): unknown {
  if (reference !== "#" && !reference.startsWith("#/")) throw dangling(reference, "points outside of the document");
  let at: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decodeStep(step);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) throw dangling(reference, "points nowhere");
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function decodeStep(step: string): string {
  let plain = step;
  try {
    plain = decodeURIComponent(step);
  } catch {
    // A bare % that encodes nothing stands for itself.
  }
  return plain.replaceAll("~1", "/").replaceAll("~0", "~");
}

function dangling(reference: string, what: string): ArtificerError {
  return new ArtificerError("tool/definition-invalid", `The reference ${reference} ${what}.`, {
    details: { reference },
  });
}
