/**
 * Requests of a catalogue to its shards.
 *
 * @module
 */

import { SHARD_HEADER, type ShardTask } from './protocol.js';
import type { Backend } from './protocol.js';

/** The same shard for requests with this task. */
export const askedTo =
  (task: ShardTask, shard: Backend): Backend =>
  (request) => {
    const headers = new Headers(request.headers);
    headers.set(SHARD_HEADER, task);
    return shard(new Request(request, { headers }));
  };
