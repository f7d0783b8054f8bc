import { describe, expect, it } from 'vitest';

import {
  decodeNames,
  encodeNames,
  NAMES_LENGTH,
  type NameTable,
} from '../../../../js/src/storage/opfs/names.js';

const id = Uint8Array.from({ length: 16 }, (_, at) => at);
const older: NameTable = { id, number: 7, nextFile: 3, files: new Map([['entitable.store', 2]]) };
const newer: NameTable = {
  id,
  number: 8,
  nextFile: 5,
  files: new Map([
    ['entitable.store', 4],
    ['entitable.store.new-writer', 2 ** 40],
  ]),
};

function fileOf(...tables: readonly NameTable[]): Uint8Array {
  const file = new Uint8Array(NAMES_LENGTH);
  for (const { bytes, offset } of tables.map(encodeNames)) file.set(bytes, offset);
  return file;
}

describe('the table of names', () => {
  it('is the one with the higher number, wherever it is', () => {
    expect(decodeNames(fileOf(older, newer))).toEqual(newer);
    expect(decodeNames(fileOf(newer, { ...older, number: 9 }))).toEqual({ ...older, number: 9 });
    expect(decodeNames(fileOf(newer))).toEqual(newer);
    expect(decodeNames(new Uint8Array(NAMES_LENGTH))).toBeUndefined();
    expect(decodeNames(new Uint8Array())).toBeUndefined();
  });

  it('is the older one, if any bit of the newer one is wrong', () => {
    const { bytes, offset } = encodeNames(newer);
    const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
    for (let bit = 0; bit < 8 * used; bit++) {
      const file = fileOf(older, newer);
      file[offset + (bit >> 3)]! ^= 1 << (bit & 7);
      expect(decodeNames(file), `bit ${bit}`).toEqual(older);
    }
  });

  it('is the older one, if a crash wrote only a part of the newer one', () => {
    const { bytes, offset } = encodeNames(newer);
    const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
    for (let length = 0; length < used; length++) {
      const file = fileOf(older);
      file.set(bytes.subarray(0, length), offset);
      expect(decodeNames(file), `${length} bytes`).toEqual(older);
    }
  });
});
