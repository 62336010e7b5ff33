import type { HostLink } from "../host-link.js";

type Options = Record<string, unknown>;

/** `artifacts`: named values and files kept beyond the session. */
export function createArtifacts(host: HostLink): Record<string, unknown> {
  return {
    save: function save(name: string, value: unknown, options: Options = {}) {
      return host.request("artifacts.save", { ...options, name, value }, save);
    },
    load: function load(name: string) {
      return host.request("artifacts.load", { name }, load);
    },
    get: function get(name: string) {
      return host.request("artifacts.get", { name }, get);
    },
    list: function list(options: string | Options = {}) {
      return host.request("artifacts.list", typeof options === "string" ? { prefix: options } : options, list);
    },
    exists: function exists(name: string) {
      return host.request("artifacts.exists", { name }, exists);
    },
    delete: function remove(name: string) {
      return host.request("artifacts.delete", { name }, remove);
    },
  };
}

/** `deps`: the packages that the session's code may import. */
export function createDeps(host: HostLink): Record<string, unknown> {
  return {
    list: function list() {
      return host.request("deps.list", {}, list);
    },
    add: function add(spec: string) {
      return host.request("deps.add", { spec }, add);
    },
    remove: function remove(spec: string) {
      return host.request("deps.remove", { spec }, remove);
    },
    sync: function sync() {
      return host.request("deps.sync", {}, sync);
    },
  };
}
