export interface ChangeChannel {
  close(): Promise<void>;
}

/** Listens at a channel. `heard` gets scopes that changed, or undefined when the line was made anew and something may have been missed. */
export type OpenChangeChannel = (
  channel: string,
  heard: (scopes: string[] | undefined) => void,
) => Promise<ChangeChannel>;

/** What was sent by the announcer; what somebody else sent there may mean anything. */
export function scopesIn(payload: string | undefined): string[] | undefined {
  try {
    const scopes: unknown = JSON.parse(payload ?? "");
    return Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string") ? scopes : undefined;
  } catch {
    return undefined;
  }
}
