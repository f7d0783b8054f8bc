import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../js/src/base/error-codes.js';
import { ANSWER_NAMES } from '../../js/src/core/frames.js';
import * as OPERATION from '../../js/src/core/operation.js';
import * as SCHEMA_NUMBERS from '../../js/src/entity/schema-numbers.js';
import * as TYPE_NUMBERS from '../../js/src/entity/type-numbers.js';
import { generateLimits, LIMITS_FILE } from '../../scripts/generate-limits.mjs';

const header = (name: string) =>
  readFileSync(new URL(`../../core/include/entitable/${name}`, import.meta.url), 'utf8');

const coreSource = (path: string) =>
  readFileSync(new URL(`../../core/src/${path}`, import.meta.url), 'utf8');

// What stands between the name of a list and the empty line behind it.
const listOf = (text: string, name: string) => text.split(name)[1]!.split('\n\n')[0]!;

const camelCase = (name: string) =>
  name.replace(/^[A-Z]/, (c) => c.toLowerCase()).replace(/_(\w)/g, (_, c) => c.toUpperCase());

// The enumerators of a type, with the first letter in lower case.
const enumerators = (text: string, name: string) =>
  Object.fromEntries(
    [...listOf(text, `enum class ${name}`).matchAll(/\bk(\w+) = (\d+)/g)].map(
      ([, enumerator, number]) => [camelCase(enumerator!), Number(number)],
    ),
  );

const upperSnake = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

describe('the lists that C++ and TypeScript both hold', () => {
  it('name the same errors with the same statuses', () => {
    const list = header('error.h')
      .split('#define ENTITABLE_ERROR_CODES')[1]!
      .split('enum class')[0]!;
    const codes = [...list.matchAll(/\bX\((\w+), (\d+),/g)].map(([, code, status]) => [
      code,
      Number(status),
    ]);

    expect(codes.length).toBeGreaterThan(20);
    expect(Object.entries(ERROR_CODES)).toEqual(codes);
  });

  it('name the same rules, but for those that run in TypeScript alone', () => {
    const inCpp = [...header('violation.h').matchAll(/\bX\(\w+, "([\w-]+)"\)/g)];
    const source = new URL('../../js/src/base/issue.ts', import.meta.url);
    const type = readFileSync(source, 'utf8').split('export type RuleCode =')[1]!.split(';')[0]!;
    const inTypeScript = [...type.matchAll(/^ *\| '([\w-]+)'/gm)];
    const names = (matches: RegExpMatchArray[]) => matches.map(([, name]) => name);

    expect(inCpp.length).toBeGreaterThan(30);
    // The core runs no code of an app.
    const own = ['schema-pattern', 'schema-refine'];
    expect(names(inTypeScript)).toEqual([...names(inCpp), ...own]);
  });

  it('hold the same limits', () => {
    expect(readFileSync(LIMITS_FILE, 'utf8')).toBe(generateLimits());
  });

  it('name the same types of properties with the same numbers', () => {
    const types = Object.entries(enumerators(coreSource('model/value.h'), 'EdmType'));

    expect(types.length).toBe(8);
    expect(SCHEMA_NUMBERS.TYPE_NAMES.map((name, index) => [camelCase(name), index + 1])).toEqual(
      types,
    );
    expect({ ...TYPE_NUMBERS }).toEqual(
      Object.fromEntries(types.map(([name, number]) => [upperSnake(name), number])),
    );
  });

  it('name the same rules of schemas with the same numbers, and the same flags', () => {
    const format = coreSource('model/schema_format.h');
    const { TYPE_NAMES, RULE_NAMES, isOfLength, ...constants } = SCHEMA_NUMBERS;
    const inCpp = format.matchAll(/std::uint8_t k(\w+) = (\d+)/g);

    expect(RULE_NAMES.map((name, index) => [name, index + 1])).toEqual(
      Object.entries(enumerators(format, 'SchemaRule')),
    );
    expect(constants).toEqual(
      Object.fromEntries([...inCpp].map(([, name, number]) => [upperSnake(name!), Number(number)])),
    );
  });

  it('name the same operations with the same numbers', () => {
    const list = listOf(coreSource('request/operation_fields.h'), 'ENTITABLE_OPERATIONS(X)');
    const kinds = [...list.matchAll(/X\((\w+), (\d+), \w+\)/g)].map(([, name, number]) => [
      camelCase(name!),
      Number(number),
    ]);

    expect(kinds.length).toBeGreaterThan(10);
    expect(Object.entries(OPERATION.OPERATION_KINDS)).toEqual(kinds);
  });

  it('name the same fields of operations with the same tags', () => {
    const list = listOf(coreSource('request/operation_fields.h'), 'ENTITABLE_FIELDS(X)');
    const fields = [...list.matchAll(/X\((\d+), [\w:<>]+, (\w+)\)/g)].map(([, tag, name]) => [
      camelCase(name!),
      Number(tag),
    ]);

    expect(fields.length).toBeGreaterThan(20);
    const { OPERATION_TAGS, IMPORT_PART_TAG } = OPERATION;
    // Only requests of HTTP have If-None-Match.
    const ownFields = { ifNoneMatch: 5, importPart: IMPORT_PART_TAG };
    expect({ ...OPERATION_TAGS, ...ownFields }).toEqual(Object.fromEntries(fields));
    expect(coreSource('request/frame.cc')).toContain(`kPartTag = ${OPERATION.PART_TAG};`);
  });

  it('name the same flags of operations, and fields of answers', () => {
    const frame = coreSource('request/frame.cc');
    const tags = Object.entries(ANSWER_NAMES).map(([tag, name]) => [name, Number(tag)]);

    expect(OPERATION.FLAGS).toEqual(enumerators(frame, 'OperationFlag'));
    expect({ ...Object.fromEntries(tags), part: 6 }).toEqual(enumerators(frame, 'ResponseTag'));
  });
});
