// random-batches.mjs - random batches, the same in every run.

import { batchText, changeSet, deleting, inserting, merging, replacing } from './batch-wire.mjs';
import { randomSource } from './random.mjs';
import { ANY } from './steps.mjs';

const PIECES = [
  ...['\r\n', '\n', '--', '--batch_b1', '--changeset_c1', '--batch_b1--\r\n', '"', ';', ' ', ':'],
  ...['--changeset_c1--\r\n', 'HTTP/1.1', 'Content-Type: multipart/mixed; boundary=changeset_c1'],
  ...[
    'Content-Type: application/http\r\n\r\n',
    'GET /Tab HTTP/1.1\r\n\r\n',
    '\u00e9',
    'If-Match: *',
  ],
];

function mutated(random, text) {
  let changed = text;
  for (let i = random.below(4); i >= 0; i--) {
    const place = random.below(changed.length);
    const length = random.chance(0.5) ? 0 : random.below(30);
    const piece = random.chance(0.7) ? random.one(PIECES) : '';
    changed = changed.slice(0, place) + piece + changed.slice(place + length);
  }
  return changed.replaceAll('{{', '{ {');
}

function randomRequests(random) {
  return Array.from({ length: random.below(5) }, (_, i) => {
    const rowKey = `${random.below(8)}`;
    return random.one([
      inserting(rowKey),
      inserting(`${i}x`),
      merging(rowKey),
      replacing(rowKey, random.chance(0.3) ? ANY : {}),
      deleting(rowKey),
    ]);
  });
}

/** Batches: a few are whole, and most are damaged in some places. */
export function randomBatches(count = 300) {
  const random = randomSource(5490);
  return Array.from({ length: count }, () => {
    const text = batchText(changeSet(randomRequests(random))).replaceAll('{{base}}', '');
    return random.chance(0.2) ? text : mutated(random, text);
  });
}
