import type { StoreKind } from "artificer/store";

/** Written down again, so that help need not load what knows stores. */
export const storeKinds = ["skills", "tools", "deps", "artifacts", "config"] as const satisfies readonly StoreKind[];
