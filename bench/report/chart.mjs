// chart.mjs - draws how each cost grows with the number of entities: an SVG with a small chart for
// each kind of work. Both axes are logarithmic.

import { ENGINES } from '../engines.mjs';
import { FIGURES, median, numberText } from './figures.mjs';

const COLOURS = {
  map: '#999999',
  idb: '#0072b2',
  dexie: '#56b4e9',
  sqlite: '#e69f00',
  entitable: '#d55e00',
  opfs: '#cc79a7',
  worker: '#d55e00',
  'worker-opfs': '#cc79a7',
  limit: '#009e73',
};
// Those with the account in a worker have the colours of the same storages without one.
const isDashed = (name) => ENGINES[name].hasAccountWorker;
const COLUMNS = 3;
const PANEL = { width: 260, height: 170 };
// The margins of a chart.
const ROOM = { left: 44, right: 12, top: 24, bottom: 20 };
const LEGEND_HEIGHT = 30;

/** `runs`: { count, run } in ascending order. */
export function chart(runs) {
  const panels = FIGURES.map((figure) => ({ figure, lines: linesOf(figure, runs) })).filter(
    ({ lines }) => lines.length > 0,
  );
  const rows = Math.ceil(panels.length / COLUMNS);
  const [width, height] = [COLUMNS * PANEL.width, rows * PANEL.height + LEGEND_HEIGHT];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="10">
<title>How the cost of each kind of work grows with the number of entities</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${legend(runs, width)}
${panels.map((one, at) => panel(one, at, runs)).join('\n')}
</svg>
`;
}

function legend(runs, width) {
  const names = Object.keys(ENGINES).filter((name) => runs.some(({ run }) => run.engines[name]));
  const step = Math.min(100, Math.floor((width - 12) / names.length));
  return names
    .map((name, at) => {
      const x = 12 + at * step;
      return `<path d="M${x} 15h18" ${strokeOf(name)}/><text x="${x + 22}" y="19">${name}</text>`;
    })
    .join('');
}

const strokeOf = (name) =>
  `stroke="${COLOURS[name]}" stroke-width="2"${isDashed(name) ? ' stroke-dasharray="4 2"' : ''}`;

// One for each engine with that figure.
function linesOf(figure, runs) {
  return Object.keys(ENGINES)
    .map((name) => ({ name, points: pointsOf(figure, name, runs) }))
    .filter(({ points }) => points.length > 0);
}

function panel({ figure, lines }, at, runs) {
  const x = (at % COLUMNS) * PANEL.width;
  const y = Math.floor(at / COLUMNS) * PANEL.height + LEGEND_HEIGHT;
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const across = scale(
    runs.map(({ count }) => count),
    [ROOM.left, PANEL.width - ROOM.right],
  );
  const up = scale(values, [PANEL.height - ROOM.bottom, ROOM.top]);
  const drawn = lines.map(({ name, points }) => line(name, points, across, up));
  return `<g transform="translate(${x} ${y})"><text x="${ROOM.left}" y="14" font-weight="bold">${figure.what}</text>
${grid(runs, values, across, up)}
${drawn.join('')}</g>`;
}

function pointsOf({ name: figure }, name, runs) {
  return runs
    .map(({ count, run }) => [count, median(run.engines[name]?.[figure])])
    .filter(([, value]) => value > 0);
}

// Maps numbers to positions by their logarithms, between two powers of ten.
function scale(values, [from, to]) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const place = (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  return Object.assign((value) => Number(place(value).toFixed(1)), { low, high });
}

function grid(runs, values, across, up) {
  let marks = '';
  for (let power = up.low; power <= up.high; power++) {
    const y = up(10 ** power);
    marks += `<path d="M${ROOM.left} ${y}H${PANEL.width - ROOM.right}" stroke="#dddddd"/><text x="${ROOM.left - 4}" y="${y + 3}" text-anchor="end">${numberText(10 ** power)}</text>`;
  }
  for (const { count } of runs) {
    marks += `<text x="${across(count)}" y="${PANEL.height - 6}" text-anchor="middle">${count.toLocaleString('en-US')}</text>`;
  }
  return marks;
}

function line(name, points, across, up) {
  const places = points.map(([count, value]) => `${across(count)} ${up(value)}`);
  const dots = points.map(
    ([count, value]) =>
      `<circle cx="${across(count)}" cy="${up(value)}" r="2.5" fill="${COLOURS[name]}"/>`,
  );
  return `<path d="M${places.join('L')}" fill="none" ${strokeOf(name)}/>${dots.join('')}`;
}
