import { runCommand } from "../run-command.mjs";

/** A check that is one program's exit code; what it wrote is kept for when it fails. */
export async function toolCheck(title, command) {
  const { code, output } = await runCommand(command, { capture: true, env: { NO_COLOR: "1" } });
  return { title, passed: code === 0, output };
}
