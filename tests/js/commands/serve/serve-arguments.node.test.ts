import { describe, expect, it } from 'vitest';

import { questionIn, UsageError } from '../../../../js/src/commands/line/options.js';
import { parseArguments } from '../../../../js/src/commands/serve/serve-arguments.js';

// The account of UseDevelopmentStorage=true: auth of the spec, 5.11.
const EMULATOR = {
  name: 'devstoreaccount1',
  keys: [
    'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  ],
};

// The line behind `entitable serve`.
const wordsOf = (line: string) => (line === '' ? [] : line.split(' '));
const parse = (line: string) => parseArguments(wordsOf(line));

describe('the command line of the server', () => {
  it("is the emulator's account, only on this machine", () => {
    expect(parse('--in-memory')).toEqual({
      host: '127.0.0.1',
      port: 10002,
      accounts: [EMULATOR],
      authentication: 'keys',
      allowedHosts: [],
      logFormat: 'text',
      isQuiet: false,
      withoutEffect: [],
    });
  });

  it('shows another message for each option, with a space or an equals sign', () => {
    const expected = {
      host: '::1',
      port: 0,
      allowedHosts: ['a.example', 'b'],
      data: 'a=b',
      accounts: [{ name: 'acct', keys: ['a2V5'] }],
      durability: 'relaxed',
      azuriteFile: 'f.json',
      authentication: 'anonymous',
      logFormat: 'text',
      isQuiet: true,
      withoutEffect: [],
    };

    expect(
      parse(
        '--data a=b --port 0 --host ::1 --allow-host a.example,b --account acct --key a2V5 --import-azurite f.json --relaxed --loose --quiet',
      ),
    ).toEqual(expected);
    expect(
      parse(
        '--quiet --data=a=b --port=0 --host=::1 --allow-host=a.example,b --account=acct --key=a2V5 --import-azurite=f.json --loose --relaxed',
      ),
    ).toEqual(expected);
  });

  it('takes the number of connections to PostgreSQL', () => {
    expect(parse('--postgres postgres://h/d --postgres-connections 3')).toMatchObject({
      postgres: 'postgres://h/d',
      postgresConnections: 3,
    });
  });

  it.each([
    ['--location d', '--data d'],
    ['--inMemoryPersistence', '--in-memory'],
    ['--tableHost 0.0.0.0 --tablePort=1 --location d', '--host 0.0.0.0 --port 1 --data d'],
    ['--in-memory --silent', '--in-memory --quiet'],
    ['--in-memory --skipApiVersionCheck --disableTelemetry', '--in-memory'],
    ['-s -l d', '--quiet --data d'],
    ['-sl d', '--quiet --data d'],
    ['azurite-table -l d', '--data d'],
    ['--in-memory --account acct --account-key a2V5', '--in-memory --account acct --key a2V5'],
  ])('reads %s like %s', (line, like) => {
    expect(parse(line)).toEqual(parse(like));
  });

  it('takes a line for the emulator, and tells what has no effect', () => {
    const line =
      'azurite --blobHost 0.0.0.0 --blobPort 1 --blobKeepAliveTimeout 5 --queueHost 0.0.0.0 ' +
      '--queuePort 2 --queueKeepAliveTimeout 5 --tableHost 0.0.0.0 --tableKeepAliveTimeout 5 ' +
      '--extentMemoryLimit 9 -d ./debug.log -l /data -s';
    const { withoutEffect, ...others } = parse(line);

    expect(withoutEffect).toEqual([
      ...['--blobHost', '--blobPort', '--blobKeepAliveTimeout', '--queueHost', '--queuePort'],
      ...['--queueKeepAliveTimeout', '--tableKeepAliveTimeout', '--extentMemoryLimit', '--debug'],
    ]);
    expect({ ...others, withoutEffect: [] }).toEqual(parse('--host 0.0.0.0 --data /data --quiet'));
  });

  it('keeps accounts out of hosts on request', () => {
    expect(parse('--in-memory --disableProductStyleUrl').accountInHost).toBe(false);
  });

  it('has HTTPS with --cert, where --key is the file of its key, as in the emulator', () => {
    expect(parse('--in-memory --cert c.pem --key k.pem')).toMatchObject({
      certificateFiles: { cert: 'c.pem', key: 'k.pem' },
      accounts: [EMULATOR],
    });
    expect(
      parse('--in-memory --cert c.pem --key k.pem --account acct --account-key a2V5'),
    ).toMatchObject({
      certificateFiles: { cert: 'c.pem', key: 'k.pem' },
      accounts: [{ name: 'acct', keys: ['a2V5'] }],
    });
    expect(parse('--in-memory --cert c.pfx --pwd secret --oauth basic')).toMatchObject({
      certificateFiles: { pfx: 'c.pfx', passphrase: 'secret' },
      oauth: 'basic',
    });
  });

  it('takes accounts from the environment, unless the command line names one', () => {
    const environment = { AZURITE_ACCOUNTS: 'first:a2V5:b3RoZXI=;second:a2V5;' };
    const accountsOf = (line: string) => parseArguments(wordsOf(line), environment).accounts;

    expect(accountsOf('--in-memory')).toEqual([
      { name: 'first', keys: ['a2V5', 'b3RoZXI='] },
      { name: 'second', keys: ['a2V5'] },
    ]);
    expect(accountsOf('--in-memory --account acct --key a2V5')).toEqual([
      { name: 'acct', keys: ['a2V5'] },
    ]);
    expect(parseArguments(['--in-memory'], { AZURITE_ACCOUNTS: '' }).accounts).toEqual([EMULATOR]);
  });

  it.each([
    ['first', 'takes accounts as name:key'],
    ['first:a2V5:a2V5:a2V5', 'takes accounts as name:key'],
    ['first:a2V5,second:a2V5', 'has a key that is not Base64'],
    ['First:a2V5', 'names accounts by 3 to 24 lower-case letters and digits'],
    ['first:no!', 'has a key that is not Base64'],
    ['first:', 'has a key that is not Base64'],
    ['first:a2V5;first:b3RoZXI=', 'names an account twice'],
    [';', 'names no account'],
  ])('refuses the accounts "%s" of the environment, and shows no key', (list, message) => {
    const parseList = () => parseArguments(['--in-memory'], { AZURITE_ACCOUNTS: list });

    expect(parseList).toThrow(UsageError);
    expect(parseList).toThrow(`AZURITE_ACCOUNTS ${message}`);
    expect(parseList).not.toThrow(/a2V5|no!/);
  });

  it.each(['postgres://u:p@h:5432/d', 'postgresql:///d?host=/run'])(
    'takes a database: %s',
    (url) => {
      expect(parse(`--postgres ${url}`)).toMatchObject({ postgres: url, data: undefined });
    },
  );

  it('limits the data in memory', () => {
    expect(parse('--in-memory --max-bytes 5000')).toMatchObject({
      maxBytes: 5000,
    });
  });

  it('limits the memory of the module', () => {
    expect(parse('--in-memory --max-memory 67108864')).toMatchObject({
      maxMemoryBytes: 67_108_864,
    });
  });

  it.each([
    ['', 'give one of --data DIR, --postgres URL and --in-memory'],
    ['--in-memory --data d', 'give one of --data DIR, --postgres URL and --in-memory'],
    ['--postgres postgres://h/d --data d', 'give one of --data DIR, --postgres URL and'],
    ['--in-memory --relaxed', '--relaxed goes with --data'],
    ['--postgres postgres://h/d --relaxed', '--relaxed goes with --data'],
    ['--postgres postgres://h/d --max-bytes 9', '--max-bytes goes with --in-memory'],
    ['--postgres mysql://h/d', '--postgres takes an address such as postgres://'],
    ['--postgres postgres://h:port/d', '--postgres takes an address such as postgres://'],
    ['--data d --max-bytes 9', '--max-bytes goes with --in-memory'],
    ['--in-memory --max-memory 67108863', '--max-memory takes a number from 67108864 to '],
    ['--in-memory --max-bytes 1k', '--max-bytes takes a number from 1 to '],
    ['--in-memory --port', '--port needs a value'],
    ['--in-memory --tablePort', '--tablePort needs a value'],
    ['--inMemoryPersistence=yes', '--inMemoryPersistence takes no value'],
    ['--in-memory --data=', '--data needs a value'],
    ['--in-memory --port 65536', '--port takes a number from 0 to 65535'],
    ['--in-memory --port 1e3', '--port takes a number'],
    ['--in-memory --port -1', '--port takes a number'],
    ['--in-memory --verbose', 'no option --verbose'],
    ['--in-memory extra', 'word 3 belongs to no option'],
    ['extra --in-memory', 'word 2 belongs to no option'],
    ['--in-memory --quiet --quiet', '--quiet is given twice'],
    ['--in-memory=yes', '--in-memory takes no value'],
    ['--in-memory --account acct', '--account needs --account-key KEY'],
    ['--in-memory --key k.pem', '--key goes with --account NAME or with --cert FILE'],
    ['--in-memory --account-key a2V5', '--account-key needs --account NAME'],
    ['--in-memory --postgres-connections 1', '--postgres-connections goes with --postgres'],
    ...['0', '1001', '1.5', 'x'].map((count) => [
      `--postgres postgres://h/d --postgres-connections ${count}`,
      '--postgres-connections takes a number from 1 to 1000',
    ]),
    ['--in-memory --cert c.pem', '--cert needs --key FILE with its key in PEM, or --pwd'],
    ['--in-memory --cert c --key k --pwd p', '--key for files in PEM, or --pwd for a PFX file'],
    ['--in-memory --pwd p', '--pwd goes with --cert'],
    [
      '--in-memory --cert c --key a2V5 --account acct',
      'with --cert, --key is the key of the certificate: give that of the account by --account-key',
    ],
    [
      '--in-memory --key a2V5 --account-key a2V5 --account acct',
      'without --cert, --key and --account-key are the same',
    ],
    ['--in-memory --oauth basic', '--oauth goes with --cert'],
    ['--in-memory --cert c --key k --oauth full', '--oauth takes the word basic'],
    ['--in-memory --cert c --key k --oauth basic --loose', '--loose accepts every request, so'],
    ['--in-memory --inMemoryPersistence', '--inMemoryPersistence (--in-memory) is given twice'],
    ['--data d --location e', '--location (--data) is given twice'],
    ['--in-memory --tablePrt 1', 'no option --tablePrt'],
    ['--in-memory --account A-b --key a2V5', 'an account is 3 to 24'],
    ['--in-memory --account acct --key no!', 'a key is Base64'],
    // The last letter has bits that no byte has.
    ['--in-memory --account acct --key AB==', 'a key is Base64'],
    [
      '--in-memory --allow-host a:1',
      '--allow-host takes names of hosts, with commas between and without ports',
    ],
    ['--in-memory --allow-host a,,b', '--allow-host takes names of hosts'],
  ])('refuses "%s"', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });

  it.each([
    '--in-memory --account acct --key KEY=',
    '--in-memory --account acct KEY',
    '--in-memory --account acct --KEY',
    '--in-memory --account acct --kye=KEY',
    '--in-memory --in-memory=KEY',
    '--in-memory --port KEY',
    '--in-memory --max-bytes KEY',
    '--in-memory --allow-host KEY==',
    '--in-memory --account KEY --key a2V5',
    '--in-memory --account acct --account-key KEY=',
    '--in-memory --cert c --oauth KEY',
    'KEY --in-memory',
  ])('shows no key, wherever it is typed: %s', (line) => {
    const typed = line.replace('KEY', 'c2VjcmV0IQ==');

    expect(() => parse(typed)).toThrow(UsageError);
    expect(() => parse(typed)).toThrow(/^(?!.*c2VjcmV0)/);
  });

  it.each([
    ['--help', 'help'],
    ['--help', 'help'],
    ['--in-memory -h', 'help'],
    ['--version', 'version'],
    ['--in-memory', undefined],
  ])('asks by "%s" for %s', (line, question) => {
    expect(questionIn(line.split(' '))).toBe(question);
  });
});
