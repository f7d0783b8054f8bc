// Compares tests/conformance/*.json with the tables of the specification. This reader of the tables
// is independent of the generator.

import { readFileSync, readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { generate } from '../../scripts/generate-conformance.mjs';
import type { ConformanceCase, Expectation } from './support/conformance/files.js';

const FOLDER = 'tests/conformance';
const CASES = 559;
const TRUTH_CASE = 398;

interface Row {
  number: number;
  mark: string;
  expected: string;
}

const rows: Row[] = readFileSync(`${FOLDER}/cases.md`, 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\||\|$/g, '').trim());
    return {
      number: Number(cells[0]),
      mark: cells.at(-1)!,
      expected: cells.at(-2)!,
    };
  });

const read = <T>(name: string) => JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as T;
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const cases = names.flatMap((name) => read<ConformanceCase[]>(name));

// The expectations of all steps of a case.
const expectationsOf = (number: number): Expectation[] =>
  cases
    .filter((one) => one.case === number)
    .flatMap(({ steps }) => steps.flatMap((step) => step.expect ?? []));

// The signatures that a case expects of given texts.
const signaturesOf = (number: number): string[] =>
  cases
    .filter((one) => one.case === number)
    .flatMap(({ steps }) => steps.flatMap(({ vector }) => vector?.signature ?? []));

const STATUS = /\b(20[0124]|304|40[013459]|41[235]|501)\b/g;
const statusesIn = (text: string) =>
  (text.replace(/`[^`]*`/g, '').match(STATUS) ?? []).map((status) => Number(status));

describe('the conformance files', () => {
  it('are the output of the generator', () => {
    const files: Record<string, string> = { ...generate() };

    expect(names.sort()).toEqual(Object.keys(files).sort());
    for (const [name, text] of Object.entries(files)) {
      expect(readFileSync(`${FOLDER}/${name}`, 'utf8'), name).toBe(text);
    }
  });

  it('hold every case of the table', () => {
    const held = new Set(cases.map((one) => one.case));

    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: CASES }, (_, i) => i + 1),
    );
    expect([...held].sort((a, b) => a - b)).toEqual(rows.map(({ number }) => number));
  });

  it('give every case the mark and the words of its row', () => {
    const byNumber = new Map(rows.map((row) => [row.number, row]));

    for (const { case: number, mark, expected } of cases) {
      expect({ number, mark, expected }).toEqual(byNumber.get(number));
    }
  });

  it('expect every status that a row names, and of every case some', () => {
    for (const { number, expected } of rows) {
      const stated = expectationsOf(number).flatMap(({ status = [], parts = [] }) => [
        ...[status].flat(),
        ...parts,
      ]);
      const wanted = new Set(statusesIn(expected));
      // The answer to a batch has 202, also if a part failed. A transaction has only the part.
      if (number >= 436 && number <= 478) wanted.delete(202);
      expect(stated, `case ${number}`).toEqual(expect.arrayContaining([...wanted]));
      expect([...stated, ...signaturesOf(number)], `case ${number}`).not.toEqual([]);
    }
  });

  it('expect every error code that a row names', () => {
    for (const { number, expected } of rows) {
      const wanted = [...expected.matchAll(/\b[45]\d\d ([A-Z][a-z]+[A-Z][A-Za-z]+)/g)].map(
        ([, code]) => code,
      );
      const stated = expectationsOf(number).flatMap(({ code = [] }) => code);
      expect(stated, `case ${number}`).toEqual(expect.arrayContaining(wanted));
    }
  });

  it('expect every message that a row quotes behind an error code', () => {
    for (const { number, expected } of rows) {
      const quoted = /[45]\d\d [A-Z]\w+, (?:message starts )?`(?:\d+:)?([^`]+)`/.exec(
        expected,
      )?.[1];
      if (!quoted) continue;
      const stated = expectationsOf(number).map(({ message }) => message);
      expect(stated, `case ${number}`).toContain(quoted);
    }
  });

  it('have every cell of the truth table', () => {
    const lines = readFileSync(`${FOLDER}/truth-table.md`, 'utf8').split('\n');
    const cells = lines
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => line.match(/(?<=\| )[TF](?= \|)/g) ?? []);
    const steps = cases.filter((one) => one.case === TRUTH_CASE).flatMap((one) => one.steps);
    const rowsFound = steps.flatMap((step) => (step.expect?.rows ? [step.expect.rows.length] : []));

    expect(cells).toHaveLength(162);
    expect(rowsFound).toEqual(cells.map((cell) => (cell === 'T' ? 1 : 0)));
  });
});

describe('the page on differences', () => {
  it('names cases that there are', () => {
    const page = readFileSync('docs/reference/differences.md', 'utf8');
    const cells = page.split('\n').flatMap((line) => /\| ([\d–, ]+) \|$/.exec(line)?.[1] ?? []);
    const named = cells.flatMap((cell) => cell.split(', ').flatMap((range) => range.split('–')));

    expect(named.length).toBeGreaterThan(60);
    for (const number of named) expect(rows.map((row) => `${row.number}`)).toContain(number);
  });
});
