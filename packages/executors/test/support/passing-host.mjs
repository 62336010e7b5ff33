// A host that was started with a descriptor of somebody's, and prints what a shell in the sandbox finds open.
import { createSandboxExecutor } from "@artificer/executors/sandbox";

const executor = createSandboxExecutor();
const channel = await executor.start({
  program: {
    language: "python",
    folder: "/usr",
    findInterpreter: async () => ({ path: "/bin/sh", version: "1", prefixes: [] }),
    command: () => ["/bin/sh", "-c", "for fd in /proc/$$/fd/*; do readlink $fd; done"],
  },
  cwd: "/",
  env: {},
  limits: {},
});
channel.onOutput = (_, chunk) => process.stdout.write(chunk);
await channel.exited;
await executor.close();
