import { describe, expect, it } from 'vitest';

import { accountInHostOf, hostCheckFor, isLoopback } from '../../../../js/src/server/http/hosts.js';

describe('a server on this machine alone', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:10002',
    '127.8.9.1:1',
    'localhost',
    'LOCALHOST:10002',
    'localhost.:1',
    'devstoreaccount1.localhost:10002',
    '[::1]:10002',
    '[::1]',
  ])('answers to %s', (host) => {
    expect(hostCheckFor('127.0.0.1', [])!(host)).toBe(true);
  });

  it.each([
    'evil.example',
    'evil.example:10002',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evillocalhost',
    '128.0.0.1',
    '[::2]:1',
    '',
    'a:b:c',
  ])('does not answer to "%s"', (host) => {
    expect(hostCheckFor('localhost', [])!(host)).toBe(false);
  });

  it('answers to the names of the option, too', () => {
    const check = hostCheckFor('127.0.0.1', ['Tables.example', 'b'])!;

    expect(check('tables.example:9999')).toBe(true);
    expect(check('b')).toBe(true);
    expect(check('localhost')).toBe(true);
    expect(check('c')).toBe(false);
  });
});

describe('an account in a host', () => {
  const accountInHost = accountInHostOf([{ name: 'acct' }, { name: 'shop2' }]);

  it.each([
    ['acct.table.localhost:10002', 'acct'],
    ['ACCT.Table.core.windows.net', 'acct'],
    ['acct-secondary.table.localhost', 'acct'],
    ['shop2.table.a', 'shop2'],
    ['other.table.localhost', undefined],
    ['acct.localhost', undefined],
    ['acct.blob.localhost', undefined],
    ['acct.table', undefined],
    ['acct-secondary2.table.localhost', undefined],
    ['127.0.0.1:10002', undefined],
  ])('is found in %s: %s', (host, account) => {
    expect(accountInHost(host)).toBe(account);
  });

  it('goes before a name that is allowed', () => {
    const check = hostCheckFor('127.0.0.1', ['b.example'], accountInHost)!;
    const hosts = ['acct.table.b.example:1', 'acct-secondary.table.b.example'];

    expect(hosts.map(check)).toEqual([true, true]);
    expect(['other.table.b.example', 'acct.table.c.example', 'acct.b.example'].map(check)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('a server that others can reach', () => {
  it('answers to every name without the option', () => {
    expect(hostCheckFor('0.0.0.0', [])).toBeUndefined();

    const check = hostCheckFor('192.0.2.1', ['a.example'])!;
    expect(['a.example', '192.0.2.1:10002', '127.0.0.1', 'b.example'].map(check)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('an address of this machine alone', () => {
  it('differs from other addresses', () => {
    expect(
      ['127.0.0.1', '127.1.2.3', '::1', 'localhost', '::ffff:127.0.0.1'].map(isLoopback),
    ).toEqual(Array(5).fill(true));
    expect(['0.0.0.0', '::', '10.0.0.1', '1270.0.0.1', 'a127.0.0.1', ''].map(isLoopback)).toEqual(
      Array(6).fill(false),
    );
  });
});
