import { lstatSync, readlinkSync, realpathSync } from "node:fs";

/** Programs and libraries, which every user may read; on most systems all but /usr are links into it. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** What programs look up and no secret is kept in. Never /etc as a whole. */
const settings = [
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/fonts",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/pki/tls/certs",
  "/etc/ca-certificates",
];

/** What a shared network needs besides. */
const networkSettings = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services", "/etc/protocols"];

/** Arguments that show the host's system, read-only. */
export function systemMounts({ network }: { network: "none" | "host" }): string[] {
  const files = network === "host" ? [...settings, ...networkSettings] : settings;
  return [...systemFolders.flatMap(folderMount), ...files.flatMap((path) => ["--ro-bind-try", path, path])];
}

function folderMount(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** Arguments that show folders outside the system where they are on the host, read-only: interpreters, kernels. */
export function folderMounts(folders: readonly string[]): string[] {
  const wanted = new Set(folders.flatMap(existing).filter((folder) => !isSystem(folder)));
  return Array.from(wanted).flatMap((folder) => ["--ro-bind", folder, folder]);
}

/** A folder and, where its path goes through links, the folder that is meant. */
function existing(folder: string): string[] {
  try {
    return [folder, realpathSync(folder)];
  } catch {
    return [];
  }
}

function isSystem(folder: string): boolean {
  return folder === "/" || systemFolders.some((system) => folder === system || folder.startsWith(`${system}/`));
}
