import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./find-program.js";

/** A certificate that signs itself, for 127.0.0.1 and localhost. */
export interface Certificate {
  /** Paths of its files, in PEM. */
  certFile: string;
  keyFile: string;
  /** What a client must trust. */
  cert: string;
}

export async function createCertificate(folder: string): Promise<Certificate> {
  const program = await findProgram({ name: "openssl", debianPackage: "openssl" });
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const shape = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  const names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  await promisify(execFile)(program, ["req", "-x509", ...shape, ...names, "-keyout", keyFile, "-out", certFile]);
  return { certFile, keyFile, cert: await readFile(certFile, "utf8") };
}
