/**
 * Parts of the tables of an app that come with the account.
 *
 * @module
 */

import type { liveAggregateOf, liveCountOf, liveEntitiesOf } from '../live/live-entities.js';
import type { subscribeTo } from '../live/subscribe.js';

/**
 * What follows a table, and scripts that are loaded at their first use. The account brings it: an
 * app has it anyway, and the entry for service workers has all scripts inside.
 */
export interface TableParts {
  readonly loadChanges: () => Promise<typeof import('./changes.js')>;
  readonly loadGroups: () => Promise<typeof import('./groups.js')>;
  readonly liveEntitiesOf: typeof liveEntitiesOf;
  readonly liveCountOf: typeof liveCountOf;
  readonly liveAggregateOf: typeof liveAggregateOf;
  readonly subscribeTo: typeof subscribeTo;
}
