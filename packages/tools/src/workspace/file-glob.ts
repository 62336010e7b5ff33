import { ArtificerError } from "@artificer/protocol";
import picomatch from "picomatch";
import { scanTexts } from "./scan-texts.js";

const maxThinkingMs = 200;
/** With more of them a name can be tried in ways without number. */
const harmlessStars = 3;

/**
 * A test of paths by a glob: one without a slash looks at the name alone, as `*.py` does.
 *
 * @throws ArtificerError `tool/invalid-argument`; the test, `tool/timed-out`.
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
  const regex = picomatch.makeRe(bare, { dot: bare.startsWith("."), nonegate: true, noextglob: true });
  const part = bare.includes("/") ? (path: string) => path : (path: string) => path.slice(path.lastIndexOf("/") + 1);
  if (bare.split("*").length - 1 <= harmlessStars) return (path) => regex.test(part(path));
  return (path) => scanTexts(regex, [part(path)], { maxThinkingMs, pattern: glob }).length > 0;
}
