// aims.mjs - the aims of Entitable, and the state of each. A run prints them. The published pages
// show only measurements.

import { FIGURES, median, numberText, ratio } from './report/figures.mjs';

// `times`: how many times better than another engine; `most`: the limit, in the unit of the figure;
// `engine`: whose figure it is.
const OF_WORK = [
  { name: 'perSecond', times: 3, than: 'sqlite' },
  { name: 'insertMs', times: 1 / 1.1, than: 'idb' },
  { name: 'insertsMs', times: 12, than: 'idb' },
  { name: 'batchMs', times: 6, than: 'idb' },
  { name: 'mergeMs', times: 8, than: 'idb' },
  { name: 'pointUs', times: 4, than: 'sqlite' },
  { name: 'rangeUs', times: 3, than: 'sqlite' },
  { name: 'filterMs', times: 2, than: 'sqlite' },
  { name: 'countMs', times: 20, than: 'sqlite' },
  { name: 'firstReadMs', times: 1 / 1.2, than: 'idb' },
  { engine: 'opfs', name: 'insertMs', times: 1, than: 'sqlite' },
  { engine: 'opfs', name: 'batchMs', times: 1, than: 'sqlite' },
  { name: 'loadGapMs', most: 50 },
  { name: 'readAllGapMs', most: 30 },
  ...['worker', 'worker-opfs'].flatMap((engine) => [
    { engine, name: 'loadGapMs', most: 20 },
    { engine, name: 'readAllGapMs', most: 30 },
  ]),
];

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
    return OF_WORK.flatMap((aim) => lineOfWork(key, engines, aim));
  });
  if (!store.writes) return ofWork;
  return [
    ...ofWork,
    ...OF_STORE.map(({ what, most, of }) =>
      line(what, of(store), `at most ${most}`, of(store) <= most),
    ),
  ];
}

function lineOfWork(key, engines, { engine = 'entitable', name, times, than, most }) {
  const figure = FIGURES.find((one) => one.name === name);
  const value = times ? ratio(figure, engine, engines, than) : median(engines[engine]?.[name]);
  if (value === undefined) return [];
  const what = `${key}, ${figure.what}${engine === 'entitable' ? '' : `, ${engine}`}`;
  if (most) return [line(what, value, `at most ${most}`, value <= most)];
  return [line(what, value, `${numberText(times)} times ${than}`, value >= times)];
}

// What an engine measured before it failed meets no aim.
const withoutFailed = (engines) =>
  Object.fromEntries(Object.entries(engines).filter(([, { failure }]) => !failure));

/** The same for the server `name`, compared with the emulator. */
export function serverAimLines(name, ratioOf) {
  return Object.entries(OF_SERVER).map(([work, times]) =>
    line(`${name}, ${work}`, ratioOf(work), `${times} times the emulator`, ratioOf(work) >= times),
  );
}
