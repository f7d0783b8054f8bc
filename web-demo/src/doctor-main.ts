/**
 * The page of the storage doctor.
 *
 * @module
 */

import { DoctorPage } from './doctor/doctor-page.js';
import { workOffline } from './offline.js';
import { begin } from './ui/notice.js';

begin(() => new DoctorPage().start());
workOffline();
