import { installExit } from "./exit-signal.js";
import { Kernel } from "./kernel.js";
import { installLateErrors } from "./late-errors.js";
import { installOutput, outputOrder } from "./output.js";
import { installStackTraces } from "./stack-trace.js";
import { installTimers } from "./timers.js";
import { WireChannel } from "./wire-channel.js";

/** A host that is slow to read costs order, not the cell. */
const settlePatienceMs = 1_000;
const address = /^fd:(\d+)$/.exec(process.argv[2] ?? "");
if (address === null) {
  process.stderr.write(`The kernel's channel must be given as fd:N, not ${JSON.stringify(process.argv[2])}.\n`);
  process.exit(2);
}
const wire = new WireChannel(Number(address[1]));
installStackTraces();
installOutput();
outputOrder.settle = () => wire.settle(settlePatienceMs);
installTimers();
installExit();
installLateErrors();
process.argv.length = 1;
new Kernel(wire);
