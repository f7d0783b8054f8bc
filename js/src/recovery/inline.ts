/**
 * `entitable/recovery` with the WebAssembly module inside, as text.
 *
 * @module
 */

import { moduleOfText } from '../core/module-text.js';
import type { PageStorage } from '../storage/page-storage.js';
import type { Finding } from './finding.js';
import { repairWith, verifyWith, type RecoveryOptions, type Repaired } from './shared.js';

export type * from '../recovery.js';

const inside = { source: moduleOfText(() => import('#entitable-verify-text')) };

/** `verify` of `entitable/recovery`, with the module of this entry. */
export function verify(storage: PageStorage, options?: RecoveryOptions): Promise<Finding[]> {
  return verifyWith(inside, storage, options);
}

/** `repair` of `entitable/recovery`, with the module of this entry. */
export function repair(storage: PageStorage, options?: RecoveryOptions): Promise<Repaired> {
  return repairWith(inside, storage, options);
}
