/**
 * Merges the pages of shards into one page, in key order.
 *
 * @module
 */

import { forEachAtOnce } from '../../base/at-once.js';
import { isBefore, type Key } from './token.js';

/** A page of a shard. */
export interface ShardPage {
  readonly entities: readonly string[];
  /** Of each entity. */
  readonly keys: readonly Key[];
  /** Where its next page begins; undefined, if it was the last one. */
  readonly next: Key | undefined;
}

/** The page of all shards. */
export interface MergedPage {
  readonly entities: readonly string[];
  readonly next: Key | undefined;
}

/** Gets at most `top` entities of a shard. Without a key, from where the client's page begins. */
export type AskShard = (shard: number, top: number, from: Key | undefined) => Promise<ShardPage>;

// Shards that are asked at the same time. Each may send 4 MiB and an entity.
const AT_ONCE = 6;

// A page ends earlier than at its most entities if they are longer: the limit of one account.
const MAX_PAGE_LENGTH = 4 * 2 ** 20;

// What all shards together may keep, in UTF-16 units, beside one answer each.
const MAX_KEPT_LENGTH = 4 * MAX_PAGE_LENGTH;

/**
 * Asks shards until the page is full or complete. A page of a shard that is shorter than asked, and
 * yet not the last, has cost the shard much work, so the merged page ends there, too.
 */
export async function mergePages(shards: number, top: number, ask: AskShard): Promise<MergedPage> {
  const sources = await firstPages(shards, top, ask);
  const entities: string[] = [];
  let length = 0;
  for (;;) {
    const source = leastOf(sources);
    const place = source?.place;
    if (!source || !place) return { entities, next: undefined };
    const isFull = entities.length === top || length > MAX_PAGE_LENGTH;
    if (isFull || (source.isEmpty && source.isShort)) return { entities, next: place };
    if (source.isEmpty) {
      await source.goOn(top - entities.length);
    } else {
      const entity = source.take();
      length += entity.length;
      entities.push(entity);
    }
  }
}

async function firstPages(shards: number, top: number, ask: AskShard): Promise<Source[]> {
  const sources = Array.from({ length: shards }, (_, shard) => new Source(shard, ask));
  const share = shareOf(top, shards);
  let kept = 0;
  let count = 0;
  await forEachAtOnce(sources, AT_ONCE, async (source) => {
    // Of long entities, shards are asked for fewer.
    const fitting = kept === 0 ? share : (MAX_KEPT_LENGTH * count) / (kept * shards);
    await source.goOn(Math.max(1, Math.min(share, Math.floor(fitting))));
    kept += source.length;
    count += source.count;
  });
  return sources;
}

// What a shard has of a page of `top` entities, with room for chance: three standard deviations.
function shareOf(top: number, shards: number): number {
  const mean = top / shards;
  return Math.min(top, Math.ceil(mean + 3 * Math.sqrt(mean)) + 1);
}

function leastOf(sources: readonly Source[]): Source | undefined {
  let least: Source | undefined;
  for (const source of sources) {
    if (source.place && (!least?.place || isBefore(source.place, least.place))) least = source;
  }
  return least;
}

/** The entities of one shard, in key order. */
class Source {
  readonly #shard: number;
  readonly #ask: AskShard;
  #page: ShardPage = { entities: [], keys: [], next: undefined };
  #at = 0;
  #asked = 0;

  constructor(shard: number, ask: AskShard) {
    this.#shard = shard;
    this.#ask = ask;
  }

  /** The key of the next entity, or where its next page begins; undefined at the end. */
  get place(): Key | undefined {
    return this.#page.keys[this.#at] ?? this.#page.next;
  }

  get isEmpty(): boolean {
    return this.#at === this.#page.entities.length;
  }

  get isShort(): boolean {
    return this.#page.entities.length < this.#asked;
  }

  get count(): number {
    return this.#page.entities.length;
  }

  /** Of its page. */
  get length(): number {
    return this.#page.entities.reduce((sum, { length }) => sum + length, 0);
  }

  take(): string {
    return this.#page.entities[this.#at++]!;
  }

  /** Gets the next page: twice as long as the last one, if so many are missing. */
  async goOn(missing: number): Promise<void> {
    this.#asked = this.#asked === 0 ? missing : Math.min(2 * this.#asked, missing);
    this.#page = await this.#ask(this.#shard, this.#asked, this.#page.next);
    this.#at = 0;
  }
}
