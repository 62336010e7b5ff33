/** Variables that tell of the host and are wrong inside: the image has its own. */
const ofTheHost = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR"];

/**
 * The kernel's variables as arguments of `--env`. A value is taken from the command line's own environment wherever that
 * can hold it, since arguments can be read by every user of the machine.
 */
export function containerEnvironment(
  env: Readonly<Record<string, string>>,
  engineEnv: Readonly<Record<string, string | undefined>>,
): { names: string[]; values: Record<string, string> } {
  const names = ["HOME=/tmp"];
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (ofTheHost.includes(name)) continue;
    const taken = engineEnv[name];
    if (taken === undefined) values[name] = value;
    names.push(taken === undefined || taken === value ? name : `${name}=${value}`);
  }
  return { names, values };
}
