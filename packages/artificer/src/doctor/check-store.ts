import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { Config } from "../config/config-schema.js";
import { chosenStorage, holdsPassword } from "../storage/configured-storage.js";
import { addressOf, driver, openStorageAt } from "../storage/open-storage.js";
import type { StorageAddress } from "../storage/storage-address.js";
import { checkStorage } from "./check-storage.js";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";
import { howVectorsAreKept } from "./how-vectors-are-kept.js";

const name = "storage";

export interface CheckStoreOptions {
  /** The storage's URL, in place of the configuration's. */
  storage?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Whether the storage that a base's sessions work with is there, which one it is, and what it lacks. Makes no tables and no folder. */
export async function checkStore(
  base: string,
  config: Config,
  { storage: url, signal }: CheckStoreOptions = {},
): Promise<DoctorCheck[]> {
  const chosen = chosenStorage(config, base, { url });
  if (chosen === undefined) return [await checkStorage(base)];
  const checks = holdsPassword(config) ? [passwordInFile] : [];
  try {
    const address = await addressOf(chosen.url, chosen.options);
    if ("folder" in address && !existsSync(address.folder)) {
      return [
        ...checks,
        { name, status: "warn", detail: `${address.location} is not there yet; the first session makes it` },
      ];
    }
    const { storage, location } = await openStorageAt(chosen.url, { ...chosen.options, migrate: false });
    try {
      const page = await storage.blobs.list("skills/", { limit: 1000, signal });
      await storage.records.list("", { limit: 1, signal });
      const version = await versionOf(address);
      const skills = `${page.items.length}${page.cursor === undefined ? "" : " or more"} skills`;
      const detail = [
        `${location} answers`,
        ...(version === undefined ? [] : [version]),
        partOf(address),
        skills,
      ].filter(Boolean);
      checks.push({
        name,
        status: "ok",
        detail: `${detail.join(", ")}; ${howVectorsAreKept(storage, config.embeddings.max_in_memory)}`,
      });
    } finally {
      await storage.close();
    }
  } catch (thrown) {
    if (ArtificerError.is(thrown, "storage/unavailable") && thrown.details.missing !== undefined) {
      const hint = "The first session makes them, or `artificer store migrate` as a role that may.";
      return [
        ...checks,
        { name, status: config.storage?.migrate === false ? "fail" : "warn", detail: thrown.message, hint },
      ];
    }
    return [...checks, failedCheck(name, thrown)];
  }
  const left = leftBehind(base);
  if (left.length > 0) {
    checks.push({
      name,
      status: "warn",
      detail: `${left.length} skills in ${join(base, "skills")} are not in use: sessions keep theirs elsewhere`,
      hint: "Bring them over: artificer store push",
    });
  }
  return checks;
}

async function versionOf(address: StorageAddress): Promise<string | undefined> {
  if (address.kind === "redis") {
    const { readRedisVersion } = await driver("@artificer/storage-redis", () => import("@artificer/storage-redis"));
    return readRedisVersion({ url: address.url });
  }
  if (address.kind !== "postgres") return undefined;
  const { readPostgresVersion } = await driver(
    "@artificer/storage-postgres",
    () => import("@artificer/storage-postgres"),
  );
  return readPostgresVersion({ url: address.url });
}

function partOf(address: StorageAddress): string {
  if (address.kind === "redis") return `prefix ${address.prefix ?? "artificer"}`;
  return "tenant" in address || address.kind === "postgres" || address.kind === "pglite"
    ? `tenant ${address.tenant ?? "default"} in schema ${address.schema ?? "artificer"}`
    : "";
}

function leftBehind(base: string): string[] {
  const folder = join(base, "skills");
  return existsSync(folder) ? readdirSync(folder).filter((file) => /^[a-z]\w*\.(?:py|ts)$/.test(file)) : [];
}

const passwordInFile: DoctorCheck = {
  name: "config",
  status: "warn",
  detail: "a password stands in the storage's URL in config.yaml",
  hint: "Put a dollar sign and {NAME} in its place, and set the variable NAME or name a secret under secrets:.",
};
