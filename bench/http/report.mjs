// report.mjs - docs/benchmarks-http.md, from what was measured.

import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

import { SERVERS } from './servers.mjs';

const FILE = 'docs/benchmarks-http.md';

const number = (value) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
const perSecond = (value) => `${number(value)}/s`;
const milliseconds = (value) => `${number(value)} ms`;
const megabytes = (value) => `${number(value / 2 ** 20)} MiB`;

// `budget` is how many times better than the emulator it is meant to be.
const ROWS = [
  { title: 'inserts', of: ({ inserts }) => inserts, as: perSecond, budget: 5 },
  { title: 'point reads', of: ({ reads }) => reads, as: perSecond, budget: 5 },
  { title: 'batches of 100 inserts', of: ({ batches }) => batches, as: perSecond, budget: 5 },
  { title: 'queries of 1,000 entities', of: ({ pages }) => pages, as: perSecond, budget: 5 },
  {
    title: 'filters over all entities',
    of: ({ scans }) => scans,
    as: perSecond,
    budget: 50,
  },
];

export function writeReport(figures, { atOnce }) {
  const names = Object.keys(SERVERS);
  const row = (title, cells) => `| ${[title, ...cells].join(' | ')} |`;
  const ours = names.filter((name) => SERVERS[name].of);
  const ratio = (name, of) => of(figures[name]) / of(figures[SERVERS[name].of]);
  const table = [
    row('', names),
    row(
      '---',
      names.map(() => '---'),
    ),
    row(
      'start to first answer',
      names.map((name) => milliseconds(figures[name].startMs)),
    ),
    ...ROWS.map(({ title, of, as }) =>
      row(
        title,
        names.map((name) => as(of(figures[name]))),
      ),
    ),
    row(
      'entities that queries and filters met',
      names.map((name) => number(figures[name].loaded)),
    ),
    row(
      'entities in memory',
      names.map((name) => number(figures[name].most ?? figures[name].loaded)),
    ),
    row(
      'memory of the process then',
      names.map((name) => megabytes(figures[name].bytes)),
    ),
    row(
      'the same when empty',
      names.map((name) => megabytes(figures[name].emptyBytes)),
    ),
  ];
  const ratios = [
    row('times faster than the emulator', [...ours, 'meant to be']),
    row(
      '---',
      [...ours, ''].map(() => '---'),
    ),
    ...ROWS.map(({ title, of, budget }) =>
      row(title, [...ours.map((name) => `${number(ratio(name, of))} ×`), `${budget} ×`]),
    ),
  ];
  writeFileSync(
    FILE,
    `${[
      '# Benchmarks of the server\n\nWritten by `npm run bench:http`; to change it, run that.',
      machineText(),
      table.join('\n'),
      ratios.join('\n'),
      `Azurite 3.36 and \`entitable serve\` are processes of their own, and so is the client: the least that signs requests and reads answers, the same for all, with ${atOnce} requests at once,
but one at a time for filters. Entities have eight properties, about 300 bytes in JSON. Batches load them, a thousand to a partition; as many as the emulator takes in 25 seconds,
where that is less than 100,000. A query lists a partition; a filter asks for two properties that are no keys, and finds one entity or none. On disk, the
emulator writes its whole file every five seconds and acknowledges before that; in a folder, Entitable acknowledges what is on the disk. Memory is what of the process is
resident. Starting is the median of five.`,
    ].join('\n\n')}\n`,
  );
}

function machineText() {
  const [{ model }] = cpus();
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
  return `${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${model}, ${number(totalmem() / 2 ** 30)} GiB, Node ${process.version}; load at the end ${load}.`;
}
