// Transactions whose answers are cut, and calls that end too late.

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { remoteAccount } from '../../../js/src/remote.js';
import { collect } from '../support/accounts.js';
import { rejection } from '../support/rejection.js';
import { answerWith, BASE, hurried, hurriedError, openCloud, type Fault } from './support.js';

const REX = { partitionKey: 'dogs', rowKey: 'rex', age: 7 };

async function openPets(options = {}) {
  const cloud = await openCloud(options);
  await cloud.local.createTable('Pets');
  return {
    ...cloud,
    pets: cloud.remote.tableClient('Pets'),
    here: cloud.local.tableClient('Pets'),
  };
}

describe('the answer to a transaction', () => {
  // The answer, changed.
  const changed =
    (change: (text: string) => string): Fault =>
    async (_, next) => {
      const answer = await next();
      const { status, headers } = answer;
      return new Response(change(await answer.text()), { status, headers });
    };

  it.each([
    ['in the middle of a part', (text: string) => text.slice(0, text.length / 2)],
    ['before its last line', (text: string) => text.slice(0, text.lastIndexOf('--batchresponse'))],
    ['by a whole part', (text: string) => text.replace(/(--changesetresponse\S+\r\n).*?\1/s, '$1')],
  ])('that was cut %s counts as lost', async (_, cut) => {
    const { pets, faults, here } = await openPets();
    faults.push(changed(cut));

    const error = await hurriedError(() =>
      pets.submitTransaction([
        ['create', REX],
        ['create', { ...REX, rowKey: 'zoe' }],
      ]),
    );

    expect(error).toMatchObject({
      code: 'StorageOutcomeUnknown',
      cause: { code: 'EntityAlreadyExists' },
    });
    expect((await collect(here.listEntities())).length).toBe(2);
  });

  it('with a server error in its part is repeated', async () => {
    const { pets, faults, sent } = await openPets();
    faults.push(
      answerWith(
        202,
        { 'Content-Type': 'multipart/mixed; boundary=b' },
        [
          '--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 503 Server Busy\r\n\r\n',
          '{"odata.error":{"code":"ServerBusy","message":{"value":"0:Busy."}}}\r\n--b--\r\n',
        ].join(''),
      ),
    );

    await hurried(() => pets.submitTransaction([['create', REX]]));
    expect(sent.length).toBe(2);
  });
});

describe('the time of a call', () => {
  it('is limited to 30 seconds at the service, and 60 here', async () => {
    const { pets, faults, sent } = await openPets({ retries: 0 });
    let signal: { aborted: boolean } | undefined;
    faults.push((one) => {
      signal = one.signal;
      return new Promise<Response>(() => {});
    });

    const error = await hurriedError(() => pets.getEntity('a', 'b'));

    expect(error).toMatchObject({ code: 'StorageUnavailable', cause: { name: 'TimeoutError' } });
    expect(signal!.aborted).toBe(true);
    expect(new URL(sent[0]!.url).searchParams.get('timeout')).toBe('30');
  });

  it('ends when its signal fires, also if the network does not mind', async () => {
    const { pets, faults, sent } = await openPets();
    const controller = new AbortController();
    faults.push(() => {
      controller.abort();
      return new Promise<Response>(() => {});
    });

    const abortSignal = controller.signal;
    expect(await rejection(pets.upsertEntity(REX, 'Merge', { abortSignal }))).toHaveProperty(
      'name',
      'AbortError',
    );
    expect(await rejection(pets.upsertEntity(REX, 'Merge', { abortSignal }))).toHaveProperty(
      'name',
      'AbortError',
    );
    expect(sent.length).toBe(1);
  });

  it('ends by itself: nothing is left behind', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = () => Promise.resolve(new Response('{"value":[]}'));
    const pets = remoteAccount({ url: BASE, fetch }).tableClient('Pets');

    await collect(pets.listEntities());

    expect(vi.getTimerCount()).toBe(0);
  });
});
