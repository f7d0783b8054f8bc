import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../../js/src/commands/line/options.js';
import {
  parseForget,
  parseMove,
  type MoveCommand,
} from '../../../../js/src/commands/move/move-arguments.js';

const URL = 'https://contoso.table.core.windows.net';

// The line behind `entitable`.
function parse(line: string) {
  const [command, ...words] = line.split(' ');
  return parseMove(command as MoveCommand, words);
}

describe('the command line of a move', () => {
  it.each([
    [`pull --from ${URL} --to ./f`, './f', URL],
    [`push --from ./f --to ${URL}`, './f', URL],
    [`sync --from ./f --to ${URL}`, './f', URL],
    [`sync --from ${URL} --to ./f`, './f', URL],
    // A connection string has the address.
    ['pull --to ./f', './f', undefined],
    ['push --from ./f', './f', undefined],
    ['sync --from ./f', './f', undefined],
    ['sync --to ./f', './f', undefined],
  ])('has a folder and an address: %s', (line, folder, url) => {
    expect(parse(line)).toMatchObject({ folder, url });
  });

  it('moves all tables, and leaves conflicts open', () => {
    expect(parse(`push --from f --to ${URL}`)).toEqual({
      command: 'push',
      folder: 'f',
      url: URL,
      tables: [],
      partitions: undefined,
      conflict: 'report',
      isQuiet: false,
    });
  });

  it('takes tables, partitions, and who wins', () => {
    const line = `sync --from f --to ${URL} --table A --table=B --partition p --partition q=r --conflict local --quiet`;

    expect(parse(line)).toMatchObject({
      tables: ['A', 'B'],
      partitions: ['p', 'q=r'],
      conflict: 'local',
      isQuiet: true,
    });
  });

  it.each([
    ['pull', 'pull takes --from URL --to FOLDER'],
    [`pull --from ${URL}`, 'pull takes --from URL --to FOLDER'],
    [`pull --from ./f --to ${URL}`, 'pull takes --from URL --to FOLDER'],
    ['pull --from ./f --to ./g', 'pull takes --from URL --to FOLDER'],
    ['push', 'push takes --from FOLDER --to URL'],
    [`push --to ${URL}`, 'push takes --from FOLDER --to URL'],
    ['push --to ./f', 'push takes --from FOLDER --to URL'],
    [`push --from ${URL} --to ./f`, 'push takes --from FOLDER --to URL'],
    ['push --from ./f --to ./g', 'URL begins with https: or http:'],
    ['sync', 'sync takes --from FOLDER --to URL'],
    [`sync --from ${URL} --to ${URL}`, 'sync takes --from FOLDER --to URL'],
    ['sync --from ./f --to ./g', 'URL begins with https: or http:'],
    [`push --from f --to ${URL} --conflict maybe`, '--conflict is one of report, merge, local, '],
    [`pull --from ${URL} --to f --conflict local`, 'no option --conflict'],
    [`pull --from ${URL} --from ${URL} --to f`, '--from is given twice'],
    [`pull --from ${URL} --to f --table`, '--table needs a value'],
    [`pull --from ${URL} --to f --port 1`, 'no option --port'],
  ])('refuses "%s"', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });

  it.each([
    'push --from f --to SAS',
    'push SAS',
    'pull --from f --to SAS',
    'sync --from SAS --SAS',
  ])('shows no signature, wherever it is typed: %s', (line) => {
    const typed = line.replaceAll('SAS', '?sv=2019-02-02&sig=c2VjcmV0');

    expect(() => parse(typed)).toThrow(/^(?!.*c2VjcmV0)/);
  });

  it('forgets a folder', () => {
    expect(parseForget(['--folder', './f'])).toBe('./f');
    expect(() => parseForget([])).toThrow('forget takes --folder FOLDER');
  });
});
