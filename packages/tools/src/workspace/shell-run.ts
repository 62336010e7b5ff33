import { ArtificerError } from "@artificer/protocol";
import { findProgram } from "../cli/find-program.js";

export interface ShellPlace {
  path: string | undefined;
  folder: string;
  /** Default: this machine's. */
  platform?: NodeJS.Platform;
}

/** How a command line is run by the shell that is wanted, or else by the platform's. @throws ArtificerError `tool/program-missing` */
export function shellRun(command: string, wanted: string | undefined, where: ShellPlace) {
  if ((where.platform ?? process.platform) === "win32" && wanted === undefined)
    return { file: process.env.ComSpec ?? "cmd.exe", args: ["/d", "/s", "/c", command] };
  const names = wanted === undefined ? ["bash", "/bin/sh"] : [wanted];
  const file = names.map((name) => findProgram(name, where)).find((found) => found !== undefined);
  if (file === undefined) {
    throw new ArtificerError("tool/program-missing", `The shell ${names[0]} is not installed or not on the PATH.`, {
      details: { shell: names[0] },
      hint: "Install it, or name another as shell.",
    });
  }
  // The shell itself joins the streams, so that what was written first is read first.
  return { file, args: ["-c", `exec 2>&1\n${command}`] };
}
