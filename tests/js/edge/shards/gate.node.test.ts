// The gate of a shard, which decides what clients may do while an account is copied.

import { describe, expect, it, vi } from 'vitest';

import { ShardGate } from '../../../../js/src/edge/shards/gate.js';
import { SHARD_HEADER } from '../../../../js/src/edge/shards/protocol.js';
import { BASE_URL, textRecords } from '../../support/shards.js';

describe('the gate of a shard', () => {
  const erased = () => Promise.resolve();
  const asking = (task: string, method = 'GET') =>
    new Request(BASE_URL, { method, headers: { [SHARD_HEADER]: task } });
  const done = () => Promise.resolve(new Response());

  it('closes when the writes that it has let through have ended', async () => {
    const gate = new ShardGate(textRecords(), erased);
    await gate.answer(asking('open'), notCalled);
    const order: string[] = [];
    let end!: (answer: Response) => void;
    const write = new Promise<Response>((resolve) => (end = resolve));
    const writing = gate.answer(new Request(BASE_URL, { method: 'PUT' }), () => write);
    void writing.then(({ status }) => order.push(`written ${status}`));
    const closing = gate.answer(asking('reading'), notCalled);
    void closing.then(() => order.push('closed'));
    // When this is refused, the gate has its new state.
    await vi.waitFor(async () => {
      const put = new Request(BASE_URL, { method: 'PUT' });
      expect((await gate.answer(put, done)).status).toBe(503);
    });
    end(new Response());
    await closing;
    expect(order).toEqual(['written 200', 'closed']);
  });

  it('keeps its state when the object starts again', async () => {
    const record = textRecords();
    await new ShardGate(record, erased).answer(asking('closed'), notCalled);
    const answer = await new ShardGate(record, erased).answer(new Request(BASE_URL), notCalled);
    expect(answer.status).toBe(421);
  });

  it('is closed after everything was deleted, the record too', async () => {
    let text: string | undefined;
    const record = {
      read: () => Promise.resolve(text),
      write: (written: string) => Promise.resolve(void (text = written)),
    };
    const gate = new ShardGate(record, () => Promise.resolve(void (text = undefined)));
    expect((await gate.answer(asking('empty'), notCalled)).status).toBe(204);
    expect(text).toBe('closed');
  });

  it('takes copies only while it is closed', async () => {
    const gate = new ShardGate(textRecords(), erased);
    expect((await gate.answer(asking('fill', 'PUT'), done)).status).toBe(503);
    await gate.answer(asking('closed'), done);
    expect((await gate.answer(asking('fill', 'PUT'), done)).status).toBe(200);
  });
});

const notCalled = () => Promise.reject(new Error('The account must not be asked.'));
