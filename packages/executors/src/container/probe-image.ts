import { fileURLToPath } from "node:url";
import type { Usability } from "@artificer/protocol";
import type { ContainerEngine } from "./container-engine.js";

/** The folder of the Dockerfile that comes with this package. */
const dockerfileFolder = fileURLToPath(new URL("../../container", import.meta.url));

/** What is wrong with the image; undefined when it is there. */
export async function probeImage(
  engine: ContainerEngine,
  image: string,
): Promise<(Usability & { usable: false }) | undefined> {
  const { code, stderr } = await engine.ask(["image", "inspect", "--format", "{{.Id}}", image]);
  if (code === 0) return undefined;
  return {
    usable: false,
    reason: `The image ${image} is not there: ${stderr.trim().split("\n").at(-1) ?? ""}.`,
    hint: `Build it: \`${engine.command[0]} build -t ${image} ${dockerfileFolder}\`, or name one of yours in the configuration.`,
  };
}
