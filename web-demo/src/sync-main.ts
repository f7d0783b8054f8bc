/**
 * The page of sync.
 *
 * @module
 */

import { workOffline } from './offline.js';
import { SyncPage } from './sync/sync-page.js';
import { begin } from './ui/notice.js';

begin(() => new SyncPage().start());
workOffline();
