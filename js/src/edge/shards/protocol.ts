/**
 * What the parts of an account ask of each other beside the requests of clients: a header of the
 * request.
 *
 * A router takes these headers from the requests of clients, so no client reaches these.
 *
 * @module
 */

/** The header of a request to a catalogue. */
export const CATALOGUE_HEADER = 'x-entitable-catalogue';

/** The header of a request of a catalogue to a shard, and of the answer of a closed shard. */
export const SHARD_HEADER = 'x-entitable-shard';

/**
 * - `open`: how many shards the account has. A new account has so many from now on. The answer is
 *   200 with their number, or 409 with the reason why there are none.
 * - `settle`: finishes what was begun with a table. The answer is 200 if the table exists, else
 *   404, with the number of shards.
 * - `define`: carries out the request of a client that changes this table, or with an empty name
 *   the account.
 * - `reshard`: carries out a request about the number of shards, see `reshard-requests.ts`.
 * - `read`: carries out any other request of a client.
 */
export type CatalogueTask =
  | { readonly kind: 'open'; readonly shards: number }
  | { readonly kind: 'settle' | 'define'; readonly table: string }
  | { readonly kind: 'reshard' | 'read' };

/** The value of the header. */
export function headerOf(task: CatalogueTask): string {
  if (task.kind === 'open') return `open ${task.shards}`;
  return 'table' in task ? `${task.kind} ${encodeURIComponent(task.table)}` : task.kind;
}

/** The task in the value of the header; undefined, if there is none. */
export function taskOf(header: string | null): CatalogueTask | undefined {
  const [kind, text = ''] = (header ?? '').split(' ');
  if (kind === 'reshard' || kind === 'read') return { kind };
  if (kind === 'open') return { kind, shards: Number(text) };
  if (kind === 'settle' || kind === 'define') return { kind, table: decodeURIComponent(text) };
  return undefined;
}

/** Whether a request asks a catalogue for {@link CatalogueTask} `reshard`. */
export const isReshardTask = ({ headers }: Pick<Request, 'headers'>): boolean =>
  taskOf(headers.get(CATALOGUE_HEADER))?.kind === 'reshard';

/**
 * Which requests of clients a shard takes: all; those that read, while its entities are copied; or
 * none, because they are in other shards.
 */
export type GateState = 'open' | 'reading' | 'closed';

const STATES: readonly GateState[] = ['open', 'reading', 'closed'];

/** The state in a text; undefined, if it is none. */
export const gateStateOf = (text: string | null): GateState | undefined =>
  STATES.find((state) => state === text);

/**
 * What a catalogue wants of a shard, as the value of {@link SHARD_HEADER}: a state of its gate, or
 *
 * - `own`: the shard carries out the request, whatever its gate is.
 * - `fill`: it does so only while it is closed to clients.
 * - `empty`: it closes, and deletes everything that it stores.
 */
export type ShardTask = GateState | 'own' | 'fill' | 'empty';

/** Answers requests: a Durable Object, a server, or a handler in the same process. */
export type Backend = (request: Request) => Promise<Response>;
