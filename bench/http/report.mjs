// report.mjs - docs/benchmarks-http.md, from what was measured.

import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

import { SERVERS } from './servers.mjs';

const FILE = 'docs/benchmarks-http.md';

const number = (value) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
const perSecond = (value) => `${number(value)}/s`;
const milliseconds = (value) => `${number(value)} ms`;
const microseconds = (value) => number(value * 1e6);
const megabytes = (value) => `${number(value / 2 ** 20)} MiB`;

// `budget` is how many times better than the emulator it is meant to be.
const ROWS = [
  { title: 'inserts', key: 'inserts', budget: 5 },
  { title: 'point reads', key: 'reads', budget: 5 },
  { title: 'batches of 100 inserts', key: 'batches', budget: 5 },
  { title: 'queries of 1,000 entities', key: 'pages', budget: 5 },
  { title: 'filters over all entities', key: 'scans', budget: 50 },
  { title: 'the same, one at a time', key: 'loneScans', budget: 50 },
];

const row = (title, cells) => `| ${[title, ...cells].join(' | ')} |`;

function tableOf(title, columns, rows) {
  const rule = columns.map(() => '---');
  return [row(title, columns), row('---', rule), ...rows].join('\n');
}

export function writeReport(figures, { atOnce }) {
  const names = Object.keys(SERVERS).filter((name) => name !== 'nothing');
  const ours = names.filter((name) => SERVERS[name].of);
  const rowOf = (title, cell) =>
    row(
      title,
      names.map((name) => cell(figures[name])),
    );
  const rates = tableOf('', names, [
    rowOf('start to first answer', ({ startMs }) => milliseconds(startMs)),
    ...ROWS.map(({ title, key }) => rowOf(title, (found) => perSecond(found[key].perSecond))),
    rowOf('entities that queries and filters met', ({ loaded }) => number(loaded)),
    rowOf('entities in memory', ({ most, loaded }) => number(most ?? loaded)),
    rowOf('memory of the process then', ({ bytes }) => megabytes(bytes)),
    rowOf('the same when empty', ({ emptyBytes }) => megabytes(emptyBytes)),
  ]);
  const times = (name, key) =>
    figures[name][key].perSecond / figures[SERVERS[name].of][key].perSecond;
  const ratios = tableOf(
    'times faster than the emulator',
    [...ours, 'meant to be'],
    ROWS.map(({ title, key, budget }) =>
      row(title, [...ours.map((name) => `${number(times(name, key))} ×`), `${budget} ×`]),
    ),
  );
  const [first] = names;
  const shares = tableOf(
    'microseconds of a processor for one',
    ['client', 'a server that does nothing', ...names],
    ROWS.map(({ title, key }) =>
      row(title, [
        microseconds(figures[first][key].client),
        microseconds(figures.nothing[key].server),
        ...names.map((name) => microseconds(figures[name][key].server)),
      ]),
    ),
  );
  writeFileSync(
    FILE,
    `${[
      '# Benchmarks of the server\n\nWritten by `npm run bench:http`; to change it, run that.',
      machineText(),
      rates,
      ratios,
      METHOD.replace('AT_ONCE', atOnce),
      '## Where the time goes',
      shares,
      SHARES,
    ].join('\n\n')}\n`,
  );
}

const METHOD = `Azurite 3.36 and \`entitable serve\` are processes of their own, and so is the client: the least that signs requests and reads answers, the same for all, with AT_ONCE requests at once
where nothing else is said. Each is done as often again before it is measured, and half as often for queries and filters, so that all run compiled. Entities have eight properties, about 300
bytes in JSON. Batches load them, a thousand to a partition; as many as the emulator takes in 40 seconds, where that is less than 100,000. Queries and filters begin when a server is at rest after
that. A query lists a partition; a filter asks for two properties that are no keys, and finds one entity or none. On disk, the emulator writes its whole file every five seconds and acknowledges
before that; in a folder, Entitable acknowledges what is on the disk, or, \`--relaxed\`, what the system has, which only the loss of power can undo. Memory is what of the process is resident.
Starting is the median of five.`;

const SHARES = `What a process kept processors busy for, kernel included; the clock of the kernel ticks a hundred times a second, so that the last digits of small numbers mean nothing. The server
that does nothing answers with bytes of the same kind over the same HTTP of Node: what it takes is the transport. Where client and server both are small, they wait
for each other and for the system rather than for a processor. So does who sends one request at a time: its client can be no faster than a server that does nothing answers.`;

function machineText() {
  const [{ model }] = cpus();
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
  return `${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${model}, ${number(totalmem() / 2 ** 30)} GiB, Node ${process.version}; load at the end ${load}.`;
}
