// broken-storages.ts - storages that break the contract, one rule each, and the checks that must
// catch them.

import { BROKEN_COMMITS } from './broken-storages/commits.js';
import { BROKEN_COPIES } from './broken-storages/copies.js';
import { BROKEN_EXCLUSIVE } from './broken-storages/exclusive.js';
import { BROKEN_LIFE } from './broken-storages/life.js';
import { BROKEN_LONG_VALUES } from './broken-storages/long-values.js';
import { BROKEN_OVERLAPS } from './broken-storages/overlaps.js';
import { BROKEN_READS } from './broken-storages/reads.js';

export { BROKEN_VALUE_BYTES } from './broken-storages/long-values.js';

export const BROKEN_STORAGES = [
  ...BROKEN_COMMITS,
  ...BROKEN_COPIES,
  ...BROKEN_EXCLUSIVE,
  ...BROKEN_LIFE,
  ...BROKEN_LONG_VALUES,
  ...BROKEN_OVERLAPS,
  ...BROKEN_READS,
];
