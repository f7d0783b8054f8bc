/**
 * The page with a form that is bound to a declared table.
 *
 * @module
 */

import { FormPage } from './form/form-page.js';
import { workOffline } from './offline.js';
import { begin } from './ui/notice.js';

begin(() => new FormPage().start());
workOffline();
