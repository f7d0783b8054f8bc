/**
 * The page of sync.
 *
 * @module
 */

import { SyncPage } from './sync/sync-page.js';
import { begin } from './ui/notice.js';

begin(() => new SyncPage().start());
