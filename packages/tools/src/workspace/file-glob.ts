import { ArtificerError } from "@artificer/protocol";
import picomatch from "picomatch";

/**
 * A test of paths by a glob: one without a slash looks at the name alone, as `*.py` does.
 *
 * @throws ArtificerError `tool/invalid-argument`
 */
export function createFileGlob(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  if (glob === "" || glob.length > 1000) {
    throw new ArtificerError("tool/invalid-argument", "file_glob is empty or too long.", {
      details: { argument: "file_glob" },
      hint: "Write it as *.py, or as src/**/*.{ts,tsx}.",
    });
  }
  const bare = glob.replace(/^\.?\//, "");
  return picomatch(bare, { basename: !bare.includes("/"), dot: bare.startsWith("."), nonegate: true });
}
