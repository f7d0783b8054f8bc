/**
 * The demo page: the Azure Table service in a web page, and real data to play with.
 *
 * @module
 */

import { workOffline } from './offline.js';
import { StaticPage } from './static-page.js';
import { begin } from './ui/notice.js';

begin(() => new StaticPage().start());
workOffline();
