// results.mjs - reads and writes the measurements in bench/results.json.
//
// { machine, runs: { [values/count]: { at, load, engines: { [engine]: { [figure]: [number of
// each round] | { failure } } | { failure } } } }, downloads: { [engine]: sizes }, store: { ... },
// validation: { ... }, form: { ... }, app: { ... },
// firstScreen: { sizes: { [rows]: { [store]: { [kind]: medians } } } } }

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

const FILE = 'bench/results.json';

export class Results {
  static read() {
    return new Results(
      existsSync(FILE)
        ? JSON.parse(readFileSync(FILE, 'utf8'))
        : { machine: {}, runs: {}, downloads: {}, store: {} },
    );
  }

  constructor(data) {
    this.data = data;
  }

  /** The run of one size and kind of values. It has the figures of earlier runs: see `keep`. */
  beginRun(values, count, names) {
    const run = (this.data.runs[`${values}/${count}`] ??= { engines: {} });
    run.at = new Date().toISOString();
    run.load = [];
    for (const name of names) run.engines[name] ??= {};
    this.#describe();
    return run;
  }

  save() {
    // There is no other copy, so a write that breaks off must not harm it.
    writeFileSync(`${FILE}.new`, `${JSON.stringify(this.data, null, 1)}\n`);
    renameSync(`${FILE}.new`, FILE);
  }

  #describe() {
    const [{ model }] = cpus();
    Object.assign(this.data.machine, {
      processor: model,
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    });
  }
}

/**
 * Adds the figures of one engine in a round. The first round of a run replaces the figures of
 * earlier runs: those of `names`, also if this run has measured none of them.
 *
 * @param {Record<string, any>} kept
 * @param {Record<string, any>} figures - of the round; `failure` says why the engine failed.
 * @param {number} round
 * @param {readonly string[]} names
 */
export function keep(kept, { failure, ...figures }, round, names) {
  if (round === 0) {
    for (const name of ['failure', ...names, ...Object.keys(figures)]) delete kept[name];
  }
  if (failure) kept.failure = failure;
  for (const [name, value] of Object.entries(figures)) {
    if (value.failure) kept[name] = value;
    else if (!kept[name]?.failure) (kept[name] ??= []).push(value);
  }
}

/** The load of the machine: the mean number of processes that run or wait, over a minute. */
export const load = () => Number(loadavg()[0].toFixed(1));
