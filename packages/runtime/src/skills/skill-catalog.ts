import { ArtificerError, type JsonObject, type Language, type Storage, storageKey } from "@artificer/protocol";
import { createChangeGuard } from "../search/stored/change-guard.js";
import { listRecords } from "../search/stored/list-records.js";
import { inParallel } from "../snapshots/in-parallel.js";
import { brokenEntry, entryOf } from "./entry-of.js";
import { hashOf } from "./hash-of.js";
import { type AnalyzeSource, type Inspection, inspectSkill } from "./inspect-skill.js";
import { type SkillEntry, skillEntry } from "./skill-entry.js";
import { type SkillFile, type SkillFiles, skillsPrefix } from "./skill-files.js";
import { isSkillName } from "./skill-name.js";

const folder = "skill-index";

/** Files that are looked at together: a store that somebody filled with thousands is not read one by one. */
const filesAtOnce = 16;

/** Texts kept in memory, so that what was just read is not read again. */
const maxTexts = 200;

export interface SkillCatalogOptions {
  storage: Storage;
  files: SkillFiles;
  analyze: AnalyzeSource;
  maxBytes: number;
  /** Told once of what is left out or could not be kept. */
  onProblem: (message: string) => void;
}

/** What every skill's file says, kept in records by the file's revision: a file is read and analysed once, whoever changed it. */
export interface SkillCatalog {
  /** Another number whenever an entry was added, replaced or removed. */
  readonly changes: number;
  /** Looks at what changed in storage. @returns every skill, by name. */
  refresh(signal?: AbortSignal): Promise<ReadonlyMap<string, SkillEntry>>;
  /** The same for one skill, without listing the others. */
  refreshOne(name: string): Promise<SkillEntry | undefined>;
  /** Takes in a file that was just written, known to be fine. */
  take(file: SkillFile, text: string, inspection: Inspection, version: number): Promise<SkillEntry>;
  text(entry: SkillEntry): Promise<string | undefined>;
}

export async function openSkillCatalog(options: SkillCatalogOptions): Promise<SkillCatalog> {
  const { storage, files, analyze, maxBytes, onProblem } = options;
  const entries = new Map<string, SkillEntry>();
  let changes = 0;
  const guard = createChangeGuard(storage, skillsPrefix);
  const texts = new Map<string, { revision: string; text: string }>();
  for (const { value } of await listRecords(storage.records, `${folder}/`)) {
    // What an older version wrote, or what is damaged, is read from the file again.
    const entry = skillEntry.safeParse(value);
    if (entry.success) entries.set(entry.data.name, entry.data);
  }

  /** Keeps an entry for later sessions; a store that can't be written to costs only time. */
  async function keep(entry: SkillEntry): Promise<void> {
    entries.set(entry.name, entry);
    changes++;
    if (entry.problem?.passing || !isSkillName(entry.name)) return;
    await quietly(() => storage.records.put(storageKey(`${folder}/${entry.name}`), entry as unknown as JsonObject));
  }

  /** Another process may have read this very file already. */
  async function takeOver(file: SkillFile): Promise<boolean> {
    if (!isSkillName(file.name)) return false;
    const { data } = skillEntry.safeParse((await storage.records.get(storageKey(`${folder}/${file.name}`)))?.value);
    if (data?.revision !== file.info.revision || data.language !== file.language) return false;
    entries.set(file.name, data);
    changes++;
    return true;
  }

  async function forget(name: string): Promise<void> {
    if (!entries.delete(name)) return;
    changes++;
    texts.delete(name);
    if (isSkillName(name)) await quietly(() => storage.records.delete(storageKey(`${folder}/${name}`)));
  }

  async function quietly(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!ArtificerError.is(error)) throw error;
      onProblem(`What is known of skills could not be stored and is read again in the next session: ${error.message}`);
    }
  }

  async function update(file: SkillFile, unavailable: Map<Language, Inspection["unavailable"]>): Promise<void> {
    const known = entries.get(file.name);
    const current = known?.revision === file.info.revision && known.language === file.language;
    if (current && !known.problem?.passing) return;
    if (!current && (await takeOver(file))) return;
    if (file.info.size > maxBytes) return keep(brokenEntry(file, "", 0, tooLarge(file.info.size, maxBytes)));
    const read = current ? await textOf(known, file) : await readNew(file);
    if (read === undefined) return forget(file.name);
    const hash = hashOf(read.text);
    const inspection = await inspect(file.language, read.text, unavailable);
    const version = current ? known.version : await versionOf(file, read.text, inspection);
    await keep(entryOf({ ...file, info: read.info }, hash, version, inspection));
  }

  /** Once a language's tooling was missing, the other skills of this round are not tried in vain. */
  async function inspect(language: Language, text: string, unavailable: Map<Language, Inspection["unavailable"]>) {
    const reason = unavailable.get(language);
    const inspection = await inspectSkill(language, text, async (...args) => {
      if (reason !== undefined) throw new ArtificerError("executor/unavailable", reason.message, { hint: reason.hint });
      return analyze(...args);
    });
    if (inspection.unavailable !== undefined && reason === undefined) unavailable.set(language, inspection.unavailable);
    return reason === undefined || inspection.unavailable === undefined
      ? inspection
      : { ...inspection, unavailable: reason };
  }

  function remember(name: string, revision: string, text: string): void {
    texts.delete(name);
    texts.set(name, { revision, text });
    for (const oldest of texts.keys()) if (texts.size > maxTexts) texts.delete(oldest);
  }

  async function readNew(file: SkillFile) {
    const read = await files.read(file);
    if (read !== undefined) remember(file.name, read.info.revision, read.text);
    return read;
  }

  async function textOf(entry: SkillEntry, file: SkillFile) {
    const kept = texts.get(entry.name);
    if (kept?.revision === file.info.revision) return { info: file.info, text: kept.text };
    return readNew(file);
  }

  /**
   * A text that nobody saved through us becomes a version of its own, unless it is one already. Not only the newest counts:
   * a version is claimed a moment before its text becomes current.
   */
  async function versionOf(file: SkillFile, text: string, inspection: Inspection): Promise<number> {
    if (!isSkillName(file.name)) return 1;
    const versions = await files.versions(file.name);
    const hash = hashOf(text);
    const same = versions.findLast((candidate) => candidate.hash === hash && candidate.language === file.language);
    if (same !== undefined) return same.version;
    const version = Math.max((versions.at(-1)?.version ?? 0) + 1, inspection.matter.version ?? 1);
    let taken = false;
    await quietly(async () => {
      try {
        await files.writeVersion(file.name, file.language, version, text);
      } catch (error) {
        if (!ArtificerError.is(error, "storage/conflict")) throw error;
        taken = true;
      }
    });
    // Another process saw the same edit first, or another one: look again.
    return taken ? versionOf(file, text, inspection) : version;
  }

  async function reconcile(found: readonly SkillFile[]): Promise<void> {
    const unavailable = new Map<Language, Inspection["unavailable"]>();
    const seen = new Set<string>();
    const wanted = found.filter((file) => {
      const isFirst = !seen.has(file.name);
      seen.add(file.name);
      if (!isFirst)
        onProblem(
          `There are two skills named ${file.name}; the ${file.language} one is left out. Rename or delete one of the files.`,
        );
      return isFirst;
    });
    await inParallel(wanted, filesAtOnce, (file) => update(file, unavailable));
  }

  async function look(): Promise<void> {
    const { files: found, strays } = await files.list();
    for (const key of strays)
      onProblem(
        `${key} is left out: a skill is a file directly in the skills folder, such as skills/collect_licences.py.`,
      );
    await reconcile(found);
    const present = new Set(found.map(({ name }) => name));
    for (const name of [...entries.keys()]) if (!present.has(name)) await forget(name);
  }

  // Every search asks: ten thousand entries are looked through only when one of them is another.
  let passing: { of: number; found: boolean } | undefined;
  function hasPassingProblem(): boolean {
    if (passing?.of === changes) return passing.found;
    let found = false;
    for (const { problem } of entries.values()) found ||= problem?.passing === true;
    passing = { of: changes, found };
    return found;
  }

  // One look at a time: two at once would read the same files twice.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work, work);
    last = result.catch(() => {});
    return result;
  }

  return {
    get changes() {
      return changes;
    },
    refresh: (signal) =>
      inTurn(async () => {
        // What failed through no fault of the file is tried again though the file is the same.
        if (hasPassingProblem()) await look();
        else await guard.ifChanged(look, { signal });
        return entries;
      }),
    refreshOne: (name) =>
      inTurn(async () => {
        const found = await files.find(name);
        await reconcile(found);
        if (found.length === 0) await forget(name);
        return entries.get(name);
      }),
    take: (file, text, inspection, version) =>
      inTurn(async () => {
        const entry = entryOf(file, hashOf(text), version, inspection);
        remember(file.name, file.info.revision, text);
        await keep(entry);
        return entry;
      }),
    async text(entry) {
      const kept = texts.get(entry.name);
      if (kept?.revision === entry.revision) return kept.text;
      const file = (await files.find(entry.name)).find(({ language }) => language === entry.language);
      return file && (await readNew(file))?.text;
    },
  };
}

function tooLarge(bytes: number, maxBytes: number): ArtificerError {
  return new ArtificerError("skill/too-large", `The skill has ${bytes} bytes; ${maxBytes} are allowed.`, {
    details: { bytes, maxBytes },
    hint: "Move data into an artifact, and parts that stand alone into skills of their own.",
  });
}
