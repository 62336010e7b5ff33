import { type Application, buildApplication, buildRouteMap, text_en } from "@stricli/core";
import { artifactsRoutes } from "./commands/artifacts.js";
import { doctorCommand } from "./commands/doctor.js";
import { initCommand } from "./commands/init.js";
import { kernelServerCommand } from "./commands/kernel-server.js";
import { mcpCommand } from "./commands/mcp.js";
import { replCommand } from "./commands/repl.js";
import { runCommand } from "./commands/run.js";
import { skillsRoutes } from "./commands/skills.js";
import { storeRoutes } from "./commands/store.js";
import { toolsRoutes } from "./commands/tools.js";
import type { CliContext } from "./context.js";
import { ownNames } from "./own-names.js";
import { version } from "./version.js";

/** Who is told what went wrong, in place of the parser's own words. */
export interface FailureSink {
  onFailure(thrown: unknown): void;
  onUnknownCommand(input: string, corrections: readonly string[]): void;
}

/** The whole command, ready to run. */
export function application(sink: FailureSink): Application<CliContext> {
  const failed = (thrown: unknown) => {
    sink.onFailure(thrown);
    return "";
  };
  const root = buildRouteMap({
    routes: ownNames({
      init: initCommand,
      run: runCommand,
      repl: replCommand,
      tools: toolsRoutes,
      skills: skillsRoutes,
      artifacts: artifactsRoutes,
      store: storeRoutes,
      doctor: doctorCommand,
      mcp: mcpCommand,
      kernelServer: kernelServerCommand,
    }),
    aliases: ownNames({}),
    docs: { brief: "Code mode for AI agents", fullDescription: overview },
  });
  return buildApplication(root, {
    name: "artificer",
    versionInfo: { currentVersion: version() },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { caseStyle: "convert-camel-to-kebab", useAliasInUsageLine: true, onlyRequiredInUsageLine: true },
    localization: {
      text: {
        ...text_en,
        exceptionWhileParsingArguments: failed,
        exceptionWhileLoadingCommandFunction: failed,
        exceptionWhileLoadingCommandContext: failed,
        exceptionWhileRunningCommand: failed,
        commandErrorResult: failed,
        exceptionWhileRunningIntegrationFlag: ({ exception }) => failed(exception),
        noCommandRegisteredForInput: ({ input, corrections }) => {
          sink.onUnknownCommand(input, corrections);
          return "";
        },
      },
    },
  });
}

const overview = `Runs code cells in a persistent kernel where every tool is a function to call, and keeps what works as skills.

  artificer init                                    lay out ./.artificer with a few tools
  artificer run -c 'sum(range(10))'                 one cell; prints its value
  artificer run prepare.py -c 'report(rows)'        several cells, one session, in order
  artificer repl                                    try things; Ctrl-C interrupts a cell, variables stay
  artificer skills add count_words.py               keep a file that defines run()
  artificer skills search "how long is a text"      find it by what it does
  artificer skills invoke count_words --arg path=README.md
  artificer store push redis://host:6379            bring it to a store that others share
  artificer mcp --base ./.artificer                 serve it all to an MCP client

Exit codes: 0 fine, 1 the code failed, 2 wrong usage or input, 3 not found, 4 conflict, 5 refused or over a limit,
6 timed out or interrupted, 7 something needed is missing, 8 storage, 9 a kernel died, 70 a fault of Artificer.
Each command has its own help: artificer run --help`;
