// A host that starts a kernel in a container which ignores its host's end, says so, and waits to be killed.
import { createContainerExecutor } from "@artificer/executors/container";

const executor = createContainerExecutor(JSON.parse(process.argv[2]));
await executor.start({
  program: {
    language: "python",
    folder: "/usr/share",
    findInterpreter: async () => ({ path: "/usr/bin/python3", version: "3", prefixes: [] }),
    command: ({ path }, { wire }) => [
      path,
      "-c",
      "import socket, sys, time\ns = socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1][5:])\ntime.sleep(1000)",
      wire,
    ],
  },
  cwd: process.argv[3],
  env: {},
  limits: {},
});
console.log("started");
setInterval(() => undefined, 1000);
