import { basename, posix } from "node:path";

const maxSourceLines = 300;
const maxTestLines = 500;
const vague = /(^|[-_.])(utils?|helpers?|common|misc)([-_.]|$)/;

/** What is wrong with one source file by the house rules; each problem says how to mend it. */
export function fileProblems(path: string, text: string): string[] {
  const isTest = isTestFile(path);
  return [
    ...nameProblems(path),
    ...sizeProblems(text, isTest ? maxTestLines : maxSourceLines),
    ...patternProblems(path, text, isTest ? [...always, ...inTests] : always),
  ].map((problem) => `${path}${problem}`);
}

function isTestFile(path: string): boolean {
  return /(^|\/)test\//.test(path);
}

function nameProblems(path: string): string[] {
  const name = basename(path);
  const isPython = name.endsWith(".py");
  const good = isPython ? /^[a-z0-9_]+\.py$/ : /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.[a-z]+$/;
  const problems = good.test(name) ? [] : [`: the name isn't ${isPython ? "snake_case" : "kebab-case"}`];
  const segment = posix
    .normalize(path)
    .split("/")
    .find((part) => vague.test(part));
  if (segment !== undefined) problems.push(`: "${segment}" says nothing; name the file for what it exports`);
  return problems;
}

function sizeProblems(text: string, limit: number): string[] {
  const lines = text.endsWith("\n") ? text.split("\n").length - 1 : text.split("\n").length;
  return lines > limit ? [`: ${lines} lines, and ${limit} is the limit; split it by subject`] : [];
}

interface Rule {
  pattern: RegExp;
  says: string;
  exempt?: RegExp;
}

const always: Rule[] = [
  { pattern: /^export default\b/, says: "default export; name it", exempt: /(\.config\.ts|suite-reporter\.mjs)$/ },
  { pattern: /^export \* from/, says: "`export *`; list the names", exempt: /\.py$/ },
  { pattern: /\b(TODO|FIXME|XXX)\b/, says: "a note for later; do it now or write an issue" },
  {
    pattern: /biome-ignore(-all)?[^\n]*(noRestrictedImports|noPrivateImports|noImportCycles)/,
    says: "silences a rule about imports; mend the import",
  },
  { pattern: /@ts-(ignore|nocheck)\b/, says: "silences the compiler; use @ts-expect-error with a reason, in a test" },
];

const inTests: Rule[] = [
  { pattern: /\b(it|test|describe|suite)(\.\w+)*\.only\b/, says: "`.only` leaves every other test out" },
  {
    pattern: /\b(it|test|describe|suite)(\.\w+)*\.(skip|todo|fails|skipIf|runIf)\b/,
    says: "skips without a reason; call `context.skip(condition, reason)` in the test",
  },
  { pattern: /\bretry:\s*[1-9]/, says: "a retry hides a defect" },
  {
    pattern: /\bvi\.(waitFor|waitUntil)\b/,
    says: "waits a second, which a busy machine may not have; use expect.poll",
  },
  {
    pattern: /\.poll\(.*\btimeout:/,
    says: "a poll ends as soon as it holds: leave its bound to the preset",
  },
  {
    pattern: /\bexpect\((performance|Date)\.now\(\)/,
    says: "asserts how long something took; assert the order of what happened",
  },
  {
    pattern: /\b[Pp]ort\w*\s*[=:][^=].*Math\.random\(\)/,
    says: "a port by chance may be taken; listen at 0, or ask freePort",
  },
];

function patternProblems(path: string, text: string, rules: readonly Rule[]): string[] {
  const lines = text.split("\n");
  return rules
    .filter(({ exempt }) => exempt === undefined || !exempt.test(path))
    .flatMap(({ pattern, says }) =>
      lines.flatMap((line, index) => (pattern.test(line) ? [`:${index + 1}: ${says}`] : [])),
    );
}
