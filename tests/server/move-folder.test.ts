// Folders, credentials and networks of the commands that move tables.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { DEVELOPMENT_ACCOUNT, generateAccountSas, generateTableSas } from '../../js/src/http.js';
import { WASM_FLAGS } from '../../scripts/test/wasm-flags.mjs';
import { entitable, entitableIn } from '../js/support/commands.js';
import { newFolder, serve } from '../package/support/serve.js';
import {
  archiveOf,
  at,
  dumpOf,
  dumpOfFolder,
  fillRemote,
  fullFolder as folderWith,
  inFolder,
  isBatch,
  TOO_LARGE,
} from './support/move.js';
import { openFaultProxy } from './support/fault-proxy.js';
import { nameAt, ownAccount } from './support/remotes.js';

const { key: KEY } = DEVELOPMENT_ACCOUNT;

// Several transactions. How pages follow each other is tested by move.test.ts.
const FLOCK = 30;
const fullFolder = () => folderWith(FLOCK);

describe('a folder', () => {
  it('is not synced with another account before it forgets the first one', async () => {
    const [url, other] = [await ownAccount(), await ownAccount()];
    const folder = await fullFolder();
    const before = await dumpOfFolder(folder);
    await entitable('push', '--from', folder, '--to', url);

    const refused = await entitable('push', '--from', folder, '--to', other);
    const forgotten = await entitable('forget', '--folder', folder);
    const pushed = await entitable('push', '--from', folder, '--to', other);

    expect(refused.code).toBe(1);
    expect(refused.errors).toContain(`is synced with ${url}. Use another folder, or end that sync`);
    expect(forgotten.lines).toEqual(['not synced any more: Birds, Empty, Pets']);
    expect(pushed.code).toBe(0);
    expect(await dumpOf(at(other))).toEqual(before);
    expect(await dumpOfFolder(folder)).toEqual(before);
  });

  it('is not bound to an address that never answered', async () => {
    const url = await ownAccount();
    const folder = await fullFolder();
    const mistyped = 'http://127.0.0.1:1/devstoreaccount1';
    await entitable('push', '--from', folder, '--to', mistyped, '--table', 'Pets');

    const { code, lines } = await entitable('push', '--from', folder, '--to', url, '--quiet');

    expect({ code, lines }).toEqual({ code: 0, lines: [] });
    expect(await dumpOf(at(url))).toEqual(await dumpOfFolder(folder));
  });

  it('sends later what a server has written to it in between', async () => {
    const url = await ownAccount();
    const folder = await fullFolder();
    await entitable('push', '--from', folder, '--to', url);
    const served = await serve('--data', folder, '--quiet');
    const pets = at(served.url.href.replace(/\/$/, '')).tableClient('Pets');
    await pets.createEntity({ partitionKey: 'p', rowKey: '1' });
    await served.stop();

    const { code, lines } = await entitable('push', '--from', folder, '--to', url);

    expect(code).toBe(0);
    expect(lines).toContain('Pets: 3 entities, 0 received, 1 sent');
    expect(await dumpOf(at(url))).toEqual(await dumpOfFolder(folder));
  });

  it('can be written to again after it has forgotten, and sends that later', async () => {
    const url = await ownAccount();
    const folder = await fullFolder();
    await entitable('push', '--from', folder, '--to', url);
    await entitable('forget', '--folder', folder);
    await inFolder(folder, (account) =>
      account.tableClient('Pets').createEntity({ partitionKey: 'p', rowKey: '1' }),
    );

    const { code, lines } = await entitable('push', '--from', folder, '--to', url);

    expect(code).toBe(0);
    expect(lines).toContain('Pets: 3 entities, 2 received, 1 sent');
    expect(await dumpOf(at(url))).toEqual(await dumpOfFolder(folder));
  });

  it('keeps entities of its own that a pull would delete', async () => {
    const url = await ownAccount();
    await fillRemote(url, FLOCK);
    const folder = await fullFolder();
    const before = await dumpOfFolder(folder);

    const { code, lines } = await entitable('pull', '--from', url, '--to', folder);

    expect(code).toBe(1);
    expect(lines).toEqual(
      ['Birds', 'Pets'].map(
        (name) =>
          `${name}: failed: the table of the folder has entities of its own: use sync, or another folder`,
      ),
    );
    expect(await dumpOfFolder(folder)).toEqual(before);
  });

  it('prints resolved conflicts that could not be printed before it forgets them', async () => {
    const url = await ownAccount();
    const folder = await fullFolder();
    const words = ['--from', folder, '--to', url, '--table', 'Pets'];
    await entitable('push', ...words);
    const rex = { partitionKey: 'dogs', rowKey: 'rex' };
    await at(url)
      .tableClient('Pets')
      .updateEntity({ ...rex, by: 'cloud' });
    await inFolder(folder, (account) =>
      account.tableClient('Pets').updateEntity({ ...rex, by: 'folder' }),
    );

    const resolving = [...WASM_FLAGS, 'dist/cli.js', 'sync', ...words, '--conflict', 'remote'];
    const { status, stderr } = spawnSync(process.execPath, resolving, {
      env: { PATH: process.env['PATH'], AZURE_STORAGE_KEY: KEY },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    });
    const { code, lines } = await entitable('forget', '--folder', folder);

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^error: .*ENOSPC/) as string,
    });
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^Pets: resolved: PartitionKey "dogs", RowKey "rex": local .*folder/);
  });

  it('is used by one process at a time', async () => {
    const folder = newFolder();
    await serve('--data', folder, '--quiet');

    const { code, errors } = await entitable('push', '--from', folder, '--to', await ownAccount());

    expect(code).toBe(1);
    expect(errors).toMatch(/^error: .* is in use by process \d+/);
  });

  it('says so when the file that names its account is damaged, and forgets it', async () => {
    const url = await ownAccount();
    const folder = await fullFolder();
    await entitable('push', '--from', folder, '--to', url);
    writeFileSync(join(folder, 'entitable.sync.json'), '{"account":');

    const refused = await entitable('push', '--from', folder, '--to', url);
    const forgotten = await entitable('forget', '--folder', folder);
    const pushed = await entitable('push', '--from', folder, '--to', url);

    expect(refused.code).toBe(1);
    expect(refused.errors).toBe(
      `error: entitable.sync.json in ${folder} is damaged. End the sync with entitable forget --folder ${folder}\n`,
    );
    expect([forgotten.code, pushed.code]).toEqual([0, 0]);
  });

  it('is not made by a push of a misspelled one, nor a table by a misspelled name', async () => {
    const url = await ownAccount();
    const folder = newFolder();
    const missing = join(folder, 'missing');

    expect(await entitable('push', '--from', missing, '--to', url)).toEqual({
      code: 1,
      lines: [],
      errors: `error: there is no folder or archive ${missing}\n`,
    });
    const pulled = await entitable('pull', '--from', url, '--to', folder, '--table', 'Pest');

    expect(existsSync(missing)).toBe(false);
    expect(pulled.code).toBe(1);
    expect(pulled.lines[0]).toMatch(/^Pest: failed: TableNotFound: /);
    expect(await dumpOfFolder(folder)).toEqual({});
  });
});

describe('a signature', () => {
  it('that does not allow to write leaves entities refused, until a better one is given', async () => {
    const url = await ownAccount();
    const folder = await fullFolder();
    await at(url).createTable('Pets');
    const sasFor = (permissions: string) =>
      generateAccountSas({
        ...{ account: nameAt(url), key: KEY, permissions, resourceTypes: 'sco' },
        expiresOn: new Date(Date.now() + 3_600_000),
      } as never);
    const words = ['--from', folder, '--table', 'Pets'];

    const weak = await entitable('push', ...words, '--to', `${url}?${await sasFor('rl')}`);
    const environment = { AZURE_STORAGE_SAS_TOKEN: await sasFor('rwdlacu') };
    const strong = await entitableIn({ environment }, 'push', ...words, '--to', url);

    expect(weak.code).toBe(1);
    expect(weak.lines.filter((line) => line.startsWith('Pets: refused: '))).toHaveLength(2);
    expect(weak.lines.join()).toContain('AuthorizationPermissionMismatch');
    expect(strong.code).toBe(0);
    expect((await dumpOf(at(url)))['Pets']).toHaveLength(2);
  });

  it('is not shown when no account answers', async () => {
    const url = 'http://127.0.0.1:1/devstoreaccount1?sv=2019-02-02&sig=c2VjcmV0';

    const { code, errors } = await entitable('pull', '--from', url, '--to', newFolder());

    expect(code).toBe(1);
    expect(errors).toMatch(/^error: No answer was received\./);
    expect(errors).not.toContain('c2VjcmV0');
  });
});

describe('hints', () => {
  it('say that there is no credential', async () => {
    const words = ['pull', '--from', await ownAccount(), '--to', newFolder()];
    const all = await entitableIn({ environment: {} }, ...words);
    const one = await entitableIn({ environment: {} }, ...words, '--table', 'Pets');

    expect([all.code, one.code]).toEqual([1, 1]);
    for (const text of [all.errors, one.lines.join()]) {
      expect(text).toContain('The command has no credential: set AZURE_STORAGE_CONNECTION_STRING');
    }
  });

  it('say that a signature for one table lists no tables', async () => {
    const url = await ownAccount();
    await at(url).createTable('Pets');
    const sas = await generateTableSas({
      ...{ account: nameAt(url), key: KEY, table: 'Pets', permissions: 'raud' },
      expiresOn: new Date(Date.now() + 3_600_000),
    });
    const words = ['pull', '--from', `${url}?${sas}`, '--to', newFolder()];

    const all = await entitableIn({ environment: {} }, ...words);
    const one = await entitableIn({ environment: {} }, ...words, '--table', 'Pets');

    expect(all.code).toBe(1);
    expect(all.errors).toContain('Name the tables with --table');
    expect(one).toMatchObject({ code: 0, errors: '' });
  });
});

it('the partition with an empty key is moved like any other', async () => {
  const url = await ownAccount();
  const pets = at(url).tableClient('Pets');
  await at(url).createTable('Pets');
  for (const partitionKey of ['', 'p']) await pets.createEntity({ partitionKey, rowKey: '1' });
  const folder = newFolder();
  const words = ['--from', url, '--to', folder, '--table', 'Pets', '--partition', ''];

  const { lines } = await entitable('pull', ...words);

  expect(lines).toEqual(['Pets: 1 entity, 1 received, 0 sent']);
});

it('a connection string has the address, too', async () => {
  const url = await ownAccount();
  const folder = await fullFolder();
  const environment = {
    AZURE_STORAGE_CONNECTION_STRING: `AccountName=${nameAt(url)};AccountKey=${KEY};TableEndpoint=${url}`,
  };

  const { code } = await entitableIn({ environment }, 'push', '--from', folder);

  expect(code).toBe(0);
  expect((await dumpOf(at(url)))['Birds']).toHaveLength(FLOCK);
});

it('a network that comes back in time is waited for', async () => {
  let left = 2;
  const { url } = await openFaultProxy(await ownAccount(), async ({ path }, forward) => {
    if (isBatch(path) && left-- > 0) return 'lost';
    return await forward();
  });
  const folder = await fullFolder();

  const { code } = await entitable('push', '--from', folder, '--to', url, '--table', 'Birds');

  expect(code).toBe(0);
  expect((await dumpOf(at(url)))['Birds']).toHaveLength(FLOCK);
});

it('an archive that has changed on the way is not taken for the one before', async () => {
  const target = await ownAccount();
  const { url } = await openFaultProxy(target, async ({ path }, forward) =>
    isBatch(path) ? TOO_LARGE : await forward(),
  );
  const file = await archiveOf(await fullFolder());
  const words = ['push', '--from', file, '--to', url, '--table', 'Pets'];
  expect((await entitable(...words)).code).toBe(1);
  expect(readFileSync(`${file}.tables/entitable.sync.json`, 'utf8')).toContain(url);
  utimesSync(file, new Date(0), new Date(0));

  const { code, errors } = await entitable(...words);

  expect(code).toBe(1);
  expect(errors).toContain('has changed since it was restored');
});

it('an archive is not restored over a folder that has forgotten its push', async () => {
  const url = await ownAccount();
  const { url: proxy } = await openFaultProxy(url, async ({ path }, forward) =>
    isBatch(path) ? TOO_LARGE : await forward(),
  );
  const file = await archiveOf(await fullFolder());
  await entitable('push', '--from', file, '--to', proxy);
  await entitable('forget', '--folder', `${file}.tables`);

  const { code, errors } = await entitable('push', '--from', file, '--to', url);

  expect(code).toBe(1);
  expect(errors).toContain(`${file}.tables exists, and does not belong to a push of ${file}.`);
  expect((await dumpOfFolder(`${file}.tables`))['Birds']).toHaveLength(FLOCK);
});

it('nothing is left of an archive that cannot be restored', async () => {
  const file = join(newFolder(), 'backup.jsonl');
  writeFileSync(file, 'no archive\n');

  const { code } = await entitable('push', '--from', file, '--to', await ownAccount());

  expect(code).toBe(1);
  expect(readdirSync(dirname(file))).toEqual(['backup.jsonl']);
});
