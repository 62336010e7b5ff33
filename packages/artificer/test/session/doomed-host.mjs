// A host with kernels in every state: idle, busy, stuck in native code, in a tool call, with children of their own, in
// reserve. Prints "started" and lives until it is killed. Arguments: a folder for staging folders.

import { createKernelPool } from "@artificer/runtime";
import { createPythonKernel, createSubprocessExecutor, createToolkit, defineTool, Session } from "artificer";
import { z } from "zod";

const [stagingRoot] = process.argv.slice(2);
const executor = createKernelPool({ executor: createSubprocessExecutor(), size: 2 });
const waiting = createToolkit({
  name: "waiting",
  description: "Never answers",
  tools: {
    forever: defineTool({
      description: "Never answers",
      input: z.object({}),
      effect: "read",
      run: () => new Promise(() => {}),
    }),
  },
});
const cells = [
  "x = 1",
  "while True: pass",
  "import re; re.match('(a+)+$', 'a' * 60 + 'b')",
  "tools.waiting.forever()",
  "import subprocess\nsubprocess.run(['sh', '-c', 'trap \"\" TERM INT HUP; sleep 1000 & wait'])",
  "import subprocess\nsubprocess.Popen(['sleep', '1000'], start_new_session=True).wait()",
  "import os\nif os.fork() == 0:\n    while True: pass",
];
console.log("started");
const limits = { maxSessionKernels: 20 };
for (const code of cells) {
  const session = new Session({
    executor,
    programs: [createPythonKernel()],
    tools: [waiting],
    embedder: null,
    mode: "strict",
    stagingRoot,
    limits,
  });
  void session.run(code);
}
setInterval(() => {}, 1000);
