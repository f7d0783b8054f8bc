// generate-conformance.mjs - writes the cases of the specification as files for the native tests
// and the tests of the module: tests/conformance/*.json.
//
//   node scripts/generate-conformance.mjs
//
// Numbers, marks and expectations come from the table in tests/conformance/cases.md. Each row is
// prose; scripts/conformance/ has its steps. Nothing comes from our own code.

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

// Each section: the steps of single rows, and a function for all other rows.
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

/** The contents of the files, by their names. */
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
  // The steps of 7.11 again, as bytes.
  const batches = rows.filter((row) => row.number in BATCHES);
  files['batches.json'] = lines(batches.map((row) => caseOf(row, BATCHES[row.number](row))));
  // These requests do not reach the core, so only the suite of the handler runs them.
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

// One case per line, so that a diff shows single cases.
const lines = (items) => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  for (const name of readdirSync(FOLDER)) if (name.endsWith('.json')) rmSync(`${FOLDER}/${name}`);
  for (const [name, text] of Object.entries(generate())) writeFileSync(`${FOLDER}/${name}`, text);
}
