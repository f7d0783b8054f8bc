// index-steps.ts - indexes that are declared, built while others write, and removed.

import { isTableError } from '../../../../js/src/base/errors.js';
import { TABLES, type World } from './world.js';

const INDEXES = [
  ...[['text'], ['number'], ['any desc'], ['time'], ['flag', 'number desc'], ['sum', 'text']],
  ['words(notes)'],
  { by: ['time', 'text'], include: 'all' },
  { by: ['any'], include: ['number', 'flag'] },
] as const;

/** The builds of indexes of a world, one at a time. */
export class IndexBuilds {
  #build: Promise<unknown> = Promise.resolve();

  async begin(world: World): Promise<void> {
    await this.ended();
    const opener = world.openers.find(({ mortal }) => !mortal);
    if (!opener) return;
    const indexes = INDEXES.filter(() => world.below(2) === 0);
    // Others may delete the table meanwhile.
    const build = opener.account.updateIndexes({ tableName: world.of(TABLES), indexes });
    this.#build = build.catch((error: unknown) => {
      const codes = ['TableNotFound', 'UpdateConditionNotSatisfied'];
      if (!isTableError(error) || !codes.includes(error.code)) throw error;
    });
    this.#build.catch(() => {});
  }

  async ended(): Promise<void> {
    await this.#build;
  }
}
