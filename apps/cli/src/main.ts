import { processIo } from "./process-io.js";
import { runCli } from "./run-cli.js";

// An idle kernel holds no process up, as an agent wants it. Here the command decides when to end, not the event loop.
setInterval(() => {}, 2 ** 30);

const { io, exit } = processIo(process);
await exit(await runCli(process.argv.slice(2), io));
