import type { SourceParameter } from "@artificer/protocol";
import { isNode, type SourceNode } from "../prepare/parse-source.js";

/** How an entry point is called and what it takes. */
export interface EntryParameters {
  parameters: SourceParameter[];
  /** `object`: one object of arguments. Otherwise the names, in the order they are passed. */
  call: "object" | string[];
}

/** Reads the parameters of an entry point, with types as they are written. */
export function entryParameters(entry: SourceNode, body: SourceNode[], source: string): EntryParameters {
  const text = (node: unknown) => (isNode(node) ? source.slice(node.start, node.end).replace(/\s+/g, " ") : undefined);
  const params = (entry.params as SourceNode[]).filter((one) => one.name !== "this");
  const first = params[0];
  if (first === undefined) return { parameters: [], call: "object" };
  if (params.length === 1) {
    const { pattern } = unwrap(first);
    const members = membersOf(annotation(pattern), body);
    if (pattern.type === "ObjectPattern") return { parameters: fromPattern(pattern, members, text), call: "object" };
    if (pattern.type === "Identifier" && members !== undefined) {
      return { parameters: members.map((member) => fromMember(member, text)), call: "object" };
    }
    if (pattern.type === "Identifier" && isOpen(annotation(pattern), text)) {
      const type = text(annotation(pattern)) ?? "any";
      return {
        parameters: [{ name: pattern.name as string, type, required: false, kind: "keyword-rest" }],
        call: "object",
      };
    }
  }
  const parameters = params.map((one, index) => fromParameter(one, index, text));
  return { parameters, call: parameters.map((one) => one.name) };
}

type Text = (node: unknown) => string | undefined;

function unwrap(parameter: SourceNode): { pattern: SourceNode; fallback: SourceNode | undefined } {
  if (parameter.type === "AssignmentPattern") {
    return { pattern: parameter.left as SourceNode, fallback: parameter.right as SourceNode };
  }
  return { pattern: parameter, fallback: undefined };
}

function annotation(pattern: SourceNode): SourceNode | undefined {
  return isNode(pattern.typeAnnotation) ? (pattern.typeAnnotation.typeAnnotation as SourceNode) : undefined;
}

/** The members of an object type written out here or under a name of this source. */
function membersOf(type: SourceNode | undefined, body: SourceNode[]): SourceNode[] | undefined {
  if (type?.type === "TSTypeLiteral") return properties(type.members);
  if (type?.type !== "TSTypeReference") return undefined;
  const name = (type.typeName as SourceNode).name;
  for (const statement of body) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    if (!isNode(declaration.id) || declaration.id.name !== name) continue;
    if (declaration.type === "TSInterfaceDeclaration") return properties((declaration.body as SourceNode).body);
    if (declaration.type === "TSTypeAliasDeclaration") return membersOf(declaration.typeAnnotation as SourceNode, body);
  }
  return undefined;
}

function properties(members: unknown): SourceNode[] {
  return (members as SourceNode[]).filter((member) => member.type === "TSPropertySignature");
}

function keyOf(node: SourceNode): string {
  const key = node.key as SourceNode;
  return String(key.name ?? key.value);
}

function fromMember(member: SourceNode, text: Text): SourceParameter {
  return {
    name: keyOf(member),
    type: text(annotation(member)) ?? "any",
    required: member.optional !== true,
    kind: "keyword",
  };
}

function fromPattern(pattern: SourceNode, members: SourceNode[] | undefined, text: Text): SourceParameter[] {
  return (pattern.properties as SourceNode[]).map((property): SourceParameter => {
    if (property.type === "RestElement") {
      return {
        name: (property.argument as SourceNode).name as string,
        type: "any",
        required: false,
        kind: "keyword-rest",
      };
    }
    const name = keyOf(property);
    const member = members?.find((one) => keyOf(one) === name);
    const { fallback } = unwrap(property.value as SourceNode);
    return {
      name,
      type: text(member === undefined ? undefined : annotation(member)) ?? "any",
      required: fallback === undefined && member?.optional !== true,
      ...(fallback === undefined ? {} : { default: text(fallback)! }),
      kind: "keyword",
    };
  });
}

function fromParameter(parameter: SourceNode, index: number, text: Text): SourceParameter {
  const { pattern, fallback } = unwrap(parameter);
  const type = text(annotation(pattern)) ?? "any";
  if (pattern.type === "RestElement") {
    return {
      name: ((pattern.argument as SourceNode).name as string) ?? `rest${index}`,
      type,
      required: false,
      kind: "rest",
    };
  }
  return {
    name: (pattern.name as string | undefined) ?? `argument${index + 1}`,
    type,
    required: fallback === undefined && pattern.optional !== true,
    ...(fallback === undefined ? {} : { default: text(fallback)! }),
    kind: "positional",
  };
}

/** True for a type that says "some object", or says nothing. */
function isOpen(type: SourceNode | undefined, text: Text): boolean {
  return type === undefined || /^(any|unknown|object|\{\s*\}|Record<.*|Partial<.*)$/.test(text(type)!);
}
