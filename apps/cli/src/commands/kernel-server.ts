import { buildCommand, numberParser } from "@stricli/core";
import type { CliContext } from "../context.js";
import { baseFlags } from "../shared-flags.js";

interface KernelServerFlags {
  listen: string;
  tokenFile?: string;
  maxKernels?: number;
  debug?: boolean;
}

export const kernelServerCommand = buildCommand<KernelServerFlags, [], CliContext>({
  docs: {
    brief: "Serve kernels to hosts elsewhere, from inside a container",
    fullDescription: `Starts kernels for whoever bears the token, and carries what they say. The container that it runs in is what confines
them; as root with the rights to become others, it gives each kernel a user of its own. There is no server without a token: it is read from --token-file, or from ARTIFICER_KERNEL_TOKEN.

  artificer kernel-server --listen 0.0.0.0:8787 --token-file /run/secrets/token`,
  },
  parameters: {
    flags: {
      listen: {
        kind: "parsed",
        parse: String,
        brief: "host:port, where port 0 is any, or unix:PATH",
        default: "127.0.0.1:8787",
      },
      tokenFile: { kind: "parsed", parse: String, brief: "file that holds the token", optional: true },
      maxKernels: { kind: "parsed", parse: numberParser, brief: "kernels at once, 64 when left out", optional: true },
      debug: baseFlags.debug,
    },
  },
  async func({ listen, tokenFile, maxKernels }) {
    const { serveKernels } = await import("artificer");
    const onListening = (url: string) => this.io.stdout.write(`listening at ${url}\n`);
    const onProblem = (problem: string) => this.io.stderr.write(`${problem}\n`);
    await serveKernels({ listen, tokenFile, maxKernels, onListening, onProblem, signal: this.io.signal });
  },
});
