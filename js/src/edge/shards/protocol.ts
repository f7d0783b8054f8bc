/**
 * What a router asks of a catalogue beside the requests of clients: a header of the request.
 *
 * A router overwrites the header of a client, so no client reaches these.
 *
 * @module
 */

/** The name of the header. */
export const CATALOGUE_HEADER = 'x-entitable-catalogue';

/**
 * - `open`: whether the account has so many shards. A new account has them from now on. The answer
 *   is 200, or 409 with the reason.
 * - `settle`: finishes what was begun with a table. The answer is 200 if the table exists, else
 *   404.
 * - `define`: carries out the request of a client that changes this table, or with an empty name
 *   the account.
 * - `read`: carries out any other request of a client.
 */
export type CatalogueTask =
  | { readonly kind: 'open'; readonly shards: number }
  | { readonly kind: 'settle' | 'define'; readonly table: string }
  | { readonly kind: 'read' };

/** The value of the header. */
export function headerOf(task: CatalogueTask): string {
  if (task.kind === 'read') return task.kind;
  if (task.kind === 'open') return `open ${task.shards}`;
  return `${task.kind} ${encodeURIComponent(task.table)}`;
}

/** The task in the value of the header; undefined, if there is none. */
export function taskOf(header: string | null): CatalogueTask | undefined {
  const [kind, text = ''] = (header ?? '').split(' ');
  if (kind === 'read') return { kind };
  if (kind === 'open') return { kind, shards: Number(text) };
  if (kind === 'settle' || kind === 'define') return { kind, table: decodeURIComponent(text) };
  return undefined;
}
