// The report of the benchmark, its aims, and the figures that it keeps.

import { describe, expect, it } from 'vitest';

import { aimLines } from '../../bench/aims.mjs';
import { chart } from '../../bench/report/chart.mjs';
import { FIGURES } from '../../bench/report/figures.mjs';
import { workTable } from '../../bench/report/tables.mjs';
import { keep } from '../../bench/results.mjs';
import { FIGURES_OF } from '../../bench/step-figures.mjs';
import { STEPS, stepsOf } from '../../bench/steps.mjs';

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
      '| frame gap, bulk load, ms | 85 | – | 18 |',
    ]);
  });

  it('shows a failure of a figure only in its row, and of an engine in all', () => {
    const { idb, entitable } = OLD.engines;
    const late = { ...entitable, loadGapMs: { failure: 'too long' } };
    const rows = (engines: object) => workTable({ engines }).split('\n').slice(2);

    expect(rows({ idb: { ...idb, loadGapMs: [80] }, entitable: late })).toEqual([
      '| point read, warm, µs | 300 | 20 (20×) |',
      '| frame gap, bulk load, ms | 80 | failed |',
    ]);
    expect(rows({ idb, entitable: { ...entitable, failure: 'wrong: a point' } })).toEqual([
      '| point read, warm, µs | 300 | failed |',
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

  expect(lines.filter((line: string) => line.includes('bulk load'))).toEqual([
    'met     words/1000, frame gap, bulk load, ms: 50, aim at most 50',
    'met     words/1000, frame gap, bulk load, ms, worker: 18, aim at most 20',
  ]);
  expect(lines.filter((line: string) => line.includes('all entities'))).toEqual([
    'missed  words/1000, frame gap, reading all entities, ms: 31, aim at most 30',
    'missed  words/1000, frame gap, reading all entities, ms, worker: 40, aim at most 30',
  ]);
});

it('has no aims for an engine that failed', () => {
  const run = { engines: { entitable: { pointUs: [1], failure: 'wrong: a point' } } };

  expect(aimLines({ runs: { 'words/1000': run } })).toEqual([]);
});

describe('the figures that are kept', () => {
  it('are those of earlier runs only in steps that this run leaves out', () => {
    const kept = { failure: 'old', pointUs: [1], rangeUs: [2], filterMs: [3] };
    keep(kept, { pointUs: 4 }, 0, ['pointUs', 'rangeUs']);
    keep(kept, { pointUs: 5 }, 1, ['pointUs', 'rangeUs']);

    expect(kept).toEqual({ pointUs: [4, 5], filterMs: [3] });
  });

  it('are a failure if one round has failed, until the next run', () => {
    const kept: object = {};
    const failed = { failure: 'too long' };
    [1, failed, 3].forEach((loadGapMs, round) => keep(kept, { loadGapMs }, round, ['loadGapMs']));
    expect(kept).toEqual({ loadGapMs: failed });

    keep(kept, { loadGapMs: 4 }, 0, ['loadGapMs']);
    expect(kept).toEqual({ loadGapMs: [4] });
  });
});

describe('the steps', () => {
  it('run in one order, with the check right after the first reads', () => {
    expect(stepsOf(['ranges', 'afterLoad'])).toEqual(['afterLoad', 'checkReads', 'ranges']);
  });

  it('measure each figure of the report once', () => {
    const measured = Object.values(FIGURES_OF).flat();

    expect(Object.keys(FIGURES_OF)).toEqual(['load', ...STEPS]);
    expect(new Set(measured).size).toBe(measured.length);
    expect(measured).toEqual(expect.arrayContaining(FIGURES.map(({ name }) => name)));
  });
});
