// aims.mjs - the aims of Entitable, and the state of each. A run prints them. The published pages
// show only measurements.

import { FIGURES, median, numberText, ratio } from './report/figures.mjs';

const OURS = 'entitable';

// `times`: how many times better than IndexedDB by hand; `most`: the limit, in the unit of the
// figure; `scanned`: the only number of entities for the aim; `engine`: another one than `OURS`.
const OF_WORK = [
  { name: 'perSecond', times: 20 },
  { name: 'insertMs', times: 1 / 1.1 },
  { name: 'insertsMs', times: 15 },
  { name: 'batchMs', times: 8 },
  { name: 'mergeMs', times: 10 },
  { name: 'pointUs', most: 5 },
  { name: 'rangeUs', most: 100 },
  { name: 'filterMs', most: 6, scanned: 100_000 },
  { name: 'countMs', most: 0.3, scanned: 100_000 },
  { name: 'countMs', most: 4, scanned: 1_000_000 },
  { name: 'firstReadMs', most: 20 },
  { name: 'loadGapMs', most: 50 },
  { name: 'readAllGapMs', most: 30 },
  ...['worker', 'worker-opfs'].flatMap((engine) => [
    { engine, name: 'loadGapMs', most: 20 },
    { engine, name: 'readAllGapMs', most: 30 },
  ]),
];

// At most the time of SQLite on OPFS.
const ON_OPFS = ['insertMs', 'batchMs'];

const OF_STORE = [
  { what: 'bytes written for a byte changed', most: 20, of: ({ writes }) => writes.perByteChanged },
  { what: 'leaf pages of a cold point read', most: 3, of: ({ reads }) => reads.mostLeaves },
  { what: 'bytes stored for a live byte', most: 1.5, of: ({ space }) => space.atMost },
];

// How many times better than the emulator.
const OF_SERVER = { inserts: 5, reads: 8, batches: 5, pages: 5, scans: 100, loneScans: 100 };

const line = (name, value, aim, isMet) =>
  `${isMet ? 'met   ' : 'missed'}  ${name}: ${numberText(value)}, aim ${aim}`;

/** One line for each aim that has a measurement. */
export function aimLines({ runs, store = {} }) {
  const ofWork = Object.entries(runs).flatMap(([key, run]) => {
    const engines = withoutFailed(run.engines);
    const count = Number(key.split('/')[1]);
    const lines = OF_WORK.filter(({ scanned = count }) => scanned === count).flatMap((aim) => {
      const figure = FIGURES.find(({ name }) => name === aim.name);
      const { engine = OURS } = aim;
      const measured = engines[engine]?.[figure.name];
      const value = aim.times ? ratio(figure, engine, engines) : median(measured);
      if (value === undefined) return [];
      const name = `${key}, ${figure.what}${engine === OURS ? '' : `, ${engine}`}`;
      if (aim.most) return line(name, value, `at most ${aim.most}`, value <= aim.most);
      return line(name, value, `${numberText(aim.times)} times IndexedDB`, value >= aim.times);
    });
    return [...lines, ...linesOnOpfs(key, engines)];
  });
  if (!store.writes) return ofWork;
  return [
    ...ofWork,
    ...OF_STORE.map(({ what, most, of }) =>
      line(what, of(store), `at most ${most}`, of(store) <= most),
    ),
  ];
}

// What an engine measured before it failed meets no aim.
const withoutFailed = (engines) =>
  Object.fromEntries(Object.entries(engines).filter(([, { failure }]) => !failure));

function linesOnOpfs(key, engines) {
  return ON_OPFS.flatMap((name) => {
    const [value, aim] = ['opfs', 'sqlite'].map((engine) => median(engines[engine]?.[name]));
    if (value === undefined || aim === undefined) return [];
    const { what } = FIGURES.find((figure) => figure.name === name);
    return line(`${key}, ${what}, on OPFS`, value, `at most ${numberText(aim)}`, value <= aim);
  });
}

/** The same for the server `name`, compared with the emulator. */
export function serverAimLines(name, ratioOf) {
  return Object.entries(OF_SERVER).map(([work, times]) =>
    line(`${name}, ${work}`, ratioOf(work), `${times} times the emulator`, ratioOf(work) >= times),
  );
}
