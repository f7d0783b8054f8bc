/**
 * The line about the limits of a table behind the REST API, and its buttons, which read a copy that
 * has fewer limits. It is loaded with the first such table.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { copyOf, type TableCopy } from '../copy/table-copy.js';
import type { LoadOptions } from '../load-progress.js';
import { onClick } from './dom.js';
import type { WhyNot } from '../explorer/home.js';
import { showAccess } from './access.js';
import { showLimits } from './limits.js';
import type { LoadPanel } from './load-panel.js';
import { begin, hideNotice, showNotice } from './notice.js';

const READ = { noun: 'entities', verbs: { present: 'Reading', past: 'Read' } };

export interface CopiesOptions {
  readonly whyNot: WhyNot;
  readonly panel: LoadPanel;
  /** The table on the screen. */
  table(): TableClient | undefined;
  /** The filter on the screen. */
  filter(): string;
  show(copy: TableCopy): Promise<void>;
  /** Shows the table of a copy again. */
  leave(copy: TableCopy): Promise<void>;
  onBusy(isBusy: boolean): void;
}

export class Copies {
  readonly #options: CopiesOptions;
  #isReading = false;

  constructor(options: CopiesOptions) {
    this.#options = options;
    const { table, filter, leave } = options;
    onClick('copy-table', () => begin(() => this.#read(table()!, filter())));
    onClick('copy-again', () =>
      begin(() => {
        const { source, filter } = copyOf(table())!;
        return this.#read(source, filter);
      }),
    );
    onClick('copy-back', () => begin(() => leave(copyOf(table())!)));
  }

  /** Shows the limits of the table on the screen. */
  showLimits(isBusy: boolean): void {
    const table = this.#options.table();
    if (table) showLimits(table, isBusy);
    showAccess(this.#options.whyNot);
  }

  /** Ends the reading, because the user wants something else. */
  stop(): void {
    if (this.#isReading) this.#options.panel.cancel();
  }

  // If it fails, or is cancelled, nothing changes.
  async #read(source: TableClient, filter: string): Promise<void> {
    const { panel, show, onBusy } = this.#options;
    hideNotice();
    onBusy(true);
    const signal = panel.begin(READ);
    this.#isReading = true;
    const copy = await copied(source, filter, {
      signal,
      onProgress: (progress) => panel.show(progress),
    }).catch((error: unknown) => {
      if (!signal.aborted) showNotice(error);
    });
    this.#isReading = false;
    panel.close();
    onBusy(false);
    if (signal.aborted) await copy?.close();
    else if (copy) await show(copy);
  }
}

async function copied(
  source: TableClient,
  filter: string,
  options: LoadOptions,
): Promise<TableCopy> {
  const { copyTable } = await import('../copy/copy-table.js');
  return copyTable(source, filter, options);
}
