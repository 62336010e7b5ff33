import { startOwnPostgres } from "@artificer/testkit/services";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { openPostgresStorage } from "./dist/index.js";
import { openPgliteStorage } from "./dist/pglite/index.js";

const [kind, countText, dimsText = "512", noise = "1"] = process.argv.slice(2);
const count = Number(countText),
  dims = Number(dimsText);
// vectors as embeddings are: low intrinsic dimension subjects plus noise
let state = 42;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const gauss = () => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
const latent = 24;
const basis = Array.from({ length: latent }, () => Float32Array.from({ length: dims }, gauss));
const make = () => {
  const v = new Float32Array(dims);
  for (const b of basis) {
    const w = gauss();
    for (let i = 0; i < dims; i++) v[i] += w * b[i];
  }
  for (let i = 0; i < dims; i++) v[i] += gauss() * Number(noise);
  let n = 0;
  for (const x of v) n += x * x;
  n = Math.sqrt(n);
  return v.map((x) => x / n);
};
const all = Array.from({ length: count }, make);
const queries = Array.from({ length: 60 }, make);
let server, storage, sql;
if (kind === "native") {
  server = await startOwnPostgres();
  storage = await openPostgresStorage({ url: server.url });
  const pool = new pg.Pool({ connectionString: server.url });
  sql = async (t) => (await pool.query(t)).rows;
  globalThis.end = () => pool.end();
} else {
  const { vector } = await import("@electric-sql/pglite-pgvector");
  const client = await PGlite.create({ extensions: { vector } });
  storage = await openPgliteStorage({ client });
  sql = async (t) => (await client.query(t)).rows;
  globalThis.end = () => client.close();
}
const t0 = performance.now();
for (let i = 0; i < count; i += 1000)
  await storage.vectors.put(
    "s",
    all.slice(i, i + 1000).map((vector, at) => ({ id: `v${i + at}`, vector })),
  );
console.log(kind, count, dims, "put all s", ((performance.now() - t0) / 1000).toFixed(1));
await sql("ANALYZE");
const p50 = (xs) => [...xs].sort((a, b) => a - b)[xs.length >> 1].toFixed(2);
const exactTimes = [];
const truth = queries.map((q) => {
  const t = performance.now();
  const s = new Float32Array(count);
  for (let r = 0; r < count; r++) {
    const v = all[r];
    let x = 0;
    for (let i = 0; i < dims; i++) x += v[i] * q[i];
    s[r] = x;
  }
  exactTimes.push(performance.now() - t);
  return [...s.keys()].sort((a, b) => s[b] - s[a]);
});
for (const limit of [10, 100, 400]) {
  const times = [];
  let found = 0;
  for (const [n, q] of queries.entries()) {
    const t = performance.now();
    const hits = await storage.vectors.nearest("s", q, { limit });
    times.push(performance.now() - t);
    const ids = new Set(hits.map((h) => h.id));
    found += truth[n].slice(0, 10).filter((i) => ids.has(`v${i}`)).length / 10;
    if (hits.length !== limit) console.log("short", hits.length);
  }
  console.log("limit", limit, "p50 ms", p50(times), "recall of top 10", (found / queries.length).toFixed(3));
}
console.log(
  "sizes",
  await sql(
    "select indexrelname, pg_size_pretty(pg_relation_size(indexrelid)) size from pg_stat_user_indexes where indexrelname like 'vectors_%'",
  ),
  await sql("select pg_size_pretty(pg_table_size('artificer.vectors')) as table"),
);
await sql("update artificer.vector_sets set indexed=false");
{
  const times = [];
  for (const q of queries.slice(0, 15)) {
    const t = performance.now();
    await storage.vectors.nearest("s", q, { limit: 10 });
    times.push(performance.now() - t);
  }
  console.log("server exact p50 ms", p50(times));
}
if (process.argv[6] === "build")
  for (const [n, e] of [
    ["halfvec", `("vector"::halfvec(${dims})) halfvec_cosine_ops`],
    ["vector", `("vector"::vector(${dims})) vector_cosine_ops`],
  ]) {
    await sql("drop index if exists artificer.vectors_set_1");
    const t = performance.now();
    await sql(`create index x on artificer.vectors using hnsw (${e}) where "set" = 1`);
    console.log(
      "build",
      n,
      ((performance.now() - t) / 1000).toFixed(1),
      "s",
      await sql("select pg_size_pretty(pg_relation_size('artificer.x')) size"),
    );
    await sql("drop index artificer.x");
  }
console.log("js naive scan p50", p50(exactTimes));
await storage.close();
await globalThis.end();
await server?.stop();
