import { describe, expect, it } from 'vitest';

import { odata } from '../../../js/src/entity/odata.js';

describe('the odata tag', () => {
  it.each([
    ['a string', 'abc', `'abc'`],
    ['a string with quotes', "O'Neil", `'O''Neil'`],
    ['a string that would go on', "' or true or 'a' eq '", `''' or true or ''a'' eq '''`],
    ['an Int32', -5, `-5`],
    ['minus zero', -0, `0`],
    ['an integer beyond Int32', 3000000000, `3000000000.0`],
    ['a fraction', 0.1, `0.1`],
    ['a large number', 1e21, `1e+21`],
    ['a small number', 1e-7, `1e-7`],
    ['NaN', NaN, `NaN`],
    ['Infinity', Infinity, `INF`],
    ['minus Infinity', { type: 'Double', value: '-Infinity' }, `-INF`],
    ['a bigint', 5n, `5L`],
    ['a truth value', true, `true`],
    ['null', null, `null`],
    ['a date', new Date(0), `datetime'1970-01-01T00:00:00.000Z'`],
    ['bytes', Uint8Array.of(10, 255), `X'0aff'`],
    ['a Guid', { type: 'Guid', value: 'a455c695' }, `guid'a455c695'`],
    ['a Guid with quotes', { type: 'Guid', value: `' or '` }, `guid''' or '''`],
    [
      'a DateTime',
      { type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' },
      `datetime'2020-01-01T00:00:00.1234567Z'`,
    ],
    ['an Int64', { type: 'Int64', value: '-7' }, `-7L`],
    ['an Int32 by name', { type: 'Int32', value: 7 }, `7`],
    ['an integral Double', { type: 'Double', value: 3 }, `3.0`],
    ['a Boolean', { type: 'Boolean', value: false }, `false`],
    ['a String', { type: 'String', value: "a'" }, `'a'''`],
    ['a Binary', { type: 'Binary', value: 'Cv8=' }, `X'0aff'`],
  ])('writes %s', (_what, value, literal) => {
    expect(odata`A eq ${value} and B`).toBe(`A eq ${literal} and B`);
  });

  it('quotes a string in any place', () => {
    expect(odata`${'a'} eq B`).toBe(`'a' eq B`);
    expect(odata`A eq ${'a'}`).toBe(`A eq 'a'`);
    expect(odata`${'a'}${'b'}`).toBe(`'a''b'`);
  });

  it('only doubles quotes if the template has quotes already', () => {
    expect(odata`A eq '${"O'Neil"}'`).toBe(`A eq 'O''Neil'`);
    expect(odata`A ge 'prefix ${"'"}${5}' and B eq ${'b'}`).toBe(`A ge 'prefix ''5' and B eq 'b'`);
    expect(odata`A eq 'it''s ${'a'}' and B eq ${5n}`).toBe(`A eq 'it''s a' and B eq 5L`);
    expect(odata`T lt datetime'${new Date(0)}'`).toBe(`T lt datetime'1970-01-01T00:00:00.000Z'`);
    expect(odata`G eq guid'${{ type: 'Guid', value: 'a' }}'`).toBe(`G eq guid'a'`);
    expect(odata`A eq '${3000000000}'`).toBe(`A eq '3000000000'`);
  });

  it.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['an object', {}],
    ['an array', ['a']],
    ['a date that is none', new Date(NaN)],
    ['an Int64 that would go on', { type: 'Int64', value: '5 or true' }],
    ['an Int32 that would go on', { type: 'Int32', value: '5 or true' }],
    ['a Boolean that would go on', { type: 'Boolean', value: 'true or true' }],
    ['a lone surrogate', 'a\ud800'],
    ['a lone surrogate with its type', { type: 'String', value: '\udc00' }],
    ['an unknown type', { type: 'Decimal', value: '5' }],
  ])('refuses %s', (_what, value) => {
    expect(() => odata`A eq ${value}`).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
  });

  it('says which value it refuses', () => {
    expect(() => odata`PartitionKey eq ${'a'} and Age gt ${undefined}`).toThrow(
      'A filter has no literal for undefined (after " and Age gt ").',
    );
    expect(() => odata`Age gt ${{ type: 'Int32', value: 'x' }}`).toThrow(
      'A filter has no literal for object (after "Age gt ").',
    );
    expect(() => odata`Name eq ${'a\ud800'}`).toThrow(
      'A filter cannot hold "a\\ud800", which is not well-formed text.',
    );
  });
});
