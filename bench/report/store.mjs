// store.mjs - what is not a time.

import { numberText } from './figures.mjs';
import { table } from './tables.mjs';

export function storeSection({ writes, reads, space } = {}) {
  if (!writes) return undefined;
  const aim = (value, most) => `≤ ${most} ${value <= most ? '✓' : '✗'}`;
  const rows = [
    [
      'bytes written for a byte changed',
      numberText(writes.perByteChanged),
      aim(writes.perByteChanged, 20),
    ],
    [
      'leaf pages that a cold point read fetches, most of all',
      numberText(reads.mostLeaves),
      aim(reads.mostLeaves, 3),
    ],
    ['the same, on average', numberText(reads.meanLeaves), ''],
    ['bytes stored for a byte that lives, at the end', numberText(space.atEnd), ''],
    ['the same, at its highest', numberText(space.atMost), aim(space.atMost, 1.5)],
  ];
  return `## What is written, read and kept

${writes.merges.toLocaleString('en-US')} random merge-updates, a hundred at a time, over ${writes.entities.toLocaleString('en-US')} entities, counted where the
core meets its storage, with every fold and merge that they led to. A byte changed is one of the JSON of an entity that was
merged, whole: that is what the log takes. A byte that lives is one of the store as it was loaded, when all folds and merges were
done; the highest includes the step that is under way.

${table(['', '', 'aim'], rows)}`;
}
