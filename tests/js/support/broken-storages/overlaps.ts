// overlaps.ts - storages that break a rule about calls that overlap.

import type { Batch, ReadRequest } from '../../../../js/src/storage/page-storage.js';
import { PlainStorage, turn, broken, type BrokenStorage } from './plain-storage.js';

export const BROKEN_OVERLAPS: readonly BrokenStorage[] = [
  broken(
    'lets readers see half of a batch',
    {
      async commit(this: PlainStorage, batch: Batch) {
        if (!this.holds(batch)) return { outcome: 'moved' };
        for (const key of batch.deletes) this.values.delete(key);
        const puts = batch.puts.map(([key, value]) => [key, value.slice()] as const);
        for (const [key, value] of puts) {
          this.values.set(key, value);
          await Promise.resolve();
        }
        return { outcome: 'ok' };
      },
    },
    'reads the values of one moment, while commits go on',
  ),
  broken(
    'reads values at different moments',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        const values = [];
        for (const key of request.keys) {
          values.push(this.valueOf(key));
          await Promise.resolve();
        }
        return {
          values,
          records:
            request.recordsAfter === undefined ? [] : this.recordsAfter(request.recordsAfter),
        };
      },
      async commit(this: PlainStorage, batch: Batch) {
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await Promise.resolve();
        return PlainStorage.prototype.commit.call(this, copy);
      },
    },
    'reads the values of one moment, while commits go on',
  ),
  broken(
    'compares first and stores later',
    {
      async commit(this: PlainStorage, batch: Batch) {
        const holds = this.holds(batch);
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await turn();
        if (holds) this.apply(copy);
        return { outcome: holds ? 'ok' : 'moved' };
      },
    },
    'compares commits in the order of the calls',
    'loses no update of writers that expect the values that they have read',
  ),
  broken(
    'acknowledges before it stores',
    {
      async commit(this: PlainStorage, batch: Batch) {
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        const holds = this.holds(batch);
        if (holds) void turn().then(() => this.apply(copy));
        return { outcome: holds ? 'ok' : 'moved' };
      },
    },
    'reads at least the commits that were acknowledged or read before',
    'commits with relaxed durability',
  ),
  broken(
    'refuses a commit while another is under way',
    {
      isBusy: false,
      async commit(this: PlainStorage & { isBusy: boolean }, batch: Batch) {
        if (this.isBusy) return { outcome: 'refused' };
        this.isBusy = true;
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await turn();
        this.isBusy = false;
        return PlainStorage.prototype.commit.call(this, copy);
      },
    },
    'stores the records of many commits at once',
  ),
];
