import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../js/src/base/error-codes.js';
import { OPERATION_KINDS } from '../../js/src/core/frames.js';
import * as SCHEMA_NUMBERS from '../../js/src/entity/schema-numbers.js';
import * as TYPE_NUMBERS from '../../js/src/entity/type-numbers.js';
import { generateLimits, LIMITS_FILE } from '../../scripts/generate-limits.mjs';

const header = (name: string) =>
  readFileSync(new URL(`../../core/include/entitable/${name}`, import.meta.url), 'utf8');

const coreSource = (path: string) =>
  readFileSync(new URL(`../../core/src/${path}`, import.meta.url), 'utf8');

/** The names, without `k`, and the numbers of an enumeration. */
function enumerators(path: string, name: string): [string, number][] {
  const list = coreSource(path).split(`enum class ${name}`)[1]!.split('};')[0]!;
  return [...list.matchAll(/\bk(\w+) = (\d+)/g)].map(([, one, number]) => [one!, Number(number)]);
}

const lowerFirst = (name: string) => name[0]!.toLowerCase() + name.slice(1);
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
    const source = new URL('../../js/src/base/violation.ts', import.meta.url);
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
    const types = enumerators('model/value.h', 'EdmType');

    expect(types.length).toBe(8);
    expect(SCHEMA_NUMBERS.TYPE_NAMES.map((name, index) => [name, index + 1])).toEqual(types);
    expect({ ...TYPE_NUMBERS }).toEqual(
      Object.fromEntries(types.map(([name, number]) => [upperSnake(name), number])),
    );
  });

  it('name the same rules of schemas with the same numbers, and the same flags', () => {
    const rules = enumerators('model/schema_format.h', 'SchemaRule');
    const { TYPE_NAMES, RULE_NAMES, isOfLength, ...constants } = SCHEMA_NUMBERS;
    const inCpp = coreSource('model/schema_format.h').matchAll(/std::uint8_t k(\w+) = (\d+)/g);

    expect(RULE_NAMES.map((name, index) => [name, index + 1])).toEqual(
      rules.map(([name, number]) => [lowerFirst(name), number]),
    );
    expect(constants).toEqual(
      Object.fromEntries([...inCpp].map(([, name, number]) => [upperSnake(name!), Number(number)])),
    );
  });

  it('name the same operations with the same numbers', () => {
    const kinds = enumerators('request/operation_fields.h', 'OperationKind');

    expect(kinds.length).toBeGreaterThan(10);
    expect(Object.entries(OPERATION_KINDS)).toEqual(
      kinds.map(([name, number]) => [lowerFirst(name), number]),
    );
  });
});
