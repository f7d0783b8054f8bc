/**
 * `entitable/recovery` with the WebAssembly module inside, as text.
 *
 * @module
 */

import { moduleOfText } from '../core/module-text.js';
import type { PageStorage } from '../storage/page-storage.js';
import type { Finding } from './finding.js';
import { salvageWith, verifyWith, type RecoveryOptions, type Salvaged } from './shared.js';

export type * from '../recovery.js';

const inside = { source: moduleOfText(() => import('#entitable-verify-text')) };

/** `verify` of `entitable/recovery`, with the module of this entry. */
export function verify(storage: PageStorage, options?: RecoveryOptions): Promise<Finding[]> {
  return verifyWith(inside, storage, options);
}

/** `salvage` of `entitable/recovery`, with the module of this entry. */
export function salvage(storage: PageStorage, options?: RecoveryOptions): Promise<Salvaged> {
  return salvageWith(inside, storage, options);
}
