/**
 * Runs a program in its frame, and reports what it logs, throws and stores.
 *
 * A classic script, because an import map must stand before the first module.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import { inspect } from './inspect.js';
import type { FrameMessage, Level, Library, Start, StoredTable, StoredValue } from './messages.js';

const MOST_ENTITIES = 100;

// A burst of log lines is followed by one look at the tables.
const PAUSE_MS = 100;

const LEVELS: readonly Level[] = ['log', 'info', 'warn', 'error'];

/** Where the frame's own wrapper of `openAccount` finds the function that it tells of accounts. */
const OPENED = 'entitablePlaygroundOpened';

const accounts = new Set<TableServiceClient>();
const tablesOf = new Map<TableServiceClient, readonly StoredTable[]>();
let programUrl = '';

const tell = (message: FrameMessage) => {
  // The frame's origin is opaque, and the playground accepts messages of this frame alone.
  parent.postMessage(message, '*');
};

addEventListener('message', ({ source, data }: MessageEvent<Start>) => {
  if (source === parent && programUrl === '') run(data).catch(tellError);
});
addEventListener('error', ({ error, message }) => {
  tellError(error ?? message);
});
addEventListener('unhandledrejection', ({ reason }) => {
  tellError(reason);
});
Object.assign(globalThis, { [OPENED]: follow });
for (const level of LEVELS) console[level] = (...values: unknown[]) => tellLog(level, values);
tell({ kind: 'ready' });

async function run({ library, program }: Start): Promise<void> {
  installImportMap(library);
  programUrl = urlOf(program);
  try {
    await import(programUrl);
  } catch (error) {
    tellError(error);
  }
  await tellTables();
  tell({ kind: 'end', hasPage: document.body.childElementCount > 0 });
}

/** Each entry becomes a module that exports what the one script of the package has of it. */
function installImportMap({ script, entries }: Library): void {
  const library = urlOf(script);
  const imports = Object.fromEntries(
    Object.entries(entries).map(([name, { namespace, exports }]) => {
      const opensAccounts = exports.includes('openAccount') && name === 'entitable';
      const taken = exports.filter((each) => !(opensAccounts && each === 'openAccount'));
      const text = [
        `import { ${namespace} } from '${library}';`,
        `export const { ${taken.join(', ')} } = ${namespace};`,
        ...(opensAccounts ? [wrapperIn(namespace)] : []),
      ];
      return [name, urlOf(text.join('\n'))];
    }),
  );
  const element = document.createElement('script');
  element.type = 'importmap';
  element.textContent = JSON.stringify({ imports });
  document.head.append(element);
}

const wrapperIn = (namespace: string) =>
  `export const openAccount = async (options) =>
     globalThis.${OPENED}(await ${namespace}.openAccount(options));`;

const urlOf = (script: string) =>
  URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));

/** Remembers an account, whose tables are read once more before it closes. */
function follow(account: TableServiceClient): TableServiceClient {
  accounts.add(account);
  const close = account.close.bind(account);
  account.close = async () => {
    if (accounts.delete(account)) tablesOf.set(account, await readTables(account));
    await close();
  };
  return account;
}

async function tellTables(): Promise<void> {
  for (const account of accounts) {
    try {
      tablesOf.set(account, await readTables(account));
    } catch {
      // The program has closed it meanwhile, or its storage fails, which the program is told.
    }
  }
  tell({ kind: 'tables', tables: [...tablesOf.values()].flat() });
}

async function readTables(account: TableServiceClient): Promise<StoredTable[]> {
  const tables: StoredTable[] = [];
  for await (const { name = '' } of account.listTables()) {
    const list = account.tableClient(name).listEntities({ disableTypeConversion: true });
    const first = await list.byPage({ maxPageSize: MOST_ENTITIES }).next();
    if (first.done) continue;
    const { value: page } = first;
    const hasMore = page.continuationToken !== undefined;
    tables.push({ name, entities: page.map(toStored), hasMore });
  }
  return tables;
}

function toStored(entity: object): Record<string, StoredValue> {
  const {
    partitionKey,
    rowKey,
    timestamp,
    etag: _,
    ...properties
  } = entity as {
    partitionKey: string;
    rowKey: string;
    timestamp: string;
    etag: string;
  };
  return {
    PartitionKey: { type: 'String', value: partitionKey },
    RowKey: { type: 'String', value: rowKey },
    ...(properties as Record<string, StoredValue>),
    Timestamp: { type: 'DateTime', value: timestamp },
  };
}

let timer: ReturnType<typeof setTimeout> | undefined;

function tellLog(level: Level, values: readonly unknown[]): void {
  tell({ kind: 'log', level, text: values.map((value) => inspect(value)).join(' ') });
  clearTimeout(timer);
  timer = setTimeout(() => {
    tellTables().catch(tellError);
  }, PAUSE_MS);
}

function tellError(error: unknown): void {
  const { code, name, message, stack } = Object(error) as Partial<Error> & { code?: unknown };
  const title = typeof code === 'string' ? code : (name ?? 'Error');
  const text = message === undefined ? inspect(error) : `${title}: ${message}`;
  tell({ kind: 'error', text, line: lineIn(stack ?? '') });
}

/** The first line of the program that a stack names. */
function lineIn(stack: string): number | undefined {
  const place = stack.indexOf(programUrl);
  if (programUrl === '' || place < 0) return undefined;
  const line = Number.parseInt(stack.slice(place + programUrl.length + 1), 10);
  return Number.isNaN(line) ? undefined : line;
}
