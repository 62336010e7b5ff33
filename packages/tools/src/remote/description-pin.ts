import type { DescriptionCache } from "../mcp/description-cache.js";
import { type DescriptionChange, describeChange } from "../mcp/description-change.js";
import { descriptionHash, type ServerDescription } from "../mcp/server-description.js";

/** Where a description is pinned, and who is told of what differs from it. */
export interface DescriptionPinOptions {
  /** Where the descriptions are kept that are taken for good: the first one seen, then those accepted. */
  pins?: DescriptionCache;
  /** Told when something is described otherwise than what is pinned. */
  onChanged?: (change: DescriptionChange) => void;
  onWarning?: (message: string) => void;
}

/** A description, held against the one that was taken for good. */
export interface DescriptionPin {
  /** The hash by which the description is pinned. */
  readonly hash: string;
  /** Takes what is described now for good. @returns whether that is anything new. */
  accept(): Promise<boolean>;
}

/**
 * Pins a description when it is first seen, and tells what differs from the pinned one.
 *
 * @param key under which it is pinned
 */
export async function pinDescription(
  toolkit: string,
  { key, description }: { key: string; description: ServerDescription },
  { pins, onChanged, onWarning }: DescriptionPinOptions,
): Promise<DescriptionPin> {
  let pinned = await pins?.load(key);
  const pin = async () => {
    pinned = description;
    await pins?.save(key, description).catch((error: unknown) => {
      onWarning?.(`${toolkit}: its description can't be kept: ${error instanceof Error ? error.message : error}`);
    });
  };
  const difference = () => (pinned === undefined ? undefined : describeChange(toolkit, pinned, description));
  if (pins !== undefined && pinned === undefined) await pin();
  const change = difference();
  if (change !== undefined) onChanged?.(change);
  return {
    hash: descriptionHash(description),
    async accept() {
      if (pins === undefined || difference() === undefined) return false;
      await pin();
      return true;
    },
  };
}
