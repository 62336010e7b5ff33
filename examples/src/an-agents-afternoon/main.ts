/**
 * An agent's afternoon, played from a script on real input: the packages installed in this clone.
 * No key, no server, no network. Running it again works: skills get a new version, artifacts are replaced.
 */
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Outcome, Session } from "artificer";
import { aggregate, compose, draw, explore, keep, others, question } from "./cells.js";
import { packageTools } from "./package-tools.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const base = join(root, ".artificer/demo");
const startedAt = performance.now();
let hiddenBytes = 0;
let toolCalls = 0;
let shownChars = 0;

function say(text: string): void {
  console.log(`\n\u2014 ${text}`);
}

function told(outcome: Outcome): Outcome {
  const text = outcome.toText();
  shownChars += text.length;
  toolCalls += outcome.toolCalls.length;
  hiddenBytes += outcome.toolCalls.reduce((sum, call) => sum + call.resultBytes, 0);
  for (const line of text.split("\n")) console.log(`  | ${line}`);
  const calls = outcome.toolCalls.length === 0 ? "" : `, ${outcome.toolCalls.length} tool calls`;
  console.log(`  (${outcome.status} in ${outcome.durations.totalMs.toFixed(1)} ms${calls})`);
  if (outcome.status !== "completed")
    throw new Error(`The afternoon ended early: ${outcome.error?.message ?? outcome.status}`);
  return outcome;
}

const open = () =>
  Session.fromBase(base, { tools: [packageTools(join(root, "node_modules"))], limits: { maxToolCalls: 20_000 } });

{
  await using session = await open();
  say("13:00  A session opens. The agent looks around, calling a tool of the host from Python.");
  told(await session.run(explore));
  say("13:05  Every manifest and every licence file, all calls at once. Only the tally comes back.");
  told(await session.run(aggregate));
  say("13:20  It draws a picture, shows it, and keeps it with the numbers.");
  told(await session.run(draw));
  say("13:40  It worked, so the way to do it is saved as a skill.");
  told(await session.run(keep));
  for (const skill of others) await session.createSkill(skill, { replace: true });
}

{
  await using session = await open();
  say(`15:00  Another session, nothing in its memory. It asks: "${question}"`);
  const found = await session.searchSkills(question, { limit: 3 });
  for (const { name, score, description } of found) console.log(`  | ${score.toFixed(2)}  ${name}: ${description}`);
  const best = found[0]?.name;
  if (best !== "tally_licences") throw new Error(`Search found ${best} instead of tally_licences.`);
  say("15:01  Found. It is invoked with other parameters; no planning, no exploring.");
  told(await session.invokeSkill(best, { scope: "@", top: 3 }));
  say("15:10  The skill becomes a building block of another one.");
  told(await session.run(compose));
  const kept = await session.listArtifacts({ prefix: "afternoon/" });
  const skills = await session.listSkills();
  say("16:00  What is left of the afternoon:");
  const place = relative(process.cwd(), base) || ".";
  for (const { name, bytes, contentType } of kept)
    console.log(`  | ${place}/artifacts/${name}  ${bytes} bytes, ${contentType}`);
  for (const { name, version, signature } of skills)
    console.log(`  | ${place}/skills/${name}.py  version ${version}  ${signature}`);
}

const mb = (hiddenBytes / 1e6).toFixed(2);
say(
  `${toolCalls} tool calls brought ${mb} MB to the cells; the model read ${shownChars} characters. ` +
    `The whole afternoon took ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`,
);
