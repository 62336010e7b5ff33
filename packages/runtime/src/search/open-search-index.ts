import { ArtificerError, type Embedder, type Storage, storageKey } from "@artificer/protocol";
import { createCorpus } from "./corpus.js";
import { createLearnedQueries } from "./learned-queries.js";
import { createMeaning } from "./meaning.js";
import type { SearchIndex } from "./search-index.js";
import type { SearchLimits } from "./search-limits.js";

export interface SearchIndexOptions extends SearchLimits {
  storage: Storage;
  /** Keeps what is stored apart from other indexes, e.g. `skills`. */
  namespace: string;
  /** Without one, documents are found by their words alone. */
  embedder?: Embedder;
  /** Whether all who use the namespace have the same documents, so that the vectors of those that are gone can be deleted. Default false. */
  sameForAll?: boolean;
  /** Told of what works less than fully, once each. */
  onProblem?: (message: string) => void;
}

const defaultLimit = 10;
const defaultMaxInMemory = 20_000;

/**
 * An index that ranks by words, meaning and use. Vectors and learned queries are kept in storage, so that a later session
 * embeds only what is new. When the embedder fails, words alone decide, a notice says so, and the next call tries again.
 */
export async function openSearchIndex(options: SearchIndexOptions): Promise<SearchIndex> {
  const { storage, namespace, embedder, maxInMemory = defaultMaxInMemory, sameForAll = false, onProblem } = options;
  if (!Number.isInteger(maxInMemory) || maxInMemory < 0) throw badLimit(maxInMemory);
  const prefix = storageKey(`search/${namespace}`);
  const notices: string[] = [];
  const notice = (message: string) => {
    if (notices.includes(message)) return;
    notices.push(message);
    onProblem?.(message);
  };
  const ownsVectors = sameForAll && storage.vectors !== undefined && embedder !== undefined;
  const corpus = createCorpus({ keepsGone: ownsVectors });
  const learned = createLearnedQueries(storage, `${prefix}/learned`);
  const takeNews = async (signal?: AbortSignal) => {
    for (const [id, queries] of await learned.news({ signal })) corpus.learn(id, queries);
  };
  await takeNews();
  const meaning = createMeaning({
    storage,
    prefix: `${prefix}/vectors`,
    embedder,
    corpus,
    maxInMemory,
    ownsVectors,
    onProblem: notice,
  });

  return {
    notices,
    async sync(documents, { signal } = {}) {
      const [current] = await Promise.all([documents, takeNews(signal)]);
      corpus.replace(current);
      await meaning.update(signal);
    },
    async search(query, { limit = defaultLimit, signal } = {}) {
      signal?.throwIfAborted();
      const { vector, served } = await meaning.ofQuery(query, { limit, signal });
      return corpus.rank(query, vector, { limit, served });
    },
    prepare: ({ text }, { signal } = {}) => meaning.prepare(text, "document", signal),
    async learn(id, query) {
      await meaning.prepare(learned.textOf(query), "query");
      corpus.learn(id, await learned.add(id, query));
      await meaning.update();
    },
  };
}

function badLimit(maxInMemory: number): ArtificerError {
  return new ArtificerError(
    "usage/invalid-argument",
    `\`maxInMemory\` of a search must be a whole number from 0, not ${maxInMemory}.`,
    { details: { field: "maxInMemory" } },
  );
}
