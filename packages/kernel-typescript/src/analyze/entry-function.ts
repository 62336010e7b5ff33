import { isNode, namesOfPattern, type SourceNode } from "../prepare/parse-source.js";

/** The entry point of a skill as its syntax tree has it. */
export interface EntryFunction {
  /** The statement it stands in, with `export`. */
  statement: SourceNode;
  function: SourceNode;
}

/** Finds `function run`, exported or not, or `const run = …` with a function, at the top level. The last one counts. */
export function findEntry(body: SourceNode[], name: string): EntryFunction | undefined {
  let entry: EntryFunction | undefined;
  for (const statement of body) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    if (declaration.type === "FunctionDeclaration" && namesOfPattern(declaration.id)[0] === name) {
      entry = { statement, function: declaration };
    }
    if (declaration.type !== "VariableDeclaration") continue;
    for (const one of declaration.declarations as SourceNode[]) {
      const init = one.init;
      if (namesOfPattern(one.id)[0] === name && isNode(init) && /Function/.test(init.type)) {
        entry = { statement, function: init };
      }
    }
  }
  return entry;
}
