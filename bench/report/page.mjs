// page.mjs - writes docs/concepts/benchmarks.md and its chart from the measurements.

import { writeFileSync } from 'node:fs';

import { appSection } from './app.mjs';
import { chart } from './chart.mjs';
import { FIGURES } from './figures.mjs';
import { firstScreenSection } from './first-screen.mjs';
import { METHOD } from './method.mjs';
import { sharesSection } from './shares.mjs';
import { storeSection } from './store.mjs';
import { downloadTable, engineTable, memoryTable, smallCacheTable, workTable } from './tables.mjs';
import { formSection, validationSection } from './validation.mjs';

export function writeReport({ machine, runs, downloads, firstScreen, ...others }) {
  const { store, validation, form, app } = others;
  const all = Object.entries(runs)
    .map(([key, run]) => ({ run, values: key.split('/')[0], count: Number(key.split('/')[1]) }))
    .sort((a, b) => a.count - b.count);
  const words = all.filter(({ values }) => values === 'words');
  const sections = [
    '# Benchmarks\n\nWritten by `npm run bench`; to change it, run that.',
    machineText(machine, all),
    engineTable(downloads),
    METHOD.cells,
    ...all.map(
      ({ run, values, count }) =>
        `## ${count.toLocaleString('en-US')} entities${values === 'words' ? '' : ', of text that does not compress'}\n\n${workTable(run)}\n${failures(run)}`,
    ),
    words.length > 0 &&
      `## How each cost grows\n\n![The cost of each kind of work by the number of entities](benchmarks.svg)`,
    sharesSection(words),
    ...memorySections(words),
    Object.keys(downloads).length > 0 &&
      `## Download\n\nScripts with the thin adapter of this benchmark, minified, and modules.\n\n${downloadTable(downloads)}`,
    firstScreenSection(firstScreen),
    appSection(app),
    storeSection(store),
    validationSection(validation),
    formSection(form),
    METHOD.work,
  ];
  writeFileSync('docs/concepts/benchmarks.md', `${sections.filter(Boolean).join('\n\n')}\n`);
  if (words.length > 0) writeFileSync('docs/concepts/benchmarks.svg', chart(words));
}

function machineText(machine, all) {
  const dates = all.map(({ run }) => run.at.slice(0, 10)).sort();
  const loads = all.flatMap(({ run }) => run.load);
  if (dates.length === 0) return 'Nothing was measured yet.';
  return (
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB;\n` +
    `Chromium ${machine.chromium}; Node ${machine.node}; ${dates[0]} to ${dates.at(-1)}.\n` +
    `Load average during the runs, with the benchmark itself: ${Math.min(...loads)} to ${Math.max(...loads)}.`
  );
}

function failures({ engines }) {
  return Object.entries(engines)
    .flatMap(([name, { failure, ...figures }]) => [
      ...(failure ? [`\n\`${name}\` failed: ${failure}\n`] : []),
      ...FIGURES.filter((figure) => figures[figure.name]?.failure).map(
        (figure) => `\n\`${name}\` failed at *${figure.what}*: ${figures[figure.name].failure}\n`,
      ),
    ])
    .join('');
}

function memorySections(runs) {
  const sections = [];
  const largest = runs.findLast(({ run }) => run.engines.entitable?.pageMB);
  if (largest) {
    const count = largest.count.toLocaleString('en-US');
    sections.push(
      `## Memory\n\n${count} entities: the browser is started again, opens the store, and scans all of it. The\nmemory of an empty page is subtracted. Only *process of the page* counts WebAssembly memory.\n\n${memoryTable(largest.run)}`,
    );
  }
  const small = runs.filter(({ run }) => run.engines.entitable?.smallPointUs);
  if (small.length > 0) {
    sections.push(
      `## With a page cache of 32 MiB\n\nA new page of Entitable, by the number of entities.\n\n${smallCacheTable(small)}`,
    );
  }
  return sections;
}
