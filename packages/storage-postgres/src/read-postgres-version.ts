import pg from "pg";

/** What a server calls itself, such as `PostgreSQL 15.8`; undefined when it can't be asked. */
export async function readPostgresVersion(options: { url: string; waitMs?: number }): Promise<string | undefined> {
  const { url, waitMs = 15_000 } = options;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: waitMs, query_timeout: waitMs });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    return `PostgreSQL ${rows[0]?.server_version.split(" ")[0]}`;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}
