import type { Config } from "../config/config-schema.js";
import { snapshotKeysOf } from "../session/snapshot-keys.js";
import { chosenStorage } from "../storage/configured-storage.js";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

const name = "snapshots";

/** Whether variables that are kept can be read by other bases that share the storage. Nothing is told of a base that keeps to itself. */
export async function checkSnapshotKey(
  base: string,
  config: Config,
  { storage }: { storage?: string | undefined } = {},
): Promise<DoctorCheck[]> {
  const { key } = config.snapshots;
  if (key === undefined) {
    const isServer = /^(?:postgres(?:ql)?|rediss?):/i.test(chosenStorage(config, base, { url: storage })?.url ?? "");
    return isServer ? [ownKeyAlone] : [];
  }
  const provided = key.find((reference) => "provider" in (config.secrets[reference.slice(2, -1)] ?? {}));
  if (provided !== undefined)
    return [{ name, status: "ok", detail: `the key ${provided} is asked of a provider when a session is opened` }];
  try {
    await snapshotKeysOf({ folder: base, config }, { onSecret: () => {} });
    const older = key.length === 1 ? "" : `; what ${key.slice(1).join(" and ")} signed is read too`;
    return [{ name, status: "ok", detail: `variables are signed with ${key[0]}${older}` }];
  } catch (thrown) {
    return [failedCheck(name, thrown)];
  }
}

const ownKeyAlone: DoctorCheck = {
  name,
  status: "warn",
  detail:
    "variables in this storage are signed with a key of this base alone: a session can't go on from another machine",
  hint: `Give all machines that share it one key: snapshots: { key: "\${ARTIFICER_SNAPSHOT_KEY}" } in config.yaml, of at least 32 bytes.`,
};
