/**
 * `entitable copy`: copies tables from one account to another, once.
 *
 * @module
 */

import { resolve } from 'node:path';

import type { TableError } from '../base/errors.js';
import { isBytes } from '../base/kinds.js';
import type { TableEntity } from '../entity/entities.js';
import type { TypedCell } from '../formats/rows.js';
import type { RemoteTableClient } from '../remote/models.js';
import { failureText } from '../server/failure-text.js';
import { CREDENTIAL_NOTE, withAccount, withNewAccount, type ReadAccount } from './account/place.js';
import { isAddress } from './account/remote-options.js';
import { RowBatch, rowStore } from './account/row-store.js';
import { tablesOf } from './account/synced-folder.js';
import type { CommandContext, Output } from './line/command.js';
import { interruptible } from './line/interruptible.js';
import { readOptions, UsageError } from './line/options.js';
import type { ProgressLine } from './line/progress-line.js';
import type { CommandUsage } from './line/usage.js';
import { counted, countedEntities } from './move/table-move.js';

const PLACE = 'the folder of an account, or the address of a storage account';

/** The usage of the command. */
export const COPY = {
  summary: 'copies tables from one folder or storage account to another',
  forms: ['--from PLACE --to PLACE [options]'],
  about: [
    'Copies entities, once. The tables are created if they are not there. An entity with the same ' +
      'keys is replaced, and others stay. Use pull, push or sync to keep two places equal.',
  ],
  options: {
    '--from': { value: 'PLACE', text: PLACE },
    '--to': { value: 'PLACE', text: PLACE },
    '--table': {
      value: 'NAME',
      text: 'only this table; may be given several times',
      isRepeated: true,
    },
    '--json': { text: 'print JSON Lines: an object for each table and each refused entity' },
    '--quiet': { text: 'show no progress' },
  },
  notes: [
    CREDENTIAL_NOTE.replace('--at', 'one place'),
    'Two storage accounts need a shared access signature in each address.',
  ],
} as const satisfies CommandUsage;

interface Copy {
  readonly isJson: boolean;
  readonly output: Output;
  readonly line: ProgressLine;
  readonly signal: AbortSignal;
}

/** Runs the command. */
export async function copy(words: readonly string[], context: CommandContext): Promise<number> {
  const options = readOptions(words, COPY.options);
  const [from, to] = [options.get('--from'), options.get('--to')];
  if ((from ?? to) === undefined) throw new UsageError('copy takes --from PLACE --to PLACE');
  if (isSame(from, to)) throw new UsageError('copy takes two places, and these are one');
  const hint = 'the same command copies everything again';
  return interruptible(options.has('--quiet'), context, hint, async (line, signal) => {
    const work = { isJson: options.has('--json'), output: context, line, signal };
    const copyAll = async (source: ReadAccount, target: ReadAccount) => {
      const named = options.all('--table');
      const tables = named.length > 0 ? named : await tablesOf(source);
      let refused = 0;
      for (const table of tables) refused += await copyTable(table, source, target, work);
      return refused === 0 ? 0 : 1;
    };
    const intoTarget = (source: ReadAccount) =>
      withNewAccount(to, context.environment, (target) => copyAll(source, target), '--to');
    return await withAccount(from, context.environment, intoTarget, '--from');
  });
}

function isSame(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  return from === to || (![from, to].some(isAddress) && resolve(from) === resolve(to));
}

/** Returns how many entities were refused. */
async function copyTable(
  table: string,
  source: ReadAccount,
  target: ReadAccount,
  { isJson, output, line, signal }: Copy,
): Promise<number> {
  let [copied, refused] = [0, 0];
  const tell = async (record: object, text: string) => {
    line.clear();
    await output.write(isJson ? JSON.stringify(record) : `${table}: ${text}`);
  };
  const refuse = async ({ entity }: { entity: TableEntity }, error: TableError) => {
    refused++;
    const { partitionKey, rowKey } = entity;
    const message = failureText(error);
    const record = { table, partitionKey, rowKey, code: error.code, message };
    const keys = `PartitionKey ${JSON.stringify(partitionKey)}, RowKey ${JSON.stringify(rowKey)}`;
    await tell(record, `refused: ${keys}: ${error.code}: ${message}`);
  };
  // Nothing is created for a name that the source does not have.
  const batches = batchesOf(source.tableClient(table), signal);
  const first = await batches.next();
  await target.createTable(table);
  const { put } = rowStore(target, table, { mode: 'Replace', signal }, refuse);
  for (let next = first; !next.done; next = await batches.next()) {
    copied += await put(next.value);
    line.show(`${table}: ${counted(copied)} entities copied`);
  }
  const what = `${countedEntities(copied)} copied`;
  await tell(
    { table, copied, refused },
    refused > 0 ? `${what}, ${counted(refused)} refused` : what,
  );
  return refused;
}

async function* batchesOf(
  client: Pick<RemoteTableClient, 'listEntities'>,
  abortSignal: AbortSignal,
) {
  const entities = client.listEntities({ typed: true, abortSignal });
  const batch = new RowBatch<{ entity: TableEntity }>();
  for await (const { etag: _, timestamp: __, ...entity } of entities) {
    batch.add([{ entity: entity as unknown as TableEntity }], lengthOf(entity));
    if (batch.isFull) yield batch.take();
  }
  yield batch.take();
}

// Only texts and bytes are long.
function lengthOf(entity: object): number {
  let length = 0;
  for (const property of Object.values(entity) as Partial<TypedCell>[]) {
    const value = property.value ?? property;
    if (typeof value === 'string' || isBytes(value)) length += value.length;
  }
  return length;
}
