// store.mjs - the section about counts.

import { numberText } from './figures.mjs';
import { table } from './tables.mjs';

export function storeSection({ writes, reads, space } = {}) {
  if (!writes) return undefined;
  const rows = [
    ['bytes written for a byte changed', writes.perByteChanged],
    ['leaf pages that a cold point read fetches, most of all', reads.mostLeaves],
    ['the same, on average', reads.meanLeaves],
    ['bytes stored for a live byte, at the end', space.atEnd],
    ['the same, at its highest', space.atMost],
  ].map(([what, value]) => [what, numberText(value)]);
  return `## What is written, read and kept

${writes.merges.toLocaleString('en-US')} random merge-updates, a hundred at a time, over ${writes.entities.toLocaleString('en-US')} entities.
They are counted where the core calls its storage, with every flush and compaction that they
caused. A byte changed is one of the JSON of a merged entity: the log takes the whole entity. A
live byte is one of the store as it was loaded, after all background work. The highest includes
the step that is under way.

${table(['', ''], rows)}`;
}
