/**
 * The page with the explorer of an account in the cloud.
 *
 * @module
 */

import { workOffline } from './offline.js';
import { RemotePage } from './remote/remote-page.js';

new RemotePage();
workOffline();
