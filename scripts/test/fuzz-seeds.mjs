// fuzz-seeds.mjs - what the fuzzers begin with: the lines of tests/fuzz/seeds, as bytes.

import { readFileSync } from 'node:fs';

// How a line of NAME.txt becomes an input of NAME_fuzz.
const BYTES_OF = {
  filter: (line) => Buffer.from(line),
  entity_json: (line) => Buffer.from(line),
  operation_frame: (line) => operationFrame(line.split(' ')),
  http_frame: (line) => httpFrame(line.split(' | ')),
  log_record: hexadecimal,
  manifest: hexadecimal,
  leaf_page: hexadecimal,
  schema: hexadecimal,
};

/** One input for each line that is no comment. */
export function readSeeds(name) {
  return readFileSync(`tests/fuzz/seeds/${name}.txt`, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map(BYTES_OF[name]);
}

function hexadecimal(line) {
  return Buffer.from(line.replaceAll(' ', ''), 'hex');
}

function field(tag, bytes) {
  const head = Buffer.alloc(5);
  head.writeUInt8(tag);
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

const PART_TAG = 13;

// "11 1 0 [ 5 1 0 1=Pets ]": kind, level, flags, then tag=text and parts; %20 is a space.
function operationFrame(words) {
  const pieces = [Buffer.from(words.splice(0, 3).map(Number))];
  for (let word; (word = words.shift()) !== undefined && word !== ']';) {
    const [tag, text] = word.split(/=(.*)/s, 2);
    pieces.push(
      word === '['
        ? field(PART_TAG, operationFrame(words))
        : field(Number(tag), Buffer.from(text.replaceAll('%20', ' '))),
    );
  }
  return Buffer.concat(pieces);
}

// "POST /Pets | Accept: x | {}": method and target, headers, and the body, if there is one, in
// which a return symbol stands for the end of a line.
function httpFrame([start, ...rest]) {
  const [method, target] = start.split(/ (.*)/s, 2);
  const pieces = [field(1, Buffer.from(method)), field(2, Buffer.from(target))];
  for (const text of rest) {
    const isHeader = /^[A-Za-z-]+: /.test(text);
    pieces.push(field(isHeader ? 3 : 5, Buffer.from(text.replaceAll('\u23ce', '\r\n'))));
  }
  return Buffer.concat(pieces);
}
