// The report of the benchmark, and its aims.

import { describe, expect, it } from 'vitest';

import { aimLines } from '../../bench/aims.mjs';
import { chart } from '../../bench/report/chart.mjs';
import { workTable } from '../../bench/report/tables.mjs';

const OLD = { engines: { idb: { pointUs: [300, 300] }, entitable: { pointUs: [10, 30] } } };
const NEW = {
  engines: {
    ...OLD.engines,
    idb: { pointUs: [300, 300], loadGapMs: [80, 90] },
    worker: { pointUs: [100, 100], loadGapMs: [17, 19], readAllGapMs: [40, 40] },
  },
};

describe('the table of a run', () => {
  it('has only the engines and rows that were measured', () => {
    expect(workTable(OLD).split('\n')).toEqual([
      '|  | idb | entitable |',
      '| --- | ---: | ---: |',
      '| point read, warm, µs | 300 | 20 (20×) |',
    ]);
  });

  it('compares times with those of IndexedDB, but not gaps between frames', () => {
    expect(workTable(NEW).split('\n').slice(2, 4)).toEqual([
      '| point read, warm, µs | 300 | 20 (20×) | 100 (3×) |',
      '| longest gap between two frames in a bulk load, ms | 85 | – | 18 |',
    ]);
  });
});

it('names only the engines with measurements in the legend of the chart', () => {
  const legend = (run: object) => chart([{ count: 1000, run }]).match(/(?<=y="19">)[\w-]+/g);

  expect(legend(OLD)).toEqual(['idb', 'entitable']);
  expect(legend(NEW)).toEqual(['idb', 'entitable', 'worker']);
});

it('has shorter aims for gaps between frames if the account runs in a worker', () => {
  const { engines } = NEW;
  const gaps = { ...engines, entitable: { loadGapMs: [50], readAllGapMs: [31] } };
  const lines = aimLines({ runs: { 'words/1000': { engines: gaps } } });

  expect(lines.filter((line: string) => line.includes('gap'))).toEqual([
    'met     words/1000, longest gap between two frames in a bulk load, ms: 50, aim at most 50',
    'met     words/1000, longest gap between two frames in a bulk load, ms, worker: 18, aim at most 20',
  ]);
  expect(lines.filter((line: string) => line.includes('all entities are read'))).toEqual([
    'missed  words/1000, the same while all entities are read, ms: 31, aim at most 30',
    'missed  words/1000, the same while all entities are read, ms, worker: 40, aim at most 30',
  ]);
});
