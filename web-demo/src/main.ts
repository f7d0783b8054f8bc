/**
 * The demo page: the Azure Table service in a web page, and real data to play with.
 *
 * @module
 */

import { App } from './app.js';
import { workOffline } from './offline.js';
import { begin } from './ui/notice.js';

begin(() => new App().start());
workOffline();
