/**
 * Finds the fields of the form that the service refuses.
 *
 * The error of a refused request lists every broken rule, each with the name of its property. So
 * the page needs no copy of the rules.
 *
 * @module
 */

import type { Issue, TableError } from 'entitable';

import { duplicates, type EntityDraft } from './entity-draft.js';

/** A field of the form. */
export type Place =
  | { readonly of: 'partitionKey' | 'rowKey' }
  | { readonly of: 'property'; readonly index: number; readonly part: 'name' | 'value' };

/** Why the service refuses a field. */
export interface FieldError {
  readonly place: Place;
  readonly error: Pick<TableError, 'code' | 'message'>;
}

// An object cannot hold two properties of one name, so the request would show only one of them.
const DUPLICATE: FieldError['error'] = {
  code: 'DuplicatePropertiesSpecified',
  message: 'A property is specified more than one time.',
};

/** The errors that need no request: names that are used twice. */
export function duplicateErrors(draft: EntityDraft): FieldError[] {
  return duplicates(draft).map((index) => ({
    place: { of: 'property', index, part: 'name' },
    error: DUPLICATE,
  }));
}

/** The fields that a refused request is about, each once; none, if it is about the whole entity. */
export function fieldErrorsOf(draft: EntityDraft, error: TableError): FieldError[] {
  // The PartitionKey is not at fault: other entities have it, too.
  if (error.code === 'EntityAlreadyExists') return [{ place: { of: 'rowKey' }, error }];
  const found = new Map<string, FieldError>();
  for (const issue of error.issues) {
    const place = placeOf(draft, issue);
    if (!place) continue;
    const id = Object.values(place).join();
    const { code = error.code, message, refusal = message } = issue;
    if (!found.has(id)) found.set(id, { place, error: { code, message: refusal } });
  }
  return [...found.values()].sort((a, b) => positionOf(a.place) - positionOf(b.place));
}

function placeOf({ properties }: EntityDraft, { path, rule }: Issue): Place | undefined {
  const [step] = path ?? [];
  if (step === 'partitionKey' || step === 'rowKey') return { of: step };
  const index = properties.findIndex(({ name }) => name === step);
  if (index < 0) return undefined;
  return { of: 'property', index, part: rule?.startsWith('property-') ? 'name' : 'value' };
}

// In the order of the form. The focus moves to the first.
function positionOf(place: Place): number {
  if (place.of === 'property') return 2 + place.index;
  return place.of === 'partitionKey' ? 0 : 1;
}
