/**
 * The page of an encrypted store.
 *
 * @module
 */

import { workOffline } from './offline.js';
import { begin } from './ui/notice.js';
import { VaultPage } from './vault/vault-page.js';

begin(() => new VaultPage().start());
workOffline();
