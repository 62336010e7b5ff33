import { syncBuiltinESMExports } from "node:module";
import type { MessagePort } from "node:worker_threads";
import { installExit } from "./exit-signal.js";
import { Kernel } from "./kernel.js";
import { installLateErrors } from "./late-errors.js";
import { installOutput, outputOrder, outputSink } from "./output.js";
import { installStackTraces } from "./stack-trace.js";
import { guardFiles } from "./thread/guard-files.js";
import { guardProcesses } from "./thread/guard-processes.js";
import { threadOutput } from "./thread/thread-output.js";
import { threadStart } from "./thread/thread-start.js";
import { installTimers } from "./timers.js";
import { openPortTransport } from "./transport/port-transport.js";
import { openSocketTransport } from "./transport/socket-transport.js";
import type { Transport } from "./transport/transport.js";
import { WireChannel } from "./wire-channel.js";

/** A host that is slow to read costs order, not the cell. */
const settlePatienceMs = 1_000;

function boot(transport: Transport): void {
  const wire = new WireChannel(transport);
  installStackTraces();
  installOutput();
  if (threadStart === undefined) outputOrder.settle = () => wire.settle(settlePatienceMs);
  else {
    outputSink.write = threadOutput(threadStart);
    guardFiles();
    guardProcesses(threadStart);
  }
  installTimers();
  syncBuiltinESMExports();
  installExit();
  installLateErrors();
  process.argv.length = 1;
  new Kernel(wire);
}

if (threadStart !== undefined) boot(openPortTransport(threadStart.wire as MessagePort));
else {
  const address = process.argv[2] ?? "";
  if (!openSocketTransport(address, boot)) {
    process.stderr.write(`The kernel's channel must be given as fd:N or unix:PATH, not ${JSON.stringify(address)}.\n`);
    process.exit(2);
  }
}
