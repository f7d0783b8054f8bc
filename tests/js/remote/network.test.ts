// Networks with faults: what is repeated, how often, and what a call then says.

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { TableError } from '../../../js/src/index.js';
import { collect } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import {
  answerWith,
  hurried,
  hurriedError,
  loseAnswer,
  loseRequest,
  openCloud,
  refusal,
  serverBusy,
  type Fault,
} from './support.js';

const REX = { partitionKey: 'dogs', rowKey: 'rex', age: 7 };
const PLAIN = { 'Content-Type': 'text/html' };
const SIGN_IN = '<!doctype html><title>Welcome to the hotel</title>';

async function openPets(options = {}) {
  const cloud = await openCloud(options);
  await cloud.local.createTable('Pets');
  return {
    ...cloud,
    pets: cloud.remote.tableClient('Pets'),
    here: cloud.local.tableClient('Pets'),
  };
}

describe('a read', () => {
  const faults: [string, Fault][] = [
    ['no answer', loseRequest],
    ['a lost answer', loseAnswer],
    ['429', answerWith(429)],
    ['503 of the service', serverBusy()],
    ['500 without a body', answerWith(500)],
    ['a gateway that gives up', answerWith(504, PLAIN, '<h1>Gateway Time-out</h1>')],
    [
      'JSON that was cut off',
      answerWith(200, { 'Content-Type': 'application/json' }, '{"value":[{"Par'),
    ],
  ];

  it.each(faults)('is repeated after %s', async (_, fault) => {
    const { pets, here, faults: next, sent } = await openPets();
    await here.createEntity(REX);
    next.push(fault, fault, fault);

    const [found] = await hurried(() => collect(pets.listEntities()));

    expect(found).toMatchObject(REX);
    expect(sent.length).toBe(4);
    expect(new Set(sent.map(({ url }) => url)).size).toBe(1);
  });

  it('fails after three repeats, with what was missing', async () => {
    const { pets, faults, sent } = await openPets();
    faults.push(...Array<Fault>(5).fill(loseRequest));

    const error = await hurriedError(() => pets.getEntity('dogs', 'rex'));

    expect(error).toMatchObject({ code: 'StorageUnavailable', cause: { message: 'fetch failed' } });
    const why = 'document' in globalThis ? 'a missing CORS rule' : 'no server at this address';
    expect(error.message).toMatch(new RegExp(`No answer was received.*${why}.*RowKey "rex"`));
    expect(sent.length).toBe(4);
  });

  it('fails with the error of the service, if that stays', async () => {
    const { pets, faults } = await openPets();
    faults.push(...Array<Fault>(4).fill(serverBusy()));

    expect(await hurriedError(() => pets.getEntity('a', 'b'))).toMatchObject({
      code: 'ServerBusy',
      statusCode: 503,
    });
  });

  it('is not repeated if the service refuses it, or retries is 0', async () => {
    const first = await openPets();
    expect(await errorCode(first.pets.getEntity('no', 'one'))).toBe('ResourceNotFound');
    expect(first.sent.length).toBe(1);

    const second = await openPets({ retries: 0 });
    second.faults.push(loseRequest);
    expect(await errorCode(second.pets.getEntity('no', 'one'))).toBe('StorageUnavailable');
    expect(second.sent.length).toBe(1);
  });

  it('says what answered in place of the service', async () => {
    const { pets, faults, sent } = await openPets();
    faults.push(answerWith(200, PLAIN, SIGN_IN), answerWith(302, { Location: 'https://hotel/' }));

    const page = await tableError(pets.getEntity('a', 'b'));
    expect(page).toMatchObject({ code: 'StorageUnavailable', statusCode: 503 });
    expect(page.message).toContain(
      'status 200 and text/html, and begins: "<!doctype html><title>Wel',
    );
    const redirect = await tableError(pets.getEntity('a', 'b'));
    expect(redirect.message).toContain('sends the client to another address');
    faults.push(answerWith(407, PLAIN, '<h1>Proxy</h1>'));
    expect((await tableError(pets.getEntity('a', 'b'))).statusCode).toBe(407);
    expect(sent.length).toBe(3);
  });
});

describe('waits', () => {
  // The waits of a call, in the order of its repeats.
  async function waitsOf(...faults: Fault[]): Promise<number[]> {
    const { pets, faults: next } = await openPets();
    const waits: number[] = [];
    const times: number[] = [];
    next.push(
      ...faults.map((fault): Fault => (sent, go) => {
        times.push(Date.now());
        return fault(sent, go);
      }),
      (_, go) => {
        times.push(Date.now());
        return go();
      },
    );
    await hurried(() => collect(pets.listEntities()));
    times.slice(1).forEach((time, i) => waits.push(time - times[i]!));
    return waits;
  }

  it('get longer, and are shortened at random', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await waitsOf(loseRequest, loseRequest, loseRequest)).toEqual([800, 1600, 3200]);

    vi.spyOn(Math, 'random').mockReturnValue(1 - 2 ** -20);
    const [first, second] = await waitsOf(loseRequest, loseRequest);
    expect(first).toBeGreaterThanOrEqual(400);
    expect(first).toBeLessThan(402);
    expect(second).toBeLessThan(802);
  });

  it('are at least what the service asks for, in seconds or as a date', async () => {
    const { pets, faults, sent } = await openPets();
    expect(await waitsOf(serverBusy({ 'Retry-After': '7' }))).toEqual([7000]);
    const [wait] = await waitsOf((...args) =>
      serverBusy({ 'Retry-After': new Date(Date.now() + 20_000).toUTCString() })(...args),
    );
    expect(wait).toBeGreaterThan(18_000);
    expect(wait).toBeLessThanOrEqual(20_000);

    // The clock of the service is another one.
    const later = Date.now() + 3_600_000;
    const [short] = await waitsOf(
      serverBusy({
        Date: new Date(later).toUTCString(),
        'Retry-After': new Date(later + 20_000).toUTCString(),
      }),
    );
    expect(short).toBe(20_000);

    faults.push(serverBusy({ 'Retry-After': '3600' }));
    expect(await errorCode(pets.getEntity('a', 'b'))).toBe('ServerBusy');
    expect(sent.length).toBe(1);
  });

  it('end when the signal fires', async () => {
    const { pets, faults } = await openPets();
    const controller = new AbortController();
    const reason = new Error('enough');
    faults.push(() => {
      queueMicrotask(() => setTimeout(() => controller.abort(reason)));
      return Promise.reject(new TypeError('fetch failed'));
    });

    expect(await rejection(pets.getEntity('a', 'b', { abortSignal: controller.signal }))).toBe(
      reason,
    );
  });
});

describe('a write whose answer was lost', () => {
  it('is repeated, and succeeds if it had no effect', async () => {
    const { pets, here, faults } = await openPets();
    faults.push(loseRequest);
    const { etag } = await hurried(() => pets.createEntity(REX));

    faults.push(loseRequest);
    await hurried(() => pets.updateEntity({ ...REX, age: 8 }, 'Merge', { etag: etag! }));

    expect(await here.getEntity('dogs', 'rex')).toMatchObject({ age: 8 });
  });

  it('has an unknown outcome if the repeat is refused', async () => {
    const { pets, here, faults, sent } = await openPets();
    faults.push(loseAnswer);

    const error = await hurriedError(() => pets.createEntity(REX));

    expect(error).toMatchObject({
      code: 'StorageOutcomeUnknown',
      statusCode: 500,
      cause: { code: 'EntityAlreadyExists' },
      details: { table: 'Pets', rowKey: 'rex' },
    });
    expect(sent.length).toBe(2);
    const { etag } = await here.getEntity('dogs', 'rex');
    faults.push(loseAnswer);
    const update = await hurriedError(() =>
      pets.updateEntity({ ...REX, age: 8 }, 'Merge', { etag }),
    );
    expect(update).toMatchObject({
      code: 'StorageOutcomeUnknown',
      cause: { code: 'UpdateConditionNotSatisfied' },
    });
    faults.push(loseAnswer);
    const deletion = await hurriedError(() => pets.deleteEntity('dogs', 'rex'));
    expect(deletion).toMatchObject({
      code: 'StorageOutcomeUnknown',
      cause: { code: 'ResourceNotFound' },
    });
  });

  it('without a condition succeeds, because a repeat does the same again', async () => {
    const { pets, here, faults } = await openPets();
    faults.push(loseAnswer, loseAnswer);

    await hurried(() => pets.upsertEntity(REX));

    expect(await here.getEntity('dogs', 'rex')).toMatchObject(REX);
  });

  it('has an unknown outcome if no repeat is answered', async () => {
    const { pets, faults } = await openPets();
    faults.push(...Array<Fault>(4).fill(loseRequest));

    expect(await hurriedError(() => pets.upsertEntity(REX))).toMatchObject({
      code: 'StorageOutcomeUnknown',
      cause: { code: 'StorageUnavailable' },
    });
    faults.push(loseRequest, ...Array<Fault>(3).fill(serverBusy()));
    expect(await hurriedError(() => pets.upsertEntity(REX))).toMatchObject({
      code: 'StorageOutcomeUnknown',
      cause: { code: 'ServerBusy' },
    });
  });

  it('keeps the error of the service that says that nothing was done', async () => {
    const { pets, faults } = await openPets();
    faults.push(...Array<Fault>(4).fill(serverBusy()));
    expect(await hurriedError(() => pets.createEntity(REX))).toMatchObject({ code: 'ServerBusy' });

    faults.push(answerWith(403, PLAIN, '<h1>Blocked</h1>'));
    expect(await tableError(pets.createEntity(REX))).toMatchObject({
      code: 'StorageUnavailable',
      statusCode: 403,
    });
    faults.push(loseRequest);
    const bad = { ...REX, rowKey: 'a/b' };
    expect((await hurriedError(() => pets.createEntity(bad))).code).toBe('OutOfRangeInput');
  });

  it('is never taken for a success because something else answered', async () => {
    const { pets, here, faults } = await openPets();
    faults.push(answerWith(200, PLAIN, SIGN_IN));

    expect(await errorCode(pets.upsertEntity(REX))).toBe('StorageOutcomeUnknown');
    faults.push(answerWith(200, PLAIN, SIGN_IN));
    expect(await errorCode(pets.submitTransaction([['create', REX]]))).toBe(
      'StorageOutcomeUnknown',
    );
    expect(await collect(here.listEntities())).toEqual([]);
  });

  it('of a table is repeated without an error', async () => {
    const { remote, local, faults } = await openPets();
    faults.push(loseAnswer);
    await hurried(() => remote.createTable('Cats'));
    faults.push(loseAnswer);
    await hurried(() => remote.deleteTable('Pets'));

    expect((await collect(local.listTables())).map(({ name }) => name)).toEqual(['Cats']);
  });

  it.each<[string, Fault[], string]>([
    ['throttled', Array<Fault>(3).fill(serverBusy()), 'ServerBusy'],
    ['not authorized', [refusal(403, 'AuthorizationFailure')], 'AuthorizationFailure'],
    ['not authenticated', [refusal(401, 'AuthenticationFailed')], 'AuthenticationFailed'],
  ])('of a table has an unknown outcome if the repeat is %s', async (_, repeats, code) => {
    const { remote, local, faults } = await openPets();
    faults.push(loseAnswer, ...repeats);
    const creation = await hurriedError(() => remote.createTable('Cats'));
    faults.push(loseAnswer, ...repeats);
    const deletion = await hurriedError(() => remote.deleteTable('Pets'));

    const unknown = { code: 'StorageOutcomeUnknown', cause: { code } };
    expect([creation, deletion]).toMatchObject([unknown, unknown]);
    expect((await collect(local.listTables())).map(({ name }) => name)).toEqual(['Cats']);
  });
});

it('errors are of the class of all errors', async () => {
  const { pets } = await openPets();

  expect(await rejection(pets.getEntity('a', 'b'))).toBeInstanceOf(TableError);
});
