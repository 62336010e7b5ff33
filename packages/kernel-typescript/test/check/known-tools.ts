/** Declarations such as a session renders of its tools. */
export const knownTools = `interface Toolkit_shop {
  /** Finds things. */
  find(args: { name: string; limit?: number }): Promise<{ id: number; title: string }[]>;
}
declare const tools: { shop: Toolkit_shop; list(): Promise<any[]> };
declare const shop: Toolkit_shop;
declare module "artificer:tools" { export function find(args: { name: string }): Promise<number>; }
`;
