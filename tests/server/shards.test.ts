// The tables of a Worker, moved to one with another number of objects.

import type { MiniflareOptions } from 'miniflare';
import { expect, it, onTestFinished } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { bundled, startWorker } from '../js/support/durable-object/workerd.js';
import { exampleNamed } from '../package/support/documents.js';
import { newFolder } from '../package/support/serve.js';
import { at, dumpOf, entitable, fillRemote } from './support/move.js';

const { account: ACCOUNT, key: KEY } = DEVELOPMENT_ACCOUNT;

async function workerWith(shards: number): Promise<string> {
  const contents = `
    import { tableWorker } from 'entitable/edge';
    import wasm from 'entitable/entitable.wasm';
    const { TableObject, worker } = tableWorker({ wasm, shards: ${shards} });
    export { TableObject, worker as default };`;
  const worker = startWorker(await bundled({ contents }), {
    durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
    bindings: { ENTITABLE_ACCOUNTS: `${ACCOUNT}:${KEY}` },
  } as Partial<MiniflareOptions>);
  onTestFinished(() => worker.dispose());
  return `${(await worker.ready).origin}/${ACCOUNT}`;
}

it('moves an account to another number of objects', { timeout: 120_000 }, async () => {
  const [from, to] = [await workerWith(2), await workerWith(3)];
  const folder = newFolder();
  await fillRemote(from);

  const commands = exampleNamed('docs/guides/edge.md', 'move.sh')
    .replaceAll('https://one.example.workers.dev/pets', from)
    .replaceAll('https://two.example.workers.dev/pets', to)
    .replaceAll('./tables', folder)
    .trim()
    .split('\n');
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    const [, , ...words] = command.split(' ');
    const { code, errors } = await entitable(...words);
    expect(code, errors).toBe(0);
  }
  expect(await dumpOf(at(to))).toEqual(await dumpOf(at(from)));
});
