import { describe, expect, it } from 'vitest';

import { parseArguments } from '../../../js/src/cli/arguments.js';
import { questionIn, UsageError } from '../../../js/src/cli/options.js';

// The account of UseDevelopmentStorage=true: auth of the spec, 5.11.
const EMULATOR = {
  host: '127.0.0.1',
  port: 10002,
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

// The line behind `entitable serve`.
const wordsOf = (line: string) => (line === '' ? [] : line.split(' '));
const parse = (line: string) => parseArguments(wordsOf(line));

describe('the command line of the server', () => {
  it("is the emulator's account, only on this machine", () => {
    expect(parse('--in-memory')).toEqual({
      ...EMULATOR,
      allowedHosts: [],
      data: undefined,
      isRelaxed: false,
      azuriteFile: undefined,
      isLoose: false,
      isQuiet: false,
    });
  });

  it('shows another message for each option, with a space or an equals sign', () => {
    const expected = {
      host: '::1',
      port: 0,
      allowedHosts: ['a.example', 'b'],
      data: 'a=b',
      account: 'acct',
      key: 'a2V5',
      isRelaxed: true,
      azuriteFile: 'f.json',
      isLoose: true,
      isQuiet: true,
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
    ['', 'say one of --data DIR, --postgres URL and --in-memory'],
    ['--in-memory --data d', 'say one of --data DIR, --postgres URL and --in-memory'],
    ['--postgres postgres://h/d --data d', 'say one of --data DIR, --postgres URL and'],
    ['--in-memory --relaxed', '--relaxed goes with --data'],
    ['--postgres postgres://h/d --relaxed', '--relaxed goes with --data'],
    ['--postgres postgres://h/d --max-bytes 9', '--max-bytes goes with --in-memory'],
    ['--postgres mysql://h/d', '--postgres takes an address such as postgres://'],
    ['--postgres postgres://h:port/d', '--postgres takes an address such as postgres://'],
    ['--data d --max-bytes 9', '--max-bytes goes with --in-memory'],
    ['--in-memory --max-memory 67108863', '--max-memory takes a number from 67108864 to '],
    ['--in-memory --max-bytes 1k', '--max-bytes takes a number from 1 to '],
    ['--in-memory --port', '--port needs a value'],
    ['--in-memory --data=', '--data needs a value'],
    ['--in-memory --port 65536', '--port takes a number from 0 to 65535'],
    ['--in-memory --port 1e3', '--port takes a number'],
    ['--in-memory --port -1', '--port takes a number'],
    ['--in-memory --verbose', 'no option --verbose'],
    ['--in-memory extra', 'word 3 belongs to no option'],
    ['extra --in-memory', 'word 2 belongs to no option'],
    ['--in-memory --quiet --quiet', '--quiet is given twice'],
    ['--in-memory=yes', '--in-memory takes no value'],
    ['--in-memory --account acct', '--account and --key go together'],
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
