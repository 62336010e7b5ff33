/** What Zod keeps of a schema, as far as keys are concerned. */
interface SchemaNode {
  shape?: Record<string, SchemaNode>;
  _zod?: {
    def?: {
      innerType?: SchemaNode;
      options?: SchemaNode[];
      out?: SchemaNode;
      valueType?: SchemaNode;
      element?: SchemaNode;
      getter?: () => SchemaNode;
    };
  };
}

/** The keys that a Zod schema knows at a place of what it describes, for telling the nearest to one that is unknown there. */
export function schemaKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  let nodes = unwrapped([schema as SchemaNode]);
  for (const step of path)
    nodes = unwrapped(
      nodes.flatMap((node) => node.shape?.[String(step)] ?? node._zod?.def?.valueType ?? node._zod?.def?.element ?? []),
    );
  return [...new Set(nodes.flatMap((node) => Object.keys(node.shape ?? {})))];
}

/** Past defaults and choices, to what has keys. */
function unwrapped(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => {
    const { innerType, options, out, getter } = node._zod?.def ?? {};
    const inside = getter?.() ?? innerType ?? (node.shape === undefined ? out : undefined);
    return inside !== undefined ? unwrapped([inside]) : options !== undefined ? unwrapped(options) : [node];
  });
}
