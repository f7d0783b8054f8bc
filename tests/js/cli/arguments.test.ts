import { describe, expect, it } from 'vitest';

import { parseArguments, questionIn, UsageError } from '../../../js/src/cli/arguments.js';

// The account of UseDevelopmentStorage=true: auth of the spec, 5.11.
const EMULATOR = {
  host: '127.0.0.1',
  port: 10002,
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

const parse = (line: string) => parseArguments(line.split(' '));

describe('the command line of the server', () => {
  it("is the emulator's account, only on this machine", () => {
    expect(parse('serve --in-memory')).toEqual({
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
        'serve --data a=b --port 0 --host ::1 --allow-host a.example,b --account acct --key a2V5 --import-azurite f.json --relaxed --loose --quiet',
      ),
    ).toEqual(expected);
    expect(
      parse(
        'serve --quiet --data=a=b --port=0 --host=::1 --allow-host=a.example,b --account=acct --key=a2V5 --import-azurite=f.json --loose --relaxed',
      ),
    ).toEqual(expected);
  });

  it('limits the data in memory', () => {
    expect(parse('serve --in-memory --max-bytes 5000')).toMatchObject({
      maxBytes: 5000,
    });
  });

  it('limits the memory of the module', () => {
    expect(parse('serve --in-memory --max-memory 67108864')).toMatchObject({
      maxMemoryBytes: 67_108_864,
    });
  });

  it.each([
    ['', 'the first word must be the command serve'],
    ['start --in-memory', 'the first word must be the command serve'],
    ['serve', 'say either --data DIR or --in-memory'],
    ['serve --in-memory --data d', 'say either --data DIR or --in-memory'],
    ['serve --in-memory --relaxed', '--relaxed goes with --data'],
    ['serve --data d --max-bytes 9', '--max-bytes goes with --in-memory'],
    ['serve --in-memory --max-memory 67108863', '--max-memory takes a number from 67108864 to '],
    ['serve --in-memory --max-bytes 1k', '--max-bytes takes a number from 1 to '],
    ['serve --in-memory --port', '--port needs a value'],
    ['serve --in-memory --data=', '--data needs a value'],
    ['serve --in-memory --port 65536', '--port takes a number from 0 to 65535'],
    ['serve --in-memory --port 1e3', '--port takes a number'],
    ['serve --in-memory --port -1', '--port takes a number'],
    ['serve --in-memory --verbose', 'no option --verbose'],
    ['serve --in-memory extra', 'word 3 belongs to no option'],
    ['serve extra --in-memory', 'word 2 belongs to no option'],
    ['serve --in-memory --quiet --quiet', '--quiet is given twice'],
    ['serve --in-memory=yes', '--in-memory takes no value'],
    ['serve --in-memory --account acct', '--account and --key go together'],
    ['serve --in-memory --account A-b --key a2V5', 'an account is 3 to 24'],
    ['serve --in-memory --account acct --key no!', 'a key is Base64'],
    // The last letter has bits that no byte has.
    ['serve --in-memory --account acct --key AB==', 'a key is Base64'],
    [
      'serve --in-memory --allow-host a:1',
      '--allow-host takes names of hosts, with commas between and without ports',
    ],
    ['serve --in-memory --allow-host a,,b', '--allow-host takes names of hosts'],
  ])('refuses "%s"', (line, message) => {
    const words = line === '' ? [] : line.split(' ');

    expect(() => parseArguments(words)).toThrow(UsageError);
    expect(() => parseArguments(words)).toThrow(message);
  });

  it.each([
    'serve --in-memory --account acct --key KEY=',
    'serve --in-memory --account acct KEY',
    'serve --in-memory --account acct --KEY',
    'serve --in-memory --account acct --kye=KEY',
    'serve --in-memory --in-memory=KEY',
    'serve --in-memory --port KEY',
    'serve --in-memory --max-bytes KEY',
    'serve --in-memory --allow-host KEY==',
    'serve --in-memory --account KEY --key a2V5',
    'KEY serve',
  ])('shows no key, wherever it is typed: %s', (line) => {
    const words = line.replace('KEY', 'c2VjcmV0IQ==').split(' ');

    expect(() => parseArguments(words)).toThrow(UsageError);
    expect(() => parseArguments(words)).toThrow(/^(?!.*c2VjcmV0)/);
  });

  it.each([
    ['--help', 'help'],
    ['serve --help', 'help'],
    ['serve --in-memory -h', 'help'],
    ['--version', 'version'],
    ['serve --in-memory', undefined],
  ])('asks by "%s" for %s', (line, question) => {
    expect(questionIn(line.split(' '))).toBe(question);
  });
});
