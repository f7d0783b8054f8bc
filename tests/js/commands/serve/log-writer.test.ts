import { expect, it } from 'vitest';

import { LogWriter } from '../../../../js/src/commands/serve/log-writer.js';

const MIB = 2 ** 20;

// A stream whose reader reads when the test says so.
function slowStream() {
  const written: string[] = [];
  let unread = 0;
  const drained: (() => void)[] = [];
  const ends: (() => void)[] = [];
  const stream = {
    get writableLength() {
      return unread;
    },
    destroyed: false as boolean,
    write(text: string, done?: () => void) {
      written.push(text);
      unread += text.length;
      if (done) ends.push(done);
    },
    once: (_: 'drain', listener: () => void) => void drained.push(listener),
  };
  const read = () => {
    unread = 0;
    for (const listener of [...drained.splice(0), ...ends.splice(0)]) listener();
  };
  return { stream, written, read };
}

it('leaves out lines while too much is unread, and says how many', () => {
  const { stream, written, read } = slowStream();
  const { write } = new LogWriter(stream, (lines) => `${lines} left out`);
  const line = 'x'.repeat(MIB / 4 - 1);
  for (let i = 0; i < 4; i++) write(line);
  expect(written).toHaveLength(4);

  for (let i = 0; i < 3; i++) write('more');
  expect(written).toHaveLength(4);
  read();
  write('again');
  expect(written.slice(4)).toEqual(['3 left out\n', 'again\n']);
});

it('writes nothing for a reader that has gone', () => {
  const { stream, written } = slowStream();
  stream.destroyed = true;
  new LogWriter(stream, String).write('a');
  expect(written).toEqual([]);
});

it('waits for a reader, but not for ever', async () => {
  const { stream, read } = slowStream();
  const writer = new LogWriter(stream, String);
  const ending = writer.end(60_000);
  read();
  expect(await ending).toBe(true);
  expect(await writer.end(1)).toBe(false);
});
