/**
 * What a kernel may ask of the host: every handle in a cell is one of these requests. Parameters and results are codec values.
 *
 * | method | parameters | result |
 * |---|---|---|
 * | `tools.call` | `{toolkit, tool, args}`, original names | the tool's result |
 * | `tools.list` | `{}` | `[{path, description, signature}]` |
 * | `tools.search` | `{query, limit?}` | as list, with `score` |
 * | `tools.catalog` | `{budget?}`, in tokens | the tools as a text within the budget, COMPLETE or PARTIAL |
 * | `skills.list` | `{tag?}` | `[{name, description, version, language, tags, parameters, lifecycle}]` |
 * | `skills.search` | `{query, limit?}` | as list, with `score` |
 * | `skills.get` | `{name}` | as list, with `source` |
 * | `skills.create` | `{name, source, description, language?, tags?, replace?}` | the skill, as `get` |
 * | `skills.delete` | `{name}` | boolean |
 * | `skills.load` | `{name, args, stack}` | `{name, language, version, hash, source}` to run in this kernel; refuses cycles and depth |
 * | `skills.invoke` | `{name, args, stack}` | the result, when the skill is of another language |
 * | `skills.used` | `{name, version, ok, ms, error?}` | null; teaches search and life-cycle |
 * | `artifacts.save` | `{name, value, contentType?, description?, metadata?, ifAbsent?, ifRevision?}` | info |
 * | `artifacts.load` | `{name}` | the value |
 * | `artifacts.get` | `{name}` | info `{name, kind, contentType, bytes, revision, description, metadata, updatedAt}` |
 * | `artifacts.list` | `{prefix?}` | `[info]` |
 * | `artifacts.exists` / `artifacts.delete` | `{name}` | boolean |
 * | `shared.set` / `shared.get` | `{name, value}` / `{name}` | null / a copy of the value |
 * | `shared.list` / `shared.delete` | `{}` / `{name}` | `[{name, bytes, from}]` / boolean |
 * | `output.settle` | — | null, once all output written before has been read |
 * | `output.clear` | `{wait}` | null, once all that the cell has written and shown before is forgotten; with `wait`, only when more comes |
 * | `deps.list` / `deps.add` / `deps.remove` / `deps.sync` | `{}` / `{spec}` / `{spec}` / `{}` | `[{spec, name, installed}]` / the same / boolean / report |
 */
export const hostMethods = [
  "tools.call",
  "tools.list",
  "tools.search",
  "tools.catalog",
  "skills.list",
  "skills.search",
  "skills.get",
  "skills.create",
  "skills.delete",
  "skills.load",
  "skills.invoke",
  "skills.used",
  "artifacts.save",
  "artifacts.load",
  "artifacts.get",
  "artifacts.list",
  "artifacts.exists",
  "artifacts.delete",
  "shared.set",
  "shared.get",
  "shared.list",
  "shared.delete",
  "deps.list",
  "deps.add",
  "deps.remove",
  "deps.sync",
] as const;

/** One of the requests that a kernel may make. */
export type HostMethod = (typeof hostMethods)[number];
