import { buildRouteMap } from "@stricli/core";
import { ownNames } from "../own-names.js";
import { bootstrapCommand } from "./store/bootstrap.js";
import { diffCommand } from "./store/diff.js";
import { exportCommand } from "./store/export.js";
import { gcCommand } from "./store/gc.js";
import { importCommand } from "./store/import.js";
import { lsCommand } from "./store/ls.js";
import { migrateCommand } from "./store/migrate.js";
import { pullCommand } from "./store/pull.js";
import { pushCommand } from "./store/push.js";
import { syncCommand } from "./store/sync.js";
import { verifyCommand } from "./store/verify.js";

export const storeRoutes = buildRouteMap({
  routes: ownNames({
    ls: lsCommand,
    bootstrap: bootstrapCommand,
    push: pushCommand,
    pull: pullCommand,
    diff: diffCommand,
    sync: syncCommand,
    export: exportCommand,
    import: importCommand,
    migrate: migrateCommand,
    verify: verifyCommand,
    gc: gcCommand,
  }),
  aliases: ownNames({ list: "ls" as const }),
  docs: {
    brief: "Stores: copy, compare, back up, check",
    fullDescription: `A store is a folder, file:DIR, postgres://…, pglite:DIR, redis:// or rediss://…; ?tenant=, ?schema= and ?prefix= choose a part of
a server, and \${NAME} stands for a secret of config.yaml or a variable, so that no password need be typed.

  artificer store push 'redis://agent:\${REDIS_PASSWORD}@host:6379?prefix=acme'
  artificer store diff
  artificer store export backup.tar.gz

Exit codes: 0 done, 2 wrong usage, or an import left something out, 4 something changed on both sides and was left, 5 what looks like a secret was
left, 7 a driver is missing or a store is read-only, 8 a store failed or verify found damage.`,
  },
});
