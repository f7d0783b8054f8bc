// table.mjs - reads the cases from the tables of the specification.

import { readFileSync } from 'node:fs';

const ROW = /^\| (\d+) \| (.*?) \| (.+) \| (.+) \| ([A-Z]) \|$/;

/** Every row of cases.md: { section, number, state, request, expected, mark }. */
export function readCases(path = 'tests/conformance/cases.md') {
  const rows = [];
  let section;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    section = /^## (7\.\d+)/.exec(line)?.[1] ?? section;
    const row = ROW.exec(line);
    if (!row) continue;
    const [, number, state, request, expected, mark] = row.map((cell) => cell.trim());
    rows.push({ section, number: Number(number), state, request, expected, mark });
  }
  return rows;
}

/** The truth table of query of the spec: [{ filter, cells: { S: true, I: false, ... } }]. */
export function readTruthTable(path = 'tests/conformance/truth-table.md') {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [[, ...properties], , ...lines] = rows;
  return lines.map(([filter, ...cells]) => ({
    filter: /`(.*)`/.exec(filter)[1],
    cells: Object.fromEntries(cells.map((cell, i) => [properties[i], cell === 'T'])),
  }));
}

/** The beginning of the cell with the expectation: status, code and message. */
export function outcomeOf(expected) {
  const [, status, code] = /^(\d{3})(?: ([A-Z][A-Za-z]+))?/.exec(expected) ?? [];
  const outcome = { status: Number(status) };
  if (outcome.status < 400) return outcome;
  if (code) outcome.code = code;
  const message = /^\d{3} [A-Za-z]+, (?:message starts )?`(.*?)`/.exec(expected)?.[1];
  if (message) outcome.message = message;
  return outcome;
}
