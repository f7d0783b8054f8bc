/**
 * What the place of an explorer adds to it: the static page, an app's page, or a served page.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import type { Dataset } from '../datasets/dataset.js';
import type { View } from '../ui/views.js';
import type { ViewState } from './view-state.js';

/** A change that an account may not permit. */
export type Write = 'createTable' | 'deleteTable' | 'insert' | 'update' | 'delete';

/** For people: why an account does not permit a change; undefined, if it may permit it. */
export type WhyNot = (write: Write) => string | undefined;

export interface Home {
  /** Data to load with a click. */
  readonly samples: readonly Dataset[];
  /** Opens the account; again, if the user tries again. */
  openAccount(): Promise<TableServiceClient>;
  /** The table to begin with; undefined, if there is none. */
  firstTable(names: readonly string[]): string | undefined;
  /** What the address says, if it is of one of these tables. */
  firstView?(names: readonly string[]): ViewState | undefined;
  /** Puts what is shown into the address; undefined, if there is no table. */
  onState?(view: ViewState | undefined): void;
  onView?(view: View): void;
  whyNot?(write: Write): string | undefined;
  /** What to do if the account cannot be opened; undefined for accounts in a browser. */
  remedy?(error: unknown): string;
  /** Called when a load begins and ends. */
  onBusy?(isBusy: boolean): void;
}
