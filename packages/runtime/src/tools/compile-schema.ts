import { ArtificerError, type JsonSchema } from "@artificer/protocol";
import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";

const options: Options = {
  // Schemas come from many hands: what a draft doesn't know is no reason to refuse a tool.
  strict: false,
  validateSchema: false,
  logger: false,
  // Without it a property named "constructor" or "toString" is found on every object.
  ownProperties: true,
  // Two tools may carry the same $id.
  addUsedSchema: false,
};

type Dialect = { create(more: Options): Ajv | Ajv2020; instances: Map<boolean, Ajv | Ajv2020> };

const draft2020: Dialect = {
  create: (more) => withFormats(new Ajv2020({ ...options, ...more })),
  instances: new Map(),
};
const draft7: Dialect = { create: (more) => withFormats(new Ajv({ ...options, ...more })), instances: new Map() };

/**
 * Compiles a JSON Schema of draft 2020-12 or 7. A schema that doesn't name its draft is read as the newer one first; patterns
 * that aren't valid as Unicode regular expressions are read as plain ones.
 *
 * @throws ArtificerError `tool/definition-invalid` when no reading works.
 */
export function compileSchema(schema: JsonSchema, of: string): ValidateFunction {
  const { $schema: dialect, ...named } = schema;
  const { $id, ...nameless } = named;
  const old = typeof dialect === "string" && /draft-0[3-7]/.test(dialect);
  let problem: unknown;
  for (const reading of readings(old)) {
    // An $id that is no URI stops the compiler; nothing but references needs it.
    for (const document of $id === undefined ? [named] : [named, nameless]) {
      try {
        return instance(reading.draft, reading.unicodeRegExp).compile(document);
      } catch (error) {
        problem ??= error;
      }
    }
  }
  const message = problem instanceof Error ? problem.message : String(problem);
  throw new ArtificerError("tool/definition-invalid", `The input schema of ${of} can't be used: ${message}.`, {
    details: { tool: of, problem: message },
    hint: "Mend the tool's inputSchema; it has to be JSON Schema of draft 2020-12 or 7.",
    cause: problem,
  });
}

function readings(old: boolean): { draft: Dialect; unicodeRegExp: boolean }[] {
  const drafts = old ? [draft7, draft2020] : [draft2020, draft7];
  return [true, false].flatMap((unicodeRegExp) => drafts.map((draft) => ({ draft, unicodeRegExp })));
}

function instance(dialect: Dialect, unicodeRegExp: boolean): Ajv | Ajv2020 {
  let ajv = dialect.instances.get(unicodeRegExp);
  if (ajv === undefined) {
    ajv = dialect.create({ unicodeRegExp });
    dialect.instances.set(unicodeRegExp, ajv);
  }
  return ajv;
}

function withFormats<A extends Ajv | Ajv2020>(ajv: A): A {
  // Its types describe the CommonJS export, whose default is the function itself.
  const add = ajvFormats as unknown as (ajv: Ajv | Ajv2020) => unknown;
  add(ajv);
  return ajv;
}
