/**
 * Shows what `verify` and `repair` have found.
 *
 * @module
 */

import type { EntityPlace, Finding } from 'entitable/recovery';

import { make } from '../ui/dom.js';

export function findingList(findings: readonly Finding[]): HTMLElement {
  return make('ul', { class: 'findings' }, ...findings.map(itemOf));
}

const itemOf = ({ key, kind, flaw, lossy, from, to }: Finding): HTMLElement =>
  make(
    'li',
    {},
    make('code', {}, key),
    ` (${kind}) is ${flaw}. `,
    lossy ? lossOf(from, to) : 'No entity is lost with it.',
  );

function lossOf(from: EntityPlace | undefined, to: EntityPlace | undefined): string {
  if (!from && !to) return 'Any entity may be lost.';
  const range = `from ${from ? placeOf(from) : 'the first'} to ${to ? placeOf(to) : 'the last'}`;
  return `These entities may be lost: ${range}.`;
}

const placeOf = ({ table, partitionKey, rowKey }: EntityPlace) =>
  `${table} ${partitionKey}/${rowKey}`;
