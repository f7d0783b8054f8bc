/**
 * The page of live views.
 *
 * @module
 */

import { LivePage } from './live/live-page.js';
import { workOffline } from './offline.js';
import { begin } from './ui/notice.js';

begin(() => new LivePage().start());
workOffline();
