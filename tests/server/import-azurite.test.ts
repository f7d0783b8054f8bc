// Tables that the emulator has written are taken over by the server.

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { beforeAll, describe, expect, it } from 'vitest';

import { collect } from '../js/support/accounts.js';
import { newFolder, run, serve } from '../package/support/serve.js';
import { startAzurite } from './support/azurite.js';

const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const options = { allowInsecureConnection: true };
const FILE = '__azurite_db_table__.json';

const ALL_TYPES = {
  name: 'Rex \u00e9\u{1f600}',
  age: 7,
  weight: 31.5,
  whole: { type: 'Double', value: '3' },
  huge: { type: 'Double', value: 'Infinity' },
  isVaccinated: true,
  chip: { type: 'Int64', value: '9223372036854775807' },
  born: { type: 'DateTime', value: '2017-03-05T00:00:00.1234567Z' },
  tag: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
  photo: { type: 'Binary', value: 'AH//' },
} as const;

type Dump = Record<string, unknown[]>;

// All tables with all their entities, without etags and the members of every answer.
async function dumpOf(url: string): Promise<Dump> {
  const credential = new AzureNamedKeyCredential('devstoreaccount1', KEY);
  const dump: Dump = {};
  for await (const { name = '' } of new TableServiceClient(url, credential, options).listTables()) {
    const table = new TableClient(url, name, credential, options);
    const entities = await collect(table.listEntities({ disableTypeConversion: true }));
    dump[name] = entities.map(({ etag: _, timestamp, ...entity }) => ({
      ...entity,
      // The emulator writes seven digits.
      timestamp: timestamp?.replace(/0+Z$/, 'Z'),
    }));
  }
  return dump;
}

describe("the import of the emulator's file", () => {
  let file: string;
  let written: Dump;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
    const emulator = await startAzurite(folder);
    const credential = new AzureNamedKeyCredential('devstoreaccount1', KEY);
    for (const name of ['Pets', 'birds', 'Empty']) {
      await new TableServiceClient(emulator.url, credential, options).createTable(name);
    }
    const pets = new TableClient(emulator.url, 'Pets', credential, options);
    await pets.createEntity({ partitionKey: "O'Neil \u00e9", rowKey: 'a b', ...ALL_TYPES });
    await pets.createEntity({ partitionKey: '', rowKey: '2' });
    await pets.createEntity({ partitionKey: '', rowKey: '10', name: 'gone' });
    await pets.updateEntity({ partitionKey: '', rowKey: '10', age: 1 }, 'Replace');
    const birds = new TableClient(emulator.url, 'birds', credential, options);
    for (let i = 0; i < 1500; i++)
      await birds.upsertEntity({ partitionKey: `${i % 7}`, rowKey: `${i}`, i });
    written = await dumpOf(emulator.url);
    await emulator.stop();
    file = join(folder, FILE);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  it('has every table, entity and type, and the timestamps', async () => {
    const server = await serve('--in-memory', '--quiet', '--import-azurite', file);

    expect(await dumpOf(server.url.href)).toEqual(written);
    expect(written['birds']).toHaveLength(1500);
  });

  it('keeps them in a folder, and starts again with the same words', async () => {
    const words = ['--data', newFolder(), '--import-azurite', file];
    const first = await serve(...words);
    await first.stop();
    const second = await serve(...words);

    expect(await dumpOf(second.url.href)).toEqual(written);
    await second.stop();
  });

  it.each([
    ['that is not there', undefined, /ENOENT/],
    ['that is no JSON', '{"collections":', /is not JSON/],
    ['of something else', '{"pets":[]}', /is no database of LokiJS/],
    ['without a list of tables', '{"collections":[]}', /no list of tables/],
  ])('refuses a file %s', async (_, text, reason) => {
    const bad = join(newFolder(), FILE);
    if (text !== undefined) writeFileSync(bad, text);

    expect(await refusalOf(bad, newFolder())).toMatch(reason);
  });

  it('names an entity that the service would refuse, and stores the rest', async () => {
    const bad = join(newFolder(), FILE);
    writeFileSync(bad, readFileSync(file, 'utf8').replace('"9223372036854775807"', '"many"'));
    const data = newFolder();

    expect(await refusalOf(bad, data)).toMatch(
      /^warning: left out entity \('O'Neil \u00e9', 'a b'\) of table Pets, property chip: InvalidInput: /,
    );
    const server = await serve('--data', data, '--import-azurite', bad);
    const { Pets: pets, ...others } = written;
    expect(await dumpOf(server.url.href)).toEqual({ Pets: pets!.slice(0, -1), ...others });
    await server.stop();
  });
});

/** The output of a command that does not start. */
async function refusalOf(file: string, data: string): Promise<string> {
  const child = run('serve', '--port', '0', '--data', data, '--import-azurite', file);
  let text = '';
  child.stderr!.on('data', (piece) => (text += piece));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  return text;
}
