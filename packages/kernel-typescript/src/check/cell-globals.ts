/** What every TypeScript cell finds besides the session's tools, as declarations. */
export const cellGlobals = `
interface ArtificerHandleError extends Error { code: string; hint?: string; details?: any }
interface ArtificerHandleErrorConstructor { new (...args: any[]): ArtificerHandleError; (...args: any[]): ArtificerHandleError; readonly prototype: ArtificerHandleError }
declare var ArtificerError: ArtificerHandleErrorConstructor;
declare var ToolError: ArtificerHandleErrorConstructor;
declare var SkillError: ArtificerHandleErrorConstructor;
declare var ArtifactError: ArtificerHandleErrorConstructor;
declare var SharedError: ArtificerHandleErrorConstructor;
declare var DepError: ArtificerHandleErrorConstructor;
type ArtificerSkillHandles = {
  list(options?: { tag?: string }): Promise<any[]>;
  search(query: string, limit?: number | { limit?: number }): Promise<any[]>;
  get(name: string): Promise<any>;
  create(skill: Record<string, any>): Promise<any>;
  create(name: string, source: string, options?: Record<string, any>): Promise<any>;
  delete(name: string): Promise<boolean>;
  invoke(name: string, args?: Record<string, any>): Promise<any>;
} & { [skill: string]: (args?: any, ...more: any[]) => Promise<any> };
declare var skills: ArtificerSkillHandles;
declare var artifacts: {
  save(name: string, value: any, options?: { description?: string; metadata?: Record<string, any>; [option: string]: any }): Promise<any>;
  load(name: string): Promise<any>;
  get(name: string): Promise<any>;
  list(options?: string | { prefix?: string }): Promise<any[]>;
  exists(name: string): Promise<boolean>;
  delete(name: string): Promise<boolean>;
};
declare var deps: {
  list(): Promise<any[]>;
  add(spec: string): Promise<any>;
  remove(name: string): Promise<boolean>;
  sync(): Promise<any>;
};
declare var display: { (...values: any[]): any; update(id: string, ...values: any[]): any; [member: string]: any };
declare function share(name: string, value: any): Promise<void>;
declare function take(name: string): Promise<any>;
declare function unshare(name: string): Promise<boolean>;
declare var shared: { [name: string]: any };
declare var Out: any;
declare var _: any;
declare var __: any;
declare var ___: any;
interface ImportMeta { url: string; dirname: string; filename: string; resolve(specifier: string): Promise<string> }
`;

/** What of Node is known where its own types are not installed: names that are there, of any type. */
export const bareNodeGlobals = `
interface Console { log(...values: any[]): void; error(...values: any[]): void; warn(...values: any[]): void; info(...values: any[]): void; debug(...values: any[]): void; trace(...values: any[]): void; table(...values: any[]): void; dir(...values: any[]): void; time(label?: string): void; timeEnd(label?: string): void; timeLog(label?: string, ...values: any[]): void; group(...values: any[]): void; groupCollapsed(...values: any[]): void; groupEnd(): void; count(label?: string): void; countReset(label?: string): void; assert(condition?: any, ...values: any[]): void; clear(): void; dirxml(...values: any[]): void }
declare var console: Console;
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): any;
declare function setInterval(callback: (...args: any[]) => void, ms?: number, ...args: any[]): any;
declare function setImmediate(callback: (...args: any[]) => void, ...args: any[]): any;
declare function clearTimeout(timer?: any): void;
declare function clearInterval(timer?: any): void;
declare function clearImmediate(timer?: any): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T, options?: any): T;
declare function fetch(input: any, init?: any): Promise<any>;
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare function require(specifier: string): any;
declare module "node:*";
${"Buffer URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal Event EventTarget MessageChannel MessagePort BroadcastChannel Blob File FormData Headers Request Response WebSocket ReadableStream WritableStream TransformStream CompressionStream DecompressionStream"
  .split(" ")
  .map((name) => `declare var ${name}: any;\ntype ${name} = any;`)
  .join("\n")}
declare var process: any;
declare var performance: any;
declare var crypto: any;
declare var navigator: any;
declare var global: typeof globalThis;
declare var WebAssembly: any;
`;
