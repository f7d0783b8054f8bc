/**
 * Which fields of a form the service complains about.
 *
 * A refusal names a code, rarely a property. The page keeps no copy of the rules to
 * find out: it asks the service, an account in memory, about each part on its own.
 *
 * @module
 */

import { openAccount, TableError, type TableClient, type TableEntity } from 'entitable';
import { memoryStorage } from 'entitable/storage/memory';

import {
  duplicateError,
  duplicates,
  toEntity,
  type EntityDraft,
  type PropertyDraft,
} from './entity-draft.js';

export type Place =
  | { readonly of: 'partitionKey' | 'rowKey' }
  | { readonly of: 'property'; readonly index: number; readonly part: 'name' | 'value' };

export interface Complaint {
  readonly place: Place;
  readonly error: TableError;
}

// Any keys that break no rule.
const SOUND_KEYS = { partitionKey: 'p', rowKey: 'r' };

/** Complaints that need no call: names that are used twice. */
export function complaintsBeforehand(draft: EntityDraft): Complaint[] {
  return duplicates(draft).map((index) => ({
    place: { of: 'property', index, part: 'name' },
    error: duplicateError(),
  }));
}

/** Finds the fields behind a refusal; none, if it concerns the entity as a whole. */
export async function complaintsAbout(draft: EntityDraft, error: TableError): Promise<Complaint[]> {
  // Two entities in one place have the PartitionKey in common, so it is not to blame.
  if (error.code === 'EntityAlreadyExists') return [{ place: { of: 'rowKey' }, error }];
  // Neither a conflict nor a storage that is full lies in what was typed.
  if (error.statusCode !== 400) return [];

  const table = await (trial ??= openTrial());
  const { partitionKey, rowKey } = draft;
  const found = [
    await tryPart(table, { ...SOUND_KEYS, partitionKey }, () => ({ of: 'partitionKey' })),
    await tryPart(table, { ...SOUND_KEYS, rowKey }, () => ({ of: 'rowKey' })),
  ];
  for (const [index, property] of draft.properties.entries()) {
    found.push(await tryProperty(table, property, index));
  }
  return found.filter((complaint) => complaint !== undefined);
}

let trial: Promise<TableClient> | undefined;

async function openTrial(): Promise<TableClient> {
  const account = await openAccount({ storage: memoryStorage() });
  const table = account.tableClient('Trial');
  await table.createTable();
  return table;
}

function tryProperty(
  table: TableClient,
  property: PropertyDraft,
  index: number,
): Promise<Complaint | undefined> {
  return tryPart(table, toEntity({ ...SOUND_KEYS, properties: [property] }), ({ code }) => ({
    of: 'property',
    index,
    part: isAboutNames(code) ? 'name' : 'value',
  }));
}

function isAboutNames(code: string): boolean {
  return code.startsWith('PropertyName') || code === 'DuplicatePropertiesSpecified';
}

async function tryPart(
  table: TableClient,
  entity: TableEntity,
  placeOf: (error: TableError) => Place,
): Promise<Complaint | undefined> {
  try {
    await table.createEntity(entity);
    await table.deleteEntity(entity.partitionKey, entity.rowKey);
    return undefined;
  } catch (error) {
    if (error instanceof TableError) return { place: placeOf(error), error };
    throw error;
  }
}
