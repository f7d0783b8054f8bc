// generate-conformance.mjs - the cases of the specification as files that both the
// native tests and those of the module run: tests/conformance/*.json.
//
//   node scripts/generate-conformance.mjs
//
// Numbers, marks, and what is expected come from the table in tests/conformance/cases.md;
// scripts/conformance/ says in steps what a row says in prose.  Nothing comes from the
// product.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { BATCHES } from './conformance/batches.mjs';
import { NAMES, VALUES, propertyInsert, valueInsert } from './conformance/properties.mjs';
import { PAYLOADS } from './conformance/payloads.mjs';
import { PROTOCOL } from './conformance/protocol.mjs';
import { FILTERS, PAGES, PROJECTIONS, filterRow, truthSteps } from './conformance/queries.mjs';
import { outcomeOf, readCases, readTruthTable } from './conformance/table.mjs';
import { KEYS, TABLES, createOnly } from './conformance/tables-and-keys.mjs';
import { SETTINGS } from './conformance/settings.mjs';
import { SIGNATURES } from './conformance/signatures.mjs';
import { TRANSACTIONS } from './conformance/transactions.mjs';
import { INSERTS, UPDATES } from './conformance/writes.mjs';
import { enterProject } from './lib/project.mjs';

const FOLDER = 'tests/conformance';

// Every section: what its rows have of their own, and what the others have in common.
const SECTIONS = {
  7.1: [TABLES, createOnly],
  7.2: [KEYS],
  7.3: [NAMES, propertyInsert],
  7.4: [VALUES, valueInsert],
  7.5: [INSERTS],
  7.6: [UPDATES],
  7.7: [PAYLOADS],
  7.8: [FILTERS, filterRow],
  7.9: [PROJECTIONS],
  '7.10': [PAGES],
  7.11: [TRANSACTIONS],
  7.13: [SETTINGS],
  7.14: [PROTOCOL],
};
const TRUTH_CASE = 398;

/** The files, by name, with what is to stand in each. */
export function generate() {
  const files = {};
  const rows = readCases().map((row) => ({ ...row, outcome: outcomeOf(row.expected) }));
  for (const [section, [own, common]] of Object.entries(SECTIONS)) {
    const cases = rows
      .filter((row) => row.section === section && row.number !== TRUTH_CASE)
      .filter((row) => row.number in own || !(row.number in BATCHES || row.number in SIGNATURES))
      .map((row) => caseOf(row, (own[row.number] ?? common)(row)));
    files[`${section}.json`] = lines(cases);
  }
  const truth = rows.find((row) => row.number === TRUTH_CASE);
  files['truth-table.json'] = lines(
    readTruthTable().map((line) => ({ ...caseOf(truth, truthSteps(line)), title: line.filter })),
  );
  // What the steps of 7.11 ask for, once more as bytes.
  const batches = rows.filter((row) => row.number in BATCHES);
  files['batches.json'] = lines(batches.map((row) => caseOf(row, BATCHES[row.number](row))));
  // Decided before the core is asked: for the suite of the handler alone.
  const signed = rows.filter((row) => row.number in SIGNATURES);
  files['signatures.json'] = lines(signed.map((row) => caseOf(row, SIGNATURES[row.number](row))));
  return files;
}

const caseOf = ({ number, mark, state, request, expected }, steps) => ({
  case: number,
  mark,
  title: [state, request].filter(Boolean).join(': '),
  expected,
  steps,
});

// One case a line, so that a change shows as one.
const lines = (items) => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  for (const name of readdirSync(FOLDER)) if (name.endsWith('.json')) rmSync(`${FOLDER}/${name}`);
  for (const [name, text] of Object.entries(generate())) writeFileSync(`${FOLDER}/${name}`, text);
}
