import { ArtificerError } from "@artificer/protocol";
import type { Connection } from "../connection.js";

/** @returns why the server can't rank vectors for this user; undefined when it can. */
export async function whyNoVectors(connection: Connection, anySet: string, name: string): Promise<string | undefined> {
  try {
    await connection.run("read", ["VCARD", anySet]);
    return undefined;
  } catch (error) {
    if (!ArtificerError.is(error, "storage/unavailable")) throw error;
    const { reason } = error.details;
    if (reason === "NOPERM")
      return `Vectors are searched in memory: this user of ${name} may not use its vector sets. Grant VADD, VREM, VSIM, VEMB, VDIM and VCARD (ACL SETUSER).`;
    if (reason === "ERR")
      return `Vectors are searched in memory: ${name} has no vector sets. Redis has them from version 8 on.`;
    throw error;
  }
}
