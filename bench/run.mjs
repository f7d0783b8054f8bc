// run.mjs - `npm run bench`: measures, writes docs/concepts/benchmarks.md, and prints the aims.
//
//   npm run bench                                     everything: some hours
//   npm run bench -- --sizes 10000 --rounds 1         a first look: minutes
//   npm run bench -- --engines idb,entitable --only points,ranges
//   npm run bench -- --values random --sizes 100000   text that does not compress
//   npm run bench -- --store                          counts instead of times, in Node
//   npm run bench -- --validation                     validation, in Node
//   npm run bench -- --app                            what apps do with declared tables
//   npm run bench -- --first-screen                   until the first list of a page is there
//   npm run bench -- --downloads                      only the sizes of the engines
//   npm run bench -- --form                           only the sizes of a page with a form
//   npm run bench -- --report                         only writes the page again
//
// All other figures stay as they are in bench/results.json.

import { parseArgs } from 'node:util';

import { build } from '../scripts/build.mjs';
import { installPeers } from '../scripts/install.mjs';
import { enterProject } from '../scripts/lib/project.mjs';
import { Problem, main, say, step } from '../scripts/lib/terminal.mjs';
import { aimLines } from './aims.mjs';
import { BASELINE, ENGINES } from './engines.mjs';
import { measureDownloads, measureEngines } from './measure.mjs';
import { writeReport } from './report/page.mjs';
import { Results } from './results.mjs';
import { STEPS, stepsOf } from './steps.mjs';
import { measureForm } from './validation/form-sizes.mjs';

const OPTIONS = {
  app: { type: 'boolean', default: false },
  downloads: { type: 'boolean', default: false },
  'first-screen': { type: 'boolean', default: false },
  form: { type: 'boolean', default: false },
  engines: { type: 'string', default: Object.keys(ENGINES).join() },
  only: { type: 'string', default: STEPS.join() },
  report: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  sizes: { type: 'string' },
  store: { type: 'boolean', default: false },
  validation: { type: 'boolean', default: false },
  values: { type: 'string', default: 'words' },
};

// Incompressible text and limited memory are measured at one size.
const SIZES = { words: '10000,100000,1000000', random: '100000' };

function listOf(text, known) {
  const names = text.split(',');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new Problem(`nothing is called ${unknown}`, `choose of ${known.join(', ')}`);
  return names;
}

function numbersOf(text) {
  const numbers = text.split(',').map(Number);
  if (numbers.some((number) => !(number >= 1000))) {
    throw new Problem(`${text} are no sizes`, 'a size is 1000 or more');
  }
  return numbers;
}

async function measure(options, results) {
  await build('package');
  // These two import what was built.
  if (options.store) {
    const { measureStore } = await import('./store/measure.mjs');
    return measureStore(results);
  }
  if (options.form) return measureForm(results);
  await step('installed the peers', () => installPeers('bench'));
  if (options.app) {
    const { measureApp } = await import('./app/measure.mjs');
    return measureApp(results);
  }
  if (options['first-screen']) {
    const { measureFirstScreen } = await import('./first-screen/measure.mjs');
    const sizes = options.sizes && numbersOf(options.sizes);
    return measureFirstScreen({ sizes }, results);
  }
  if (options.validation) {
    const { measureValidation } = await import('./validation/measure.mjs');
    return measureValidation(results);
  }
  const names = listOf(options.engines, Object.keys(ENGINES));
  if (options.downloads) return measureDownloads(names, results);
  if (!names.includes(BASELINE)) names.unshift(BASELINE);
  const steps = stepsOf(listOf(options.only, STEPS));
  const [values] = listOf(options.values, Object.keys(SIZES));
  for (const count of numbersOf(options.sizes ?? SIZES[values])) {
    // An engine with a record for each entity needs minutes to load a million.
    const rounds = Number(options.rounds ?? (count > 100_000 ? 1 : 3));
    await measureEngines({ names, steps, values, count, rounds }, results);
  }
}

enterProject();
await main(async () => {
  const { values: options } = parseArgs({ options: OPTIONS });
  const results = Results.read();
  if (!options.report) await measure(options, results);
  writeReport(results.data);
  for (const line of aimLines(results.data)) say(line);
});
