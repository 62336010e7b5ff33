import { processIo } from "./process-io.js";
import { runCli } from "./run-cli.js";

const { io, exit } = processIo(process);
await exit(await runCli(process.argv.slice(2), io));
