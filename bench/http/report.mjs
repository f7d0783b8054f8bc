// report.mjs - writes docs/concepts/benchmarks-server.md from the measurements.

import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

import { SERVERS } from './servers.mjs';

const FILE = 'docs/concepts/benchmarks-server.md';

const number = (value) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
const perSecond = (value) => `${number(value)}/s`;
const milliseconds = (value) => `${number(value)} ms`;
const microseconds = (value) => number(value * 1e6);
const megabytes = (value) => `${number(value / 2 ** 20)} MiB`;

const ROWS = [
  { title: 'inserts', key: 'inserts' },
  { title: 'point reads', key: 'reads' },
  { title: 'batches of 100 inserts', key: 'batches' },
  { title: 'queries of 1,000 entities', key: 'pages' },
  { title: 'filters over all entities', key: 'scans' },
  { title: 'the same, one at a time', key: 'loneScans' },
];

const row = (title, cells) => `| ${[title, ...cells].join(' | ')} |`;

function tableOf(title, columns, rows) {
  const rule = columns.map(() => '---');
  return [row(title, columns), row('---', rule), ...rows].join('\n');
}

/** How many times faster than its emulator a server is at a kind of work. */
export const timesFaster = (figures, name, key) =>
  figures[name][key].perSecond / figures[SERVERS[name].of][key].perSecond;

export function writeReport(figures, { atOnce }) {
  const names = Object.keys(SERVERS).filter((name) => name !== 'nothing');
  writeFileSync(
    FILE,
    `${[
      '# Benchmarks of the server\n\nWritten by `npm run bench:http`; to change it, run that.',
      machineText(),
      ratesOf(figures, names),
      ratiosOf(figures, names),
      METHOD.replace('AT_ONCE', atOnce),
      '## Where the time goes',
      sharesOf(figures, names),
      SHARES,
    ].join('\n\n')}\n`,
  );
}

function ratesOf(figures, names) {
  const rowOf = (title, cell) =>
    row(
      title,
      names.map((name) => cell(figures[name])),
    );
  return tableOf('', names, [
    rowOf('start to first answer', ({ startMs }) => milliseconds(startMs)),
    ...ROWS.map(({ title, key }) => rowOf(title, (found) => perSecond(found[key].perSecond))),
    rowOf('entities for queries and filters', ({ loaded }) => number(loaded)),
    rowOf('entities in memory', ({ most, loaded }) => number(most ?? loaded)),
    rowOf('memory of the process then', ({ bytes }) => megabytes(bytes)),
    rowOf('the same when empty', ({ emptyBytes }) => megabytes(emptyBytes)),
  ]);
}

function ratiosOf(figures, names) {
  const ours = names.filter((name) => SERVERS[name].of);
  const cell = (name, key) => `${number(timesFaster(figures, name, key))} ×`;
  return tableOf(
    'times faster than the emulator',
    ours,
    ROWS.map(({ title, key }) =>
      row(
        title,
        ours.map((name) => cell(name, key)),
      ),
    ),
  );
}

function sharesOf(figures, names) {
  const [first] = names;
  return tableOf(
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
}

const METHOD = `Azurite 3.36 and \`entitable serve\` are processes of their own, and so is the client. The client
signs requests and reads answers, and does nothing else. It has AT_ONCE requests under way at once,
unless a row says otherwise.

- **Warm**: before each measurement, the same work goes unmeasured: as much as is measured, or half
  as much for queries and filters.
- **Entities** have eight properties, about 300 bytes in JSON. Batches load them, a thousand to a
  partition: 100,000, or as many as the emulator takes in 40 seconds.
- **Queries** list a partition. **Filters** ask for two properties that are no keys, and find one
  entity or none.
- **On disk**, the emulator writes its whole file every five seconds, and acknowledges before that.
  In a folder, Entitable acknowledges what is on the disk. With \`--relaxed\` it acknowledges what the
  system has, which only the loss of power can undo.
- **Memory** is the resident memory of the process. **Starting** is the median of five.`;

const SHARES = `This is processor time of the process, kernel included. The clock of the kernel ticks a hundred
times a second, so the last digits of small numbers mean nothing. The server that does nothing
answers with bytes of the same kind over the same HTTP of Node: it shows the cost of the transport.
Where client and server are both small, they wait for each other rather than for a processor.

**Threads.** One thread answers all requests. More of them would answer few more reads: to hand a
request to a worker thread and back takes 10 µs of a processor, and a point read without its
transport takes 25 to 30. Filters and lists would gain more. But each thread would
need an engine with pages of its own, and the memory for them. Before each answer it would have to
learn of every commit of the others. Several processes on one PostgreSQL do that.`;

function machineText() {
  const [{ model }] = cpus();
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
  return `${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${model}, ${number(totalmem() / 2 ** 30)} GiB, Node ${process.version}; load at the end ${load}.`;
}
