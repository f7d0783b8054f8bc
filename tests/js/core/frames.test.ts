import { describe, expect, it } from 'vitest';

import {
  bytesOf,
  operationFrame,
  readAnswer,
  submitFrame,
  supplySnapshot,
  type Operation,
} from '../../../js/src/core/frames.js';
import { FakeCore } from '../support/fake-core.js';

function submitted(operation: Operation): number[] {
  const { module, frames } = new FakeCore();
  const engine = new module.Engine('a', 'b', new Uint8Array(32), false, 0, Infinity);
  submitFrame(module, engine, engine.places(), operationFrame(operation));
  return [...frames[0]!];
}

const field = (tag: number, ...bytes: number[]) => [tag, bytes.length, 0, 0, 0, ...bytes];

describe('how much an operation takes while it waits', () => {
  it('grows with each text, and with the texts of each part', () => {
    const kind = 'deleteEntity';
    const none = bytesOf({ kind });
    for (const member of ['partitionKey', 'rowKey', 'filter', 'body']) {
      const one = { kind, [member]: 'x'.repeat(1000) } as const;

      expect(bytesOf(one)).toBe(none + 1000);
      expect(bytesOf({ kind: 'transaction', parts: [one, one] })).toBe(3 * none + 2000);
    }
  });
});

describe('an operation frame', () => {
  it('names the kind, the level with typed doubles, and that inserts answer without the entity', () => {
    expect(submitted({ kind: 'createTable' })).toEqual([1, 3, 1]);
  });

  it('holds each field under its tag, as UTF-8, and the body last', () => {
    const frame = submitted({
      kind: 'getEntity',
      body: '{}',
      table: 'T',
      partitionKey: 'é',
      rowKey: '',
      ifMatch: '*',
      filter: 'f',
      select: 's',
      top: '5',
      nextPartitionKey: 'p',
      nextRowKey: 'r',
      nextTableName: 't',
      position: '7',
    });

    expect(frame).toEqual([
      ...[6, 3, 1],
      ...field(1, 84),
      ...field(2, 0xc3, 0xa9),
      ...field(3),
      ...field(4, 42),
      ...field(6, 102),
      ...field(7, 115),
      ...field(8, 53),
      ...field(9, 112),
      ...field(10, 114),
      ...field(11, 116),
      ...field(15, 55),
      ...field(12, 123, 125),
    ]);
  });

  it('holds the actions of a transaction as operations', () => {
    const frame = submitted({
      kind: 'transaction',
      table: 'T',
      parts: [{ kind: 'insertEntity', body: '{}' }, { kind: 'deleteEntity' }],
    });

    expect(frame).toEqual([
      ...[11, 3, 1],
      ...field(1, 84),
      ...field(13, 5, 3, 1, ...field(12, 123, 125)),
      ...field(13, 10, 3, 1),
    ]);
  });

  it.each([
    ['the first part', { mode: 'Insert', begins: true }, [0, 1]],
    ['the last part', { mode: 'Replace', ends: true }, [1, 2]],
    ['the only part', { mode: 'Merge', begins: true, ends: true }, [2, 3]],
    ['the end of an import that stores no more', { mode: 'Insert', abandons: true }, [0, 4]],
  ] as const)('has %s of an import, and the number of the import', (_what, part, [mode, flags]) => {
    const frame = submitted({
      kind: 'importEntities',
      table: 'T',
      importPart: { import: 0x01020304, ...part },
      body: Uint8Array.of(91, 255),
    });

    expect(frame).toEqual([
      ...[13, 3, 1],
      ...field(14, 4, 3, 2, 1, mode, flags),
      ...field(1, 84),
      ...field(12, 91, 255),
    ]);
  });

  it('marks reads that must read the log first', () => {
    expect(submitted({ kind: 'getEntity', fresh: true })).toEqual([6, 3, 3]);
  });

  it('marks entities that must come as values', () => {
    expect(submitted({ kind: 'getEntity', asValues: true })).toEqual([6, 3, 5]);
  });

  it('marks a list that must come as lines', () => {
    const list = { kind: 'queryTables', asLines: true, fresh: true } as const;
    expect(submitted(list)).toEqual([4, 3, 11]);
  });

  it('writes long fields with all bytes of their length', () => {
    const frame = submitted({ kind: 'insertEntity', body: '€'.repeat(30000) });

    expect(frame.slice(3, 8)).toEqual([12, 0x90, 0x5f, 0x01, 0x00]);
    expect(frame).toHaveLength(8 + 90000);
  });

  it.each(['\ud800', 'a\udc00b', '\udc00\ud800'])(
    'refuses %j, which is not well formed',
    (text) => {
      expect(() => submitted({ kind: 'getEntity', table: 'T', partitionKey: text })).toThrow(
        expect.objectContaining({
          code: 'InvalidInput',
          message: 'One of the request inputs is not valid.',
        }),
      );
    },
  );

  it('refuses values that are no text', () => {
    expect(() => submitted({ kind: 'getEntity', partitionKey: 5 as never })).toThrow(
      expect.objectContaining({ code: 'InvalidInput' }),
    );
  });
});

describe('an answer frame', () => {
  it('may be no more than a status', () => {
    expect(readAnswer(Uint8Array.of(204, 0))).toEqual({ status: 204, parts: [] });
  });

  it('passes the body to its reader', () => {
    let body: number[] = [];
    const frame = Uint8Array.of(...[200, 0], ...field(2, 112), ...field(5, 1, 255));

    expect(readAnswer(frame, (bytes) => (body = [...bytes]))).toEqual({
      status: 200,
      nextPartitionKey: 'p',
      parts: [],
    });
    expect(body).toEqual([1, 255]);
  });

  it('holds fields and parts', () => {
    const frame = Uint8Array.of(
      ...[202, 0],
      ...field(1, 101),
      ...field(2, 112),
      ...field(3, 114),
      ...field(4, 116),
      ...field(8, 55),
      ...field(5, 123, 0xc3, 0xa9, 125),
      ...field(6, 201, 0, ...field(1, 97)),
      ...field(6, 148, 1),
    );

    expect(readAnswer(frame)).toEqual({
      status: 202,
      etag: 'e',
      nextPartitionKey: 'p',
      nextRowKey: 'r',
      nextTableName: 't',
      position: '7',
      body: '{é}',
      parts: [
        { status: 201, etag: 'a', parts: [] },
        { status: 404, parts: [] },
      ],
    });
  });

  it('is read from its offset in the buffer', () => {
    const bytes = Uint8Array.of(9, 9, 204, 0, ...field(1, 101));

    expect(readAnswer(bytes.subarray(2))).toEqual({ status: 204, etag: 'e', parts: [] });
  });
});

describe('a snapshot frame', () => {
  it('holds the values, absent ones too, then the records with their numbers', () => {
    const { module, snapshots } = new FakeCore();
    const engine = new module.Engine('a', 'b', new Uint8Array(32), false, 0, Infinity);

    supplySnapshot(module, engine, 1, {
      values: [Uint8Array.of(7, 8), undefined, new Uint8Array()],
      records: [
        [1, Uint8Array.of(9)],
        [2 ** 40 + 2 ** 31 + 3, new Uint8Array()],
      ],
    });

    expect([...snapshots[0]!]).toEqual([
      ...[3, 0, 0, 0],
      ...[1, 2, 0, 0, 0, 7, 8],
      ...[0],
      ...[1, 0, 0, 0, 0],
      ...[1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9],
      ...[3, 0, 0, 128, 0, 1, 0, 0, 0, 0, 0, 0],
    ]);
  });
});
