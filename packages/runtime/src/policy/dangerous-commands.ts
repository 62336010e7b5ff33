/** A kind of command that is known to do harm. */
export interface DangerousCommand {
  what: string;
  pattern: RegExp;
}

/** Where one command of a line begins. */
const start = String.raw`(?:^|[;&|(\n{]|\$\(|\b(?:sudo|doas|env|nohup|time|exec|then|do|else|xargs|command|eval)\s+(?:-\S+\s+)*)\s*(?:\S*/)?`;
const command = (rest: string) => new RegExp(`${start}${rest}`, "i");

/**
 * Commands that the workspace's `terminal` asks about when a policy is on. A list of what is known guards against slips, not against somebody who hides a
 * command on purpose.
 */
export const dangerousCommands: readonly DangerousCommand[] = [
  {
    what: "deletes folders or many files",
    pattern: command(String.raw`rm\s+(?:\S+\s+)*?-(?:-recursive|-force|[a-z]*[rf])`),
  },
  {
    what: "deletes what it finds",
    pattern: command(String.raw`find\b[^\n;|]*\s-(?:delete|exec(?:dir)?\s+(?:\S*/)?(?:rm|shred|unlink))\b`),
  },
  {
    what: "overwrites data for good",
    pattern: command(String.raw`(?:shred|wipefs|mkfs(?:\.\w+)?|fdisk|parted|sgdisk)\b`),
  },
  { what: "writes to a device", pattern: /\bdd\b[^\n;|]*\bof=|>\s*\/dev\/(?:sd|hd|nvme|vd|xvd|mmcblk|disk)/i },
  { what: "becomes another user", pattern: command(String.raw`(?:sudo|su|doas|pkexec)\b`) },
  {
    what: "changes rights or owners of a whole tree",
    pattern: command(String.raw`ch(?:mod|own|grp)\s+(?:\S+\s+)*?(?:-(?:-recursive|[a-z]*R)|[0-7]?777\b)`),
  },
  {
    what: "runs what it downloads",
    pattern:
      /\b(?:curl|wget|fetch)\b[^\n;]*\|\s*(?:sudo\s+)?(?:\S*\/)?(?:ba|z|da|k|fi)?sh\b|\b(?:ba|z|da)?sh\s+(?:-c\s+\S*)?<?\(?\$?\(\s*(?:curl|wget)\b/i,
  },
  {
    what: "ends processes it did not start",
    pattern: command(String.raw`(?:killall|pkill)\b|${start}kill\s+(?:\S+\s+)*?-?1\b`),
  },
  {
    what: "stops the machine or its services",
    pattern: command(
      String.raw`(?:shutdown|reboot|halt|poweroff|init\s+[06]|systemctl\s+(?:stop|disable|mask|poweroff|reboot)|service\s+\S+\s+stop)\b`,
    ),
  },
  {
    what: "throws away work in Git",
    pattern: command(
      String.raw`git\b[^\n;|]*\s(?:reset\s+(?:\S+\s+)*?--hard|clean\s+(?:\S+\s+)*?-[a-z]*[fdx]|push\s+(?:\S+\s+)*?(?:--force|-f\b|--delete|\+\S)|branch\s+(?:\S+\s+)*?-D|checkout\s+(?:\S+\s+)*?--\s+\.)`,
    ),
  },
  {
    what: "drops data of a database",
    pattern: /\b(?:drop\s+(?:table|database|schema)|truncate\s+(?:table\s+)?\w|delete\s+from\s+\w+\s*(?:;|$|["']))/i,
  },
  {
    what: "writes to files of the system",
    pattern: /(?:>|\btee\s+(?:-a\s+)?|\b(?:cp|mv|install|ln)\s[^\n;|]*\s)\s*\/(?:etc|boot|usr|bin|sbin|lib)\//i,
  },
  {
    what: "changes what runs by itself later",
    pattern: command(
      String.raw`(?:crontab\s+(?:-[re]\b|-$|\S+)|at\s+\S)|>>?\s*~?\S*/?\.(?:bashrc|profile|zshrc|bash_profile|ssh/authorized_keys)\b`,
    ),
  },
  {
    what: "removes packages or images",
    pattern: command(
      String.raw`(?:(?:apt|apt-get|dnf|yum|brew)\s+(?:\S+\s+)*?(?:remove|purge|autoremove|uninstall)|(?:docker|podman)\s+(?:\S+\s+)*?(?:prune|rmi?|kill)|kubectl\s+(?:\S+\s+)*?delete)\b`,
    ),
  },
  { what: "fills the machine with processes", pattern: /:\s*\(\s*\)\s*\{[^}]*:\s*\|\s*:/ },
];

const maxSearched = 8_192;

/** What a command would do that is on the list; undefined when nothing is. A command too long to be looked through counts as one. */
export function findDanger(text: string): string | undefined {
  if (text.length > maxSearched) return "is too long to be looked through";
  // As a shell reads it: quotes and backslashes inside words go, and so do the ways to write a blank.
  const plain = text
    .replace(/\\\n/g, " ")
    .replace(/\$\{?IFS\}?/g, " ")
    .replace(/[\\'"]/g, "")
    .replace(/[ \t]+/g, " ");
  return dangerousCommands.find(({ pattern }) => pattern.test(text) || pattern.test(plain))?.what;
}

/** Which tools take commands of a shell: those that say so, and by which argument. */
export function isShellTool(tags: readonly string[] | undefined): boolean {
  return tags?.includes("shell") ?? false;
}
