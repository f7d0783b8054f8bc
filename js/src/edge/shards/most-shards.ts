/**
 * Over how many objects an account can be spread.
 *
 * @module
 */

/**
 * A change of a table needs two requests for each shard, and the platform allows 1,000 for each
 * request of a client.
 */
export const MAX_SHARDS = 400;
