/**
 * The demo page: the Azure Table service in a web page, and real data to play with.
 *
 * @module
 */

import { App } from './app.js';

void new App().start();
