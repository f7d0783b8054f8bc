import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../js/src/base/error-codes.js';
import { OPERATION_KINDS } from '../../js/src/core/frames.js';
import * as TYPE_NUMBERS from '../../js/src/entity/type-numbers.js';
import { generateLimits, LIMITS_FILE } from '../../scripts/generate-limits.mjs';

const header = (name: string) =>
  readFileSync(new URL(`../../core/include/entitable/${name}`, import.meta.url), 'utf8');

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
    const source = new URL('../../core/src/model/value.h', import.meta.url);
    const list = readFileSync(source, 'utf8').split('enum class EdmType')[1]!.split('};')[0]!;
    const types = [...list.matchAll(/\bk(\w+) = (\d+)/g)].map(([, name, number]) => [
      name!.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(),
      Number(number),
    ]);

    expect(types.length).toBe(8);
    expect({ ...TYPE_NUMBERS }).toEqual(Object.fromEntries(types));
  });

  it('name the same operations with the same numbers', () => {
    const source = new URL('../../core/src/request/operation_fields.h', import.meta.url);
    const list = readFileSync(source, 'utf8').split('enum class OperationKind')[1]!.split('};')[0]!;
    const kinds = [...list.matchAll(/k(\w+) = (\d+)/g)].map(([, name, number]) => [
      name![0]!.toLowerCase() + name!.slice(1),
      Number(number),
    ]);

    expect(kinds.length).toBeGreaterThan(10);
    expect(Object.entries(OPERATION_KINDS)).toEqual(kinds);
  });
});
