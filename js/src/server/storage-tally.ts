/**
 * Counts what accounts read from their storage, and what they write into it.
 *
 * The keys of a batch show what it is for: `docs/internals/store-protocol.md`.
 *
 * @module
 */

import type { Batch, PageStorage, Snapshot, StorageKey } from '../storage/page-storage.js';
import { observedStorage } from './accounts/observed-storage.js';
import { DurationHistogram, metricLines } from './metric-text.js';

// The name of each count, and what it is.
const COUNTS = {
  failed_reads: 'Calls to the storage for reading that have failed.',
  read_bytes: 'Bytes read from the storage: pages, log records and the manifest.',
  pages_read: 'Pages read from the storage, because the cache did not have them.',
  written_bytes: 'Bytes written into the storage: pages, log records and the manifest.',
  pages_written: 'Pages written into the storage, by flushes, compactions and imports.',
  pages_deleted: 'Pages deleted from the storage, by flushes and compactions.',
  log_records: 'Log records written. The writes of a commit group share one.',
  log_bytes: 'Bytes of the log records written.',
  flushes: 'Flushes: log records that became pages.',
  compaction_steps: 'Steps of compactions: a few pages of several runs became pages of one run.',
} as const;

type Count = keyof typeof COUNTS;

/** The counts of all storages of a server. */
export class StorageTally {
  readonly #counts = Object.fromEntries(Object.keys(COUNTS).map((name) => [name, 0])) as Record<
    Count,
    number
  >;
  readonly #outcomes = new Map<string, number>();
  readonly #reads = new DurationHistogram();
  readonly #commits = new DurationHistogram();

  /** The same storage, whose calls are counted. */
  counted(storage: PageStorage): PageStorage {
    return observedStorage(storage, {
      reading: (reading) =>
        reading.catch((error: unknown) => {
          this.#counts.failed_reads++;
          throw error;
        }),
      read: ({ keys }, snapshot, ms) => {
        this.#reads.add(ms);
        this.#read(keys, snapshot);
      },
      committed: ({ outcome }, batch, ms) => {
        this.#commits.add(ms);
        const label = `outcome="${outcome}"`;
        this.#outcomes.set(label, (this.#outcomes.get(label) ?? 0) + 1);
        if (outcome === 'ok') this.#stored(batch);
      },
    });
  }

  /** All of them as metrics. */
  lines(): string[] {
    const prefix = 'entitable_storage_';
    const names = Object.keys(COUNTS) as Count[];
    return [
      ...names.flatMap((name) =>
        metricLines('counter', `${prefix}${name}_total`, COUNTS[name], this.#counts[name]),
      ),
      ...metricLines(
        'counter',
        `${prefix}commits_total`,
        'Batches that the storage was asked to store, by their outcome.',
        this.#outcomes,
      ),
      ...this.#reads.lines(
        `${prefix}read_duration_seconds`,
        'From a call to the storage for reading to its values.',
      ),
      ...this.#commits.lines(`${prefix}commit_duration_seconds`, 'From a batch to its outcome.'),
    ];
  }

  #read(keys: readonly StorageKey[], { values, records }: Snapshot): void {
    const counts = this.#counts;
    values.forEach((value, at) => {
      if (!value) return;
      counts.read_bytes += value.length;
      if (isPage(keys[at]!)) counts.pages_read++;
    });
    for (const [, record] of records) counts.read_bytes += record.length;
  }

  #stored({ puts, deletes }: Batch): void {
    const counts = this.#counts;
    const records = puts.filter(([key]) => isRecord(key));
    counts.written_bytes += bytesOf(puts);
    counts.pages_written += puts.filter(([key]) => isPage(key)).length;
    counts.pages_deleted += deletes.filter(isPage).length;
    counts.log_records += records.length;
    counts.log_bytes += bytesOf(records);
    const has = (wanted: StorageKey) => puts.some(([key]) => key === wanted);
    if (!has('pages/root')) return;
    // A batch with a manifest and a log record is a step of an import.
    if (has('log/base')) counts.flushes++;
    else if (records.length === 0) counts.compaction_steps++;
  }
}

const isPage = (key: StorageKey) => key.startsWith('pages/') && key !== 'pages/root';
const isRecord = (key: StorageKey) => key.startsWith('log/') && key !== 'log/base';

const bytesOf = (puts: Batch['puts']) => puts.reduce((sum, [, value]) => sum + value.length, 0);
