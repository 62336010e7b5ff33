import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Reads which groups live until this process is gone, gives them the time to end by themselves, and ends the rest. Kernels
 * notice the end of their host on their own; one that is stuck in native code can't.
 */
const script = `groups=" "
while read -r verb group; do
  case $verb in
    +) groups="$groups$group " ;;
    -) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;;
  esac
done
[ "$groups" = " " ] && exit
sleep 1
for group in $groups; do kill -9 "-$group" 2>/dev/null; done`;

const groups = new Set<number>();
let guard: ChildProcess | undefined;

/** Has the group ended when this process dies, however it dies. One small process guards all of them. */
export function guardGroup(group: number): void {
  groups.add(group);
  // Started right after the kernel, which is still booting: neither waits for the other.
  if (guard === undefined) start();
  else tell(`+ ${group}\n`);
}

/** The group is gone; with the last one the guard goes too. */
export function releaseGroup(group: number): void {
  if (!groups.delete(group)) return;
  tell(`- ${group}\n`);
  if (groups.size > 0) return;
  guard?.stdin?.end();
  guard = undefined;
}

function start(): void {
  if (process.platform === "win32") return;
  const started = spawn("/bin/sh", ["-c", script], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    // Out of reach of what ends this process's own group.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const forget = () => {
    if (guard === started) guard = undefined;
  };
  started.once("error", forget).once("exit", forget).unref();
  started.stdin.on("error", () => undefined);
  (started.stdin as unknown as Socket).unref();
  guard = started;
  for (const group of groups) tell(`+ ${group}\n`);
}

function tell(line: string): void {
  guard?.stdin?.write(line);
}
