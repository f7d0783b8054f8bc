import { describe, expect, it } from 'vitest';

import { submitFrame } from '../../../js/src/core/frames.js';
import { httpFrame, readHttpAnswer } from '../../../js/src/http/frames.js';
import { FakeCore } from '../support/fake-core.js';

const field = (tag: number, ...bytes: number[]) => [tag, bytes.length, 0, 0, 0, ...bytes];

describe('an HTTP request frame', () => {
  it('holds each field under its tag, as UTF-8, and the body last', () => {
    const { module, frames, calls } = new FakeCore();

    const engine = new module.Engine('a', 'b', new Uint8Array(32), false, 0, Infinity);
    const frame = httpFrame({
      method: 'GET',
      target: '/é',
      headers: [
        ['A', 'b'],
        ['A', ''],
      ],
      requestId: 'i',
      body: Uint8Array.of(7, 8),
    });
    submitFrame(module, engine, engine.places(), frame);

    expect([...frames[0]!]).toEqual([
      ...field(1, 71, 69, 84),
      ...field(2, 47, 0xc3, 0xa9),
      ...field(4, 105),
      ...field(3, 65, 58, 98),
      ...field(3, 65, 58),
      ...field(5, 7, 8),
    ]);
    expect(calls).toEqual(['submitHttp']);
  });
});

describe('an HTTP answer frame', () => {
  it('is read into status, headers and body', () => {
    const frame = [0x94, 1, ...field(3, 65, 58, 98, 58, 10, 67, 58, 10), ...field(5, 123)];

    expect(readHttpAnswer(Uint8Array.from(frame))).toEqual({
      status: 404,
      headers: [
        ['A', 'b:'],
        ['C', ''],
      ],
      body: Uint8Array.of(123),
    });
  });

  it('may have no body', () => {
    expect(readHttpAnswer(Uint8Array.of(204, 0, ...field(3))).body).toHaveLength(0);
  });
});
