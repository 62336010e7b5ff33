import type { Edits } from "./edits.js";
import { isNode, namesOfPattern, type SourceNode } from "./parse-source.js";
import { SourceError } from "./source-error.js";

/** The kernel's own object in a cell's global scope: `import(…)`, `import.meta` and the few constructs that need help. */
export const bridgeName = "__imp$";

const reserved = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static eval arguments".split(
    " ",
  ),
);

/** `enum E { A, B = 2 }` as an object built in place, each member a constant for those after it. */
export function rewriteEnum(node: SourceNode, edits: Edits): void {
  const id = node.id as SourceNode;
  const body = node.body as SourceNode;
  const name = id.name as string;
  edits.replace(node.start, body.start + 1, keepLines(edits, node.start, body.start + 1, `let ${name}=((${name})=>{`));
  let next = "0";
  for (const member of body.members as SourceNode[]) {
    const key = member.id as SourceNode;
    const text = key.type === "Identifier" ? (key.name as string) : String(key.value);
    const constant = /^[A-Za-z_$][\w$]*$/.test(text) && !reserved.has(text);
    const open = `${constant ? `const ${text}=` : ""}${bridgeName}.member(${name},${JSON.stringify(text)},`;
    const initializer = member.initializer;
    if (isNode(initializer)) {
      edits.replace(member.start, initializer.start, keepLines(edits, member.start, initializer.start, open));
      edits.insert(initializer.end, ");");
    } else {
      edits.replace(member.start, member.end, `${open}${next});`);
    }
    const comma = edits.source.slice(member.end, body.end).match(/^(?:\s|\/\*[\s\S]*?\*\/|\/\/.*)*,/);
    if (comma) edits.blank(member.end + comma[0].length - 1, member.end + comma[0].length);
    next = `${name}[${JSON.stringify(text)}]+1`;
    member.id = { type: "Erased", start: member.start, end: member.start };
  }
  edits.replace(body.end - 1, body.end, `return ${name}})({});`);
  node.id = { type: "Erased", start: id.start, end: id.start };
}

/** `namespace N { export … }` as an object whose members read and write the names inside. */
export function rewriteNamespace(node: SourceNode, edits: Edits): void {
  const id = node.id as SourceNode;
  const body = node.body as SourceNode | null;
  if (id.type !== "Identifier" || body?.type !== "TSModuleBlock") {
    throw new SourceError(
      "Only plain namespaces are supported in cells.",
      node.start,
      "Nest one namespace in another.",
    );
  }
  const name = id.name as string;
  const members: string[] = [];
  const statements = body.body as SourceNode[];
  for (const statement of statements) {
    if (statement.type !== "ExportNamedDeclaration" || !isNode(statement.declaration)) continue;
    const declaration = statement.declaration;
    if (declaration.type.startsWith("TSInterface") || declaration.type.startsWith("TSTypeAlias")) continue;
    const declared =
      declaration.type === "VariableDeclaration"
        ? (declaration.declarations as SourceNode[]).flatMap((one) => namesOfPattern(one.id))
        : namesOfPattern(declaration.id);
    for (const one of declared) {
      const writable = declaration.type === "VariableDeclaration" && declaration.kind !== "const";
      members.push(`get ${one}(){return ${one}},${writable ? `set ${one}(v){${one}=v},` : ""}`);
    }
    edits.blank(statement.start, declaration.start);
  }
  edits.replace(node.start, body.start + 1, keepLines(edits, node.start, body.start + 1, `let ${name}=((${name})=>{`));
  edits.replace(body.end - 1, body.end, `;return ${bridgeName}.expose(${name},{${members.join("")}})})({});`);
  node.id = { type: "Erased", start: id.start, end: id.start };
}

/** A replacement that holds as many line ends as what it replaces. */
function keepLines(edits: Edits, start: number, end: number, text: string): string {
  return text + "\n".repeat(edits.source.slice(start, end).split("\n").length - 1);
}

/** `constructor(private x: T)` assigns `this.x` where the body begins, or after `super(…)`. */
export function parameterProperties(method: SourceNode, edits: Edits): void {
  const value = method.value as SourceNode;
  const assigned: string[] = [];
  for (const parameter of value.params as SourceNode[]) {
    if (parameter.type !== "TSParameterProperty") continue;
    edits.blank(parameter.start, (parameter.parameter as SourceNode).start);
    for (const name of namesOfPattern(parameter)) assigned.push(`this.${name}=${name};`);
  }
  if (assigned.length === 0 || !isNode(value.body)) return;
  const superCall = (value.body.body as SourceNode[]).find((statement) => {
    const expression = statement.expression as SourceNode | undefined;
    return expression?.type === "CallExpression" && (expression.callee as SourceNode).type === "Super";
  });
  edits.insert(superCall?.end ?? value.body.start + 1, `;${assigned.join("")}`);
}
