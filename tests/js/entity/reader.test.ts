import { describe, expect, it } from 'vitest';

import { readEntities } from '../../../js/src/entity/reader.js';

// The grammar: docs/internals/frames.md.
class Values {
  readonly #numbers: number[] = [];
  #texts = '';

  u8(...bytes: number[]): this {
    this.#numbers.push(...bytes);
    return this;
  }

  u32(number: number): this {
    return this.u8(...new Uint8Array(Uint32Array.of(number).buffer));
  }

  i64(number: bigint): this {
    return this.u8(...new Uint8Array(BigInt64Array.of(number).buffer));
  }

  f64(number: number): this {
    return this.u8(...new Uint8Array(Float64Array.of(number).buffer));
  }

  text(text: string): this {
    this.#texts += text;
    return this.u32(text.length);
  }

  /** Begins a block of a new schema. */
  block(schema: string, rows = 1): this {
    return this.text(schema).u32(rows);
  }

  /** The values of a member of the system: one for each row, or one for all of them. */
  system(...texts: (string | undefined)[]): this {
    this.u32(texts.length);
    for (const text of texts) text === undefined ? this.u32(0xffffffff) : this.text(text);
    return this;
  }

  // Not from the beginning of its buffer, as in the memory of the module.
  bytes(): Uint8Array {
    const size = new Uint8Array(Uint32Array.of(this.#numbers.length).buffer);
    const texts = new TextEncoder().encode(this.#texts);
    return Uint8Array.of(7, ...size, ...this.#numbers, ...texts).subarray(1);
  }
}

const read = (values: Values) => readEntities(values.bytes());

describe('entities that come as values', () => {
  it.each([
    ['a String', new Values().block('1X').text('Rex'), 'Rex'],
    ['a String that is not ASCII', new Values().block('1X').text('é\u{1f600}'), 'é\u{1f600}'],
    ['an Int32', new Values().block('2X').u32(0xfffffff9), -7],
    ['an Int64', new Values().block('3X').i64(-(2n ** 63n)), -(2n ** 63n)],
    ['a Double with a fraction', new Values().block('4X').f64(31.5), 31.5],
    ['an integral Double', new Values().block('4X').f64(3), 3],
    ['a Double that no Int32 can be', new Values().block('4X').f64(3e9), 3e9],
    ['NaN', new Values().block('4X').f64(NaN), NaN],
    ['minus Infinity', new Values().block('4X').f64(-Infinity), -Infinity],
    ['true', new Values().block('5X').u8(1), true],
    ['false', new Values().block('5X').u8(0), false],
    [
      'a DateTime of milliseconds',
      new Values().block('6X').f64(-11644473599877),
      new Date('1601-01-01T00:00:00.123Z'),
    ],
    [
      'a DateTime that no Date can hold',
      new Values().block('6X').f64(NaN).text('9999-12-31T23:59:59.9999999Z'),
      { type: 'DateTime', value: '9999-12-31T23:59:59.9999999Z' },
    ],
    [
      'a Guid',
      new Values().block('7X').text('7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001'),
      { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
    ],
    ['a Binary', new Values().block('8X').u32(2).u8(0, 255), Uint8Array.of(0, 255)],
    ['null, for a property that a select did not find', new Values().block('9X'), null],
  ])('hold %s', (_what, values, value) => {
    expect(read(values)).toEqual([{ X: value }]);
  });

  it('have the members of the service first, and values of the row before', () => {
    const values = new Values().block('0etag.0partitionKey.0rowKey.0timestamp.2A.1B');
    values.system('e').system('p').system('r1').system('t').u32(1).text('b1');
    values.u32(0).u32(1).system(undefined).system(undefined).system('r2').system(undefined);
    values.u32(2).text('b2');
    values.block('0etag.0rowKey.5A').system('e3').system('r3').u8(1);

    const entities = read(values);

    expect(entities).toEqual([
      { etag: 'e', partitionKey: 'p', rowKey: 'r1', timestamp: 't', A: 1, B: 'b1' },
      { etag: 'e', partitionKey: 'p', rowKey: 'r2', timestamp: 't', A: 2, B: 'b2' },
      { etag: 'e3', rowKey: 'r3', A: true },
    ]);
    expect(Object.keys(entities[1]!).join()).toBe('etag,partitionKey,rowKey,timestamp,A,B');
  });

  it('come in blocks, column by column', () => {
    const values = new Values().block('0etag.0partitionKey.0rowKey.0timestamp.1A.2B.9C', 3);
    values.system('e1', undefined, 'e3').system('p').system('r1', 'r2', 'r3');
    values.system('t1', undefined, 't3').text('a').text('').text('é').u32(1).u32(2).u32(3);
    values.u32(0).u32(2).system(undefined, 'e5').system('q').system('r4', 'r5');
    values.system(undefined, 't5').text('x').text('y').u32(4).u32(5);

    const row = (etag: string, partitionKey: string, rowKey: string, timestamp: string) => ({
      ...{ etag, partitionKey, rowKey, timestamp },
      C: null,
    });
    expect(read(values)).toEqual([
      { ...row('e1', 'p', 'r1', 't1'), A: 'a', B: 1 },
      { ...row('e1', 'p', 'r2', 't1'), A: '', B: 2 },
      { ...row('e3', 'p', 'r3', 't3'), A: 'é', B: 3 },
      { ...row('e3', 'q', 'r4', 't3'), A: 'x', B: 4 },
      { ...row('e5', 'q', 'r5', 't5'), A: 'y', B: 5 },
    ]);
  });

  it.each(['partitionKey', 'rowKey', 'timestamp', 'etag'])(
    'have a property of their own named %s under another name',
    (name) => {
      const values = new Values().block(`0etag.1${name}`).system('e').text('a');

      expect(read(values)).toEqual([{ etag: 'e', [`$${name}`]: 'a' }]);
    },
  );

  it('have a property named __proto__ as an own one', () => {
    const [entity] = read(new Values().block('1__proto__.3A').text('a').i64(1n));

    expect(Object.entries(entity!)).toEqual([
      ['__proto__', 'a'],
      ['A', 1n],
    ]);
    expect(Object.getPrototypeOf(entity)).toBe(Object.prototype);
  });

  it('have their own bytes, which stay when the frame is reused', () => {
    const bytes = new Values().block('8X').u32(1).u8(5).bytes();
    const [entity] = readEntities(bytes);

    bytes.fill(0);

    expect(entity).toEqual({ X: Uint8Array.of(5) });
  });

  it('may have many row schemas, each read again', () => {
    const values = new Values();
    const expected: object[] = [];
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 300; i++) {
        values.block(`2A${i}`).u32(i);
        expected.push({ [`A${i}`]: i });
      }
    }

    expect(read(values)).toEqual(expected);
  });

  it('may be none', () => {
    expect(read(new Values())).toEqual([]);
  });
});
