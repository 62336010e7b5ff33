import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

export const acceptCommand = buildCommand<BaseFlags, [string], CliContext>({
  docs: {
    brief: "Accept how an MCP server, or an API at an address, describes its tools now",
    fullDescription: `What a server, or the OpenAPI document of an address, says of its tools is pinned when it is first seen. Sessions tell what differs from that until it is accepted.

  artificer tools accept tracker`,
  },
  parameters: {
    flags: baseFlags,
    positional: { kind: "tuple", parameters: [{ brief: "The toolkit", parse: String, placeholder: "TOOLKIT" }] },
  },
  async func(flags, toolkit) {
    const { acceptDescription } = await import("artificer/tools");
    const accepted = await withSession(this.io, flags, (session) => acceptDescription(session, toolkit));
    if (flags.json) return writeJson(this.io, { toolkit, accepted });
    this.io.stdout.write(accepted ? `Accepted what ${toolkit} says.\n` : `${toolkit} says what was accepted before.\n`);
  },
});
