// results.mjs - reads and writes the measurements in bench/results.json.
//
// { machine, runs: { [values/count]: { at, load, engines: { [engine]: { [figure]: [number of
// each round] } | { failure } } } }, downloads: { [engine]: sizes }, store: { ... },
// validation: { ... }, form: { ... } }

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

  /** The run of one size and kind of values, without earlier figures of `names`. */
  beginRun(values, count, names) {
    const run = (this.data.runs[`${values}/${count}`] ??= { engines: {} });
    run.at = new Date().toISOString();
    run.load = [];
    for (const name of names) run.engines[name] ??= {};
    this.#describe();
    return run;
  }

  save() {
    writeFileSync(FILE, `${JSON.stringify(this.data, null, 1)}\n`);
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

/** The load of the machine: the mean number of processes that run or wait, over a minute. */
export const load = () => Number(loadavg()[0].toFixed(1));
