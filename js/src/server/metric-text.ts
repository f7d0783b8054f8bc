/**
 * Metrics in the text format of Prometheus, version 0.0.4.
 *
 * @module
 */

/** The media type of the text. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A metric with one value, or with a value for each set of labels. */
export function metricLines(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  values: number | ReadonlyMap<string, number>,
): string[] {
  const lines =
    typeof values === 'number'
      ? [`${name} ${values}`]
      : [...values].map(([labels, value]) => `${name}{${labels}} ${value}`);
  return [...head(type, name, help), ...lines];
}

// In seconds: a read from memory takes less than the first, and a client gives up at the last.
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts durations by how long they are. */
export class DurationHistogram {
  readonly #counts = new Array<number>(BOUNDS.length + 1).fill(0);
  #seconds = 0;

  add(ms: number): void {
    const seconds = ms / 1000;
    const bound = BOUNDS.findIndex((one) => seconds <= one);
    this.#counts[bound < 0 ? BOUNDS.length : bound]!++;
    this.#seconds += seconds;
  }

  lines(name: string, help: string): string[] {
    let count = 0;
    const buckets = [...BOUNDS, '+Inf'].map((bound, at) => {
      count += this.#counts[at]!;
      return `${name}_bucket{le="${bound}"} ${count}`;
    });
    return [
      ...head('histogram', name, help),
      ...buckets,
      `${name}_sum ${this.#seconds}`,
      `${name}_count ${count}`,
    ];
  }
}

const head = (type: string, name: string, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];
