import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags, languageFlag } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

interface StubsFlags extends BaseFlags {
  language?: "python" | "typescript";
  module?: boolean;
}

export const stubsCommand = buildCommand<StubsFlags, [], CliContext>({
  docs: {
    brief: "Write the types of the tools, for editors and type checkers",
    fullDescription: `Writes the handles that cells have as a .pyi or .d.ts file.

  artificer tools stubs > handles.pyi
  artificer tools stubs --module > artificer_tools.pyi
  artificer tools stubs --language typescript > handles.d.ts`,
  },
  parameters: {
    flags: {
      language: languageFlag,
      module: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Python: the module artificer_tools; TypeScript has it in the same file",
      },
      ...baseFlags,
    },
  },
  async func({ language = "python", module, ...flags }) {
    const { renderPythonModuleStubs, renderPythonStubs, renderTypescriptStubs } = await import("artificer");
    const render = { typescript: renderTypescriptStubs, python: module ? renderPythonModuleStubs : renderPythonStubs };
    const stubs = await withSession(this.io, flags, async (session) =>
      render[language](session.toolset.bindings(language)),
    );
    if (flags.json) return writeJson(this.io, { language, stubs });
    this.io.stdout.write(stubs);
  },
});
