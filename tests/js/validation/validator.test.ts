import { beforeAll, describe, expect, it, vi } from 'vitest';

import { loadValidator, type Issue } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { Validator } from '../../../js/src/validation/validator.js';
import { openForTest, openTable } from '../support/accounts.js';
import { FakeCore } from '../support/fake-core.js';
import { tableError } from '../support/rejection.js';

let validator: Validator;

beforeAll(async () => {
  validator = await loadValidator();
});

/** `rule path`, or `rule` where there is no path. */
const rules = (issues: Issue[]) =>
  issues.map(({ rule, path }) => (path === undefined ? rule : `${rule} ${String(path)}`));

const long = 'k'.repeat(513);

describe('a validator', () => {
  it('returns no issue for a valid entity', () => {
    const entity = {
      partitionKey: '',
      rowKey: 'é',
      etag: '*',
      timestamp: '2020-01-01T00:00:00Z',
      flag: true,
      count: 7,
      ratio: NaN,
      large: 2n ** 63n - 1n,
      photo: new Uint8Array(65_536),
      born: new Date(0),
      nothing: undefined,
      nobody: null,
      tag: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
    };

    expect(validator.validateEntity(entity)).toEqual([]);
    expect(validator.validateTableName('Pets')).toEqual([]);
    expect(validator.validatePropertyName('Größe')).toEqual([]);
    expect(validator.validateKey('')).toEqual([]);
  });

  it('lists every broken rule of an entity, with the names that are used here', () => {
    const issues = validator.validateEntity({
      partitionKey: 'a/b',
      'first name': 'Rex',
      age: { type: 'Int32', value: '2147483648' },
      born: { type: 'DateTime', value: '0001-01-01T00:00:00Z' },
      notes: 'n'.repeat(32_769),
      owner: { name: 'Ann' },
      timestamp: 5,
    });

    expect(rules(issues)).toEqual([
      'property-name-reserved timestamp',
      'value-type owner',
      'property-name-character first name',
      'key-character partitionKey',
      'key-missing rowKey',
      'int32-range age',
      'date-time-range born',
      'string-length notes',
    ]);
    expect(issues[3]).toEqual({
      rule: 'key-character',
      path: ['partitionKey'],
      code: 'OutOfRangeInput',
      refusal: "The 'PartitionKey' parameter of value 'a/b' is out of range.",
      message: 'Property "partitionKey" holds "a/b", which has "/" at position 1.',
      position: 1,
      character: '/',
    });
    expect(issues[7]).toMatchObject({ limit: 32_768, actual: 32_769 });
  });

  it('explains each issue, with the value', () => {
    const explain = (members: object) =>
      validator
        .validateEntity({ partitionKey: 'p', rowKey: 'r', ...members })
        .map(({ message }) => message);

    expect(explain({ chip: { type: 'Int64', value: 'x' }, tags: ['a'], owner: {} })).toEqual([
      'Property "tags" holds an array, which has none of the types of the service.',
      'Property "owner" holds an object, which has none of the types of the service.',
      'Property "chip" holds x as Int64, which is not an Int64.',
    ]);
    expect(explain({ rowKey: undefined })).toEqual(['Property "rowKey" is missing.']);
    expect(explain({ etag: 5 })[0]).toContain("Name a property of your own '$etag'");
    expect(validator.validateKey(5 as never)[0]!.message).toBe(
      'The key 5 is not allowed: it is not a string.',
    );
    expect(validator.validatePropertyName('a-b')[0]!.message).toBe(
      'The property name "a-b" is not allowed: "-" at position 1.',
    );
    expect(validator.validateTableName('tables')[0]!.message).toBe(
      'The table name "tables" is not allowed: it is reserved.',
    );
  });

  it('checks names and keys', () => {
    expect(validator.validateTableName('-')).toEqual([
      {
        rule: 'table-name-character',
        code: 'InvalidResourceName',
        refusal: 'The specifed resource name contains invalid characters.',
        message: 'The table name "-" is not allowed: "-" at position 0.',
        position: 0,
        character: '-',
      },
      {
        rule: 'table-name-length',
        code: 'OutOfRangeInput',
        refusal: 'The specified resource name length is not within the permissible limits.',
        message: 'The table name "-" is not allowed: 1 of at least 3 UTF-16 units.',
        limit: 3,
        actual: 1,
      },
    ]);
    expect(rules(validator.validateTableName('TABLES'))).toEqual(['table-name-reserved']);
    expect(validator.validatePropertyName('😀')).toMatchObject([
      { rule: 'property-name-character', position: 0, character: '😀' },
    ]);
    expect(validator.validateKey('😀#')).toMatchObject([{ position: 2, character: '#' }]);
    expect(rules(validator.validateKey('k'.repeat(1025)))).toEqual(['key-length']);
  });

  it('accepts no text that is not well formed', () => {
    expect(rules(validator.validateKey('a\ud800'))).toEqual(['text-encoding']);
    expect(rules(validator.validateTableName('\udc00abc'))).toEqual(['text-encoding']);
    expect(rules(validator.validatePropertyName('a\ud83d'))).toEqual(['text-encoding']);
    const entity = { partitionKey: 'p', rowKey: '\ud800', note: '\udfff', 'a-b': 1 };
    expect(rules(validator.validateEntity(entity))).toEqual([
      'json rowKey',
      'json note',
      'property-name-character a-b',
    ]);
  });

  it('accepts names of members that every object has', () => {
    const entity = JSON.parse('{"partitionKey":"p","rowKey":"r","__proto__":"x","toString":"y"}');

    expect(validator.validateEntity(entity)).toEqual([]);
    expect(rules(validator.validateEntity({ ...entity, PartitionKey: 'q' }))).toEqual([
      'property-duplicate partitionKey',
    ]);
  });

  it('warns of keys that the service may refuse, and refuses them with the profile of the service', async () => {
    const onWarning = vi.fn();
    const lenient = await loadValidator({ onWarning });
    const strict = await loadValidator({ profile: 'service', onWarning });
    const entity = { partitionKey: 'p', rowKey: long };

    expect(strict.validateEntity(entity)).toMatchObject([
      { rule: 'key-length', path: ['rowKey'], limit: 512, actual: 513 },
    ]);
    expect(rules(strict.validateKey(long))).toEqual(['key-length']);
    expect(onWarning).not.toHaveBeenCalled();

    expect(lenient.validateEntity(entity)).toEqual([]);
    expect(onWarning).toHaveBeenLastCalledWith({
      rule: 'key-length',
      path: ['rowKey'],
      code: 'PropertyValueTooLarge',
      refusal: expect.stringContaining('(64KB)'),
      message: expect.stringContaining('513 UTF-16 units; the limit is 512'),
      limit: 512,
      actual: 513,
    });
    expect(lenient.validateKey(long)).toEqual([]);
    expect(onWarning).toHaveBeenCalledTimes(2);
  });

  it('reports an abort of the module', () => {
    const cause = new Error('unreachable');
    const { module } = new FakeCore();
    const broken = new Validator(
      {
        ...module,
        validate() {
          throw cause;
        },
      },
      {},
    );

    expect(() => broken.validateKey('k')).toThrow(
      expect.objectContaining({ code: 'ModuleAborted', cause }),
    );
  });
});

describe('the validator of an account', () => {
  it.each([
    { partitionKey: 'p' },
    { partitionKey: 'p', rowKey: 'a#b' },
    { partitionKey: 'p', rowKey: 'r', 'a-b': 1 },
    { partitionKey: 'p', rowKey: 'r', x: { type: 'Guid', value: 'x' } },
    { partitionKey: 'p', rowKey: 'r', x: [1] },
    { partitionKey: 'p', rowKey: 'r', x: '\ud800' },
    { partitionKey: 'p', rowKey: 'r', etag: 5 },
  ])('puts the code first under which %o is refused', async (entity) => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const refused = account.tableClient('Pets').createEntity(entity as never);

    expect(account.validator.validateEntity(entity)[0]?.code).toBe(
      (await tableError(refused)).code,
    );
  });

  it('uses the profile of the account', async () => {
    const strict = await openForTest({ storage: memoryStorage(), profile: 'service' });
    await strict.createTable('Pets');
    const pets = strict.tableClient('Pets');

    expect(rules(strict.validator.validateKey(long))).toEqual(['key-length']);
    for (const refused of [
      pets.createEntity({ partitionKey: 'p', rowKey: long }),
      pets.upsertEntity({ partitionKey: long, rowKey: 'r' }),
    ]) {
      expect((await tableError(refused)).code).toBe('PropertyValueTooLarge');
    }
    await pets.createEntity({ partitionKey: 'p', rowKey: 'k'.repeat(512) });
  });
});

describe('an account', () => {
  it('warns of keys that it stored, and that the service may refuse', async () => {
    const warnings: Issue[] = [];
    const pets = await openTable({
      storage: memoryStorage(),
      onWarning: (warning) => warnings.push(warning),
    });

    await pets.createEntity({ partitionKey: 'p', rowKey: 'r' });
    await pets.createEntity({ partitionKey: 'p', rowKey: long });
    await pets.getEntity('p', long);
    await pets.submitTransaction([
      ['create', { partitionKey: long, rowKey: '1' }],
      ['upsert', { partitionKey: long, rowKey: '2' }],
    ]);

    expect(warnings.map(({ rule, path, actual }) => [rule, path, actual])).toEqual([
      ['key-length', ['rowKey'], 513],
      ['key-length', ['partitionKey'], 513],
      ['key-length', ['partitionKey'], 513],
    ]);
  });

  it('stores without warnings if there is no listener', async () => {
    const pets = await openTable({ storage: memoryStorage() });

    await pets.createEntity({ partitionKey: 'p', rowKey: long });

    expect(await pets.getEntity('p', long)).toMatchObject({ rowKey: long });
  });
});
