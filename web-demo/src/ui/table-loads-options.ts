/**
 * What loads of tables are given.
 *
 * @module
 */

import type { TableClient, TableServiceClient } from 'entitable';

import type { Changes } from '../changes/changes.js';
import type { Counting } from '../counting.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import type { Load, LoadPanel } from './load-panel.js';
import type { PartitionList } from './partition-list.js';
import type { ResultView } from './result-view.js';
import type { TableList } from './table-list.js';

/** What is loaded, and into which table. */
export interface TableLoad extends Load {
  readonly table: string;
  readonly count: number;
}

/** @param isNew - whether the table was created for it. */
export type Writer = (
  table: TableClient,
  options: LoadOptions,
  isNew: boolean,
) => Promise<LoadProgress>;

/** Reads what is needed before the table is created. */
export type Prepare = (signal: AbortSignal) => Promise<Writer>;

export interface TableLoadsOptions {
  readonly panel: LoadPanel;
  readonly tables: TableList;
  readonly counting: Counting;
  readonly partitions: PartitionList;
  readonly results: ResultView;
  changes(): Promise<Changes>;
  account(): TableServiceClient;
  /** The table on the screen. */
  table(): TableClient | undefined;
  /** Shows a table, or that there is none. */
  show(name: string | undefined): Promise<void>;
  /** Reads again what is on the screen. */
  refresh(): Promise<void>;
  onBusy(isBusy: boolean): void;
}
