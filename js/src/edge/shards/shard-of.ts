/**
 * Which shard has a partition. `docs/internals/shards.md` has the formula. It must never change,
 * because stored entities are where it says.
 *
 * @module
 */

import { fnv1a } from '../../base/fnv.js';

/**
 * The shard of a partition, from 0.
 *
 * @param table - the name in lower case.
 * @param shards - their number.
 */
export function shardOf(table: string, partitionKey: string, shards: number): number {
  // No key and no name has U+0000.
  const hash = fnv1a(`${table}\0${partitionKey}`);
  return Math.floor((mixed(hash) / 2 ** 32) * shards);
}

// The last step of MurmurHash3: every bit of the input changes every bit of the result.
function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
