// official-client.test-d.ts - checked by the compiler alone: code that is written
// for the official client takes ours.

import type * as official from '@azure/data-tables';

import type * as ours from '../../../js/src/index.js';

declare const table: ours.TableClient;
declare const account: ours.TableServiceClient;
declare const transaction: ours.TableTransaction;
declare const result: ours.TableEntityResult<{ Age: number }>;

table satisfies Pick<
  official.TableClient,
  | 'tableName'
  | 'createTable'
  | 'deleteTable'
  | 'createEntity'
  | 'getEntity'
  | 'updateEntity'
  | 'upsertEntity'
  | 'deleteEntity'
  | 'listEntities'
  | 'submitTransaction'
>;

account satisfies Pick<official.TableServiceClient, 'createTable' | 'deleteTable' | 'listTables'>;

transaction satisfies Pick<
  official.TableTransaction,
  'createEntity' | 'deleteEntity' | 'updateEntity' | 'upsertEntity'
>;
result satisfies official.TableEntityResult<{ Age: number }>;

// The other direction: values of the official client's types fit ours.
declare const theirs: {
  entity: official.TableEntity<{ Age: number }>;
  typed: official.Edm<'Int64'>;
  actions: official.TransactionAction[];
  query: official.TableEntityQueryOptions;
  signal: AbortSignal;
};

void table.createEntity(theirs.entity, { abortSignal: theirs.signal });
void table.submitTransaction(theirs.actions);
void table.updateEntity(result);
table.listEntities<{ Age: number }>({ queryOptions: theirs.query });
theirs.typed satisfies ours.Edm<'Int64'>;
