// open.ts - opens a database in Deno.

import type { DenoKvLike } from '../../../../js/src/storage/deno-kv.js';

export interface OpenKv extends DenoKvLike {
  close(): void;
}

export const openKv = (path: string): Promise<OpenKv> =>
  (globalThis as unknown as { Deno: { openKv(path: string): Promise<OpenKv> } }).Deno.openKv(path);
