// A host that starts a kernel with a child process of its own, prints both ids, and waits to be killed.
import { createSandboxExecutor } from "@artificer/executors/sandbox";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import { createPythonKernel } from "@artificer/kernel-python";
import { encodeFrame, FrameDecoder } from "@artificer/protocol";

const executor = process.argv[3] === "sandbox" ? createSandboxExecutor() : createSubprocessExecutor();
const channel = await executor.start({
  program: createPythonKernel(),
  cwd: process.argv[2],
  env: { PATH: process.env.PATH },
  limits: {},
});
const decoder = new FrameDecoder();
channel.onBytes = (chunk) => {
  for (const { header } of decoder.push(chunk)) {
    if (header.id === 2) console.log(channel.pid, header.value.value);
  }
};
const limits = { maxValueBytes: 1000, maxReprChars: 1000, maxDisplayBytes: 1000, maxDisplays: 1 };
const start = { wire: 1, key: "k", session: "s", generation: 1, bindings: { toolkits: [] }, limits };
const code = "import subprocess\nsubprocess.Popen(['sleep', '1000']).pid";
channel.send(encodeFrame({ type: "request", id: 1, method: "kernel.start", params: start }));
channel.send(encodeFrame({ type: "request", id: 2, method: "cell.run", params: { cell: 1, code } }));
