// Tables that move between a folder and a storage account by the command of the built package.

import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { isWhole } from '../../scripts/test/tier.mjs';
import { entitable } from '../js/support/commands.js';
import { newFolder } from '../package/support/serve.js';
import {
  archiveOf,
  at,
  birds,
  BIRDS,
  dumpOf,
  dumpOfFolder,
  fillRemote,
  fullFolder,
  inFolder,
  isBatch,
  outcomeOf,
  start,
  TOO_LARGE,
  type Running,
} from './support/move.js';
import { openFaultProxy } from './support/fault-proxy.js';
import { emulatorAccount, ownAccount } from './support/remotes.js';

function countingTo(count: number): (fits: boolean) => boolean {
  let left = count;
  return (fits) => fits && --left === 0;
}

const REMOTES = [
  ['the emulator', emulatorAccount],
  ['our own server', ownAccount],
] as const;

it.each(REMOTES)(
  'a whole account moves to %s and back, with exact types',
  async (_, openRemote) => {
    const url = await openRemote();
    const folder = await fullFolder();
    const before = await dumpOfFolder(folder);
    const back = newFolder();

    expect(await entitable('push', '--from', folder, '--to', url)).toEqual({
      code: 0,
      lines: [
        'Birds: 1,500 entities, 0 received, 1,500 sent',
        'Empty: 0 entities, 0 received, 0 sent',
        'Pets: 2 entities, 0 received, 2 sent',
      ],
      errors: '',
    });
    expect(await entitable('pull', '--from', url, '--to', back)).toMatchObject({ code: 0 });

    expect(before['Birds']).toHaveLength(BIRDS);
    expect(await dumpOf(at(url))).toEqual(before);
    expect(await dumpOfFolder(back)).toEqual(before);
    expect(await dumpOfFolder(folder)).toEqual(before);
  },
);

// The whole matrix moves to our own server, too. Otherwise move-folder.test.ts does so.
describe.each(isWhole() ? REMOTES : REMOTES.slice(0, 1))('with %s', (_, openRemote) => {
  let full: Promise<string> | undefined;

  // An account that has Pets and Birds, which nobody changes.
  function filledRemote(): Promise<string> {
    full ??= openRemote().then(async (url) => {
      await fillRemote(url);
      return url;
    });
    return full;
  }

  it('a second pull fetches what has changed, and deletes what was deleted', async () => {
    const url = await openRemote();
    await fillRemote(url);
    const folder = newFolder();
    await entitable('pull', '--from', url, '--to', folder);
    const theirs = at(url).tableClient('Birds');
    await theirs.updateEntity({ partitionKey: '0', rowKey: '3', i: -3 }, 'Replace');
    await theirs.createEntity({ partitionKey: 'new', rowKey: '1' });
    const gone = [...birds()].slice(1350).map((bird) => ['delete', bird] as const);
    await theirs.submitTransaction(gone as never, { split: true });

    const { code, lines } = await entitable('pull', '--from', url, '--to', folder);

    expect({ code, lines }).toEqual({
      code: 0,
      lines: ['Birds: 1,351 entities, 152 received, 0 sent', 'Pets: 1 entity, 0 received, 0 sent'],
    });
    expect(await dumpOfFolder(folder)).toEqual(await dumpOf(at(url)));
  });

  it.each([
    ['push', 'SIGKILL', null],
    ['push', 'SIGINT', 130],
    ['pull', 'SIGKILL', null],
    ['pull', 'SIGTERM', 143],
  ] as const)('a %s that %s ends goes on where it was', async (command, signal, code) => {
    const target = command === 'push' ? await openRemote() : await filledRemote();
    const folder = command === 'push' ? await fullFolder() : newFolder();
    let running: Running | undefined;
    let requests = 0;
    const isTime = countingTo(3);
    const { url } = await openFaultProxy(target, async ({ path }, forward) => {
      requests++;
      const answer = await forward();
      const isFit = command === 'push' ? isBatch(path) : /NextPartitionKey|Birds\(\)/.test(path);
      if (!running || !isTime(isFit)) return answer;
      // It took effect, and nobody has heard of it.
      running.kill(signal);
      await once(running, 'exit');
      return 'lost';
    });
    const words =
      command === 'push'
        ? ['push', '--from', folder, '--to', url]
        : ['pull', '--from', url, '--to', folder];

    running = start(words);
    const killed = await outcomeOf(running);
    running = undefined;
    const before = requests;
    const again = await entitable(...words);

    expect(killed.code).toBe(code);
    if (code !== null)
      expect(killed.errors).toBe('interrupted; the same command goes on from here\n');
    expect(again).toMatchObject({ code: 0, errors: '' });
    expect(requests).toBeGreaterThan(before);
    const there = await dumpOf(at(target));
    expect(there['Birds']).toHaveLength(BIRDS);
    expect(await dumpOfFolder(folder)).toEqual(there);
  });

  it('lists what is refused, and sends it when the reason is gone', async () => {
    let isRefusing = true;
    const target = await openRemote();
    const { url } = await openFaultProxy(target, async ({ path, body }, forward) => {
      if (isRefusing && isBatch(path) && body.includes('"RowKey":"rex"')) return TOO_LARGE;
      return await forward();
    });
    const folder = await fullFolder();
    const words = ['push', '--from', folder, '--to', url, '--quiet'];

    const first = await entitable(...words);
    const without = await dumpOf(at(target));
    isRefusing = false;
    const second = await entitable(...words);

    expect(first).toEqual({
      code: 1,
      lines: [
        'Pets: refused: PartitionKey "dogs", RowKey "rex": PropertyValueTooLarge: It is too large.',
      ],
      errors: '',
    });
    expect(without['Pets']).toHaveLength(1);
    expect(without['Birds']).toHaveLength(BIRDS);
    expect(second).toEqual({ code: 0, lines: [], errors: '' });
    expect(await dumpOf(at(target))).toEqual(await dumpOfFolder(folder));
  });

  it('leaves on both sides what both have changed, until told who wins', async () => {
    const url = await openRemote();
    const folder = await fullFolder();
    const theirs = at(url).tableClient('Pets');
    await theirs.createTable();
    await theirs.createEntity({ partitionKey: 'dogs', rowKey: 'rex', age: 5 });
    const words = ['push', '--from', folder, '--to', url, '--table', 'Pets', '--table', 'Birds'];
    const ageThere = async () => (await theirs.getEntity('dogs', 'rex'))['age'];
    const ageHere = () =>
      inFolder(folder, async (account) => {
        return (await account.tableClient('Pets').getEntity('dogs', 'rex'))['age'];
      });

    for (let round = 0; round < 2; round++) {
      const { code, lines } = await entitable(...words);

      expect(code).toBe(1);
      expect(lines).toContain('Pets: in conflict: PartitionKey "dogs", RowKey "rex"');
      expect([await ageHere(), await ageThere()]).toEqual([undefined, 5]);
      expect((await dumpOf(at(url)))['Pets']).toHaveLength(2);
      expect((await dumpOf(at(url)))['Birds']).toHaveLength(BIRDS);
    }
    // Nobody reads what it prints.
    const unread = start([...words, '--quiet', '--conflict', 'local']);
    unread.stdout.destroy();
    unread.stderr.resume();
    const [unreadCode] = (await once(unread, 'exit')) as [number];
    const resolved = await entitable(...words, '--conflict', 'local');
    const after = await entitable(...words);

    expect(unreadCode).toBe(1);

    expect(resolved.code).toBe(0);
    const [line] = resolved.lines;
    expect(line).toMatch(/^Pets: resolved: PartitionKey "dogs", RowKey "rex": local /);
    expect(line).toMatch(/, remote \{[^{}]*"age":5\}, now /);
    expect([await ageHere(), await ageThere()]).toEqual([undefined, undefined]);
    expect(after).toMatchObject({ code: 0, errors: '' });
    expect(after.lines.join()).not.toContain('resolved');
  });

  it('sync takes what each side has to the other', async () => {
    const url = await openRemote();
    await at(url).createTable('Theirs');
    await at(url).tableClient('Theirs').createEntity({ partitionKey: 'p', rowKey: '1' });
    const folder = await fullFolder();

    const { code, lines } = await entitable('sync', '--from', folder, '--to', url);

    expect({ code, lines: lines.sort() }).toEqual({
      code: 0,
      lines: [
        'Birds: 1,500 entities, 0 received, 1,500 sent',
        'Empty: 0 entities, 0 received, 0 sent',
        'Pets: 2 entities, 0 received, 2 sent',
        'Theirs: 1 entity, 1 received, 0 sent',
      ],
    });
    expect(await dumpOf(at(url))).toEqual(await dumpOfFolder(folder));
  });

  it('moves chosen partitions of chosen tables', async () => {
    const url = await filledRemote();
    const folder = newFolder();
    const words = ['pull', '--from', url, '--to', folder, '--table', 'Birds'];

    const { lines } = await entitable(...words, '--partition', '0', '--partition', '2');

    expect(lines).toEqual(['Birds: 1,000 entities, 1,000 received, 0 sent']);
    expect(Object.keys(await dumpOfFolder(folder))).toEqual(['Birds']);
  });

  it('an archive ends in the cloud, also if it was killed on the way', async () => {
    const target = await openRemote();
    const source = await fullFolder();
    const file = await archiveOf(source);
    let running: Running | undefined;
    const isTime = countingTo(3);
    const { url } = await openFaultProxy(target, async ({ path }, forward) => {
      if (!running || !isTime(isBatch(path))) return await forward();
      running.kill('SIGKILL');
      await once(running, 'exit');
      return 'lost';
    });
    const words = ['push', '--from', file, '--to', url];

    running = start(words);
    await outcomeOf(running);
    running = undefined;
    const again = await entitable(...words);

    expect(again).toMatchObject({ code: 0, errors: '' });
    expect(await dumpOf(at(target))).toEqual(await dumpOfFolder(source));
    expect(existsSync(`${file}.tables`)).toBe(false);
  });
});
