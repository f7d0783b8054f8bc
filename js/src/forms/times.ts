/**
 * Times as controls write them, without a time zone, and the moments that they mean in one.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isDate } from '../base/kinds.js';
import { ticksOf } from '../schema/values.js';
import type { TimeLimit } from './time-limits.js';

const DAY_MS = 86_400_000;
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,7}))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Reads times in a zone, and writes them. */
export interface Times {
  /**
   * Undefined, if it is no time, one that the clocks of the zone leave out, or has more digits than
   * the type. A day is its first moment.
   */
  readonly valueOf: (text: string, isPrecise: boolean) => Date | string | undefined;

  /** The text of a time for a control of this type. */
  readonly textOf: (time: Date | string, kind: string) => string;

  /**
   * The first or the last day whose first moment keeps a limit, as `2024-05-06`; undefined, if
   * there is none.
   */
  readonly dayWithin: (limit: TimeLimit) => string | undefined;
}

/**
 * Times in a zone. Without a zone, only times that name their own can be read.
 *
 * @throws RangeError, if there is no such zone; {@link TableError} `InvalidInput` later, if it is
 * needed and not stated.
 */
export function timesIn(timeZone: string | undefined): Times {
  const known = timeZone === undefined ? undefined : localTimes(timeZone);
  const zone = () => {
    if (known) return known;
    throw invalidInput('The form has a time without a time zone: set the option timeZone.');
  };
  return {
    valueOf: (text, isPrecise) => timeOf(text, isPrecise, zone),
    textOf: (time, kind) => textOf(time, kind, zone),
    dayWithin: (limit) => dayWithin(limit, zone()),
  };
}

function timeOf(
  text: string,
  isPrecise: boolean,
  zone: () => LocalTimes,
): Date | string | undefined {
  const [, day, time, seconds = '00', fraction = '', offset] = TIME.exec(text) ?? [];
  const minutes = time ?? '00:00';
  const local = Date.parse(`${day}T${minutes}:${seconds}Z`);
  // Some engines read the 30th of February as a day of March.
  if (Number.isNaN(local) || dayOf(local) !== day) return undefined;
  if (!isPrecise && Number(fraction.slice(3)) > 0) return undefined;
  const moment =
    offset === undefined
      ? zone()[time === undefined ? 'startOf' : 'momentOf'](local)
      : Date.parse(`${day}T${minutes}:${seconds}${offset}`);
  if (Number.isNaN(moment)) return undefined;
  if (!isPrecise) return new Date(moment + Number(fraction.slice(0, 3).padEnd(3, '0')));
  return new Date(moment).toISOString().replace('.000Z', fraction && `.${fraction}`) + 'Z';
}

const dayOf = (local: number) => new Date(local).toISOString().slice(0, 10);

// The digits beyond milliseconds fit in no control.
function textOf(time: Date | string, kind: string, zone: () => LocalTimes): string {
  const moment = momentOf(time);
  if (Number.isNaN(moment)) return '';
  const local = zone().localOf(moment);
  if (kind === 'date') return dayOf(local);
  return new Date(local).toISOString().replace(/(:00)?\.000Z|Z$/, '');
}

const momentOf = (time: Date | string) => (isDate(time) ? time.getTime() : Date.parse(time));

function dayWithin(limit: TimeLimit, { localOf, startOf }: LocalTimes): string | undefined {
  const ticks = ticksOf(limit.time);
  if (ticks < 0n) return undefined;
  const midnight = Date.parse(dayOf(localOf(momentOf(limit.time))));
  const step = limit.isLatest ? -DAY_MS : DAY_MS;
  // Clocks may leave out the next day.
  const day = [0, 1, 2]
    .map((days) => midnight + days * step)
    .find((one) => {
      const start = ticksOf(new Date(startOf(one)));
      if (start === ticks) return !limit.isExclusive;
      return start >= 0n && (limit.isLatest ? start < ticks : start > ticks);
    });
  return day === undefined ? undefined : dayOf(day);
}

/** Converts between moments and local times. A local time is in ms, as if it were UTC. */
interface LocalTimes {
  /** Of a time that comes twice, the first one; of one that clocks leave out, NaN. */
  readonly momentOf: (local: number) => number;
  /** The first moment of a day; of one that clocks leave out, NaN. */
  readonly startOf: (midnight: number) => number;
  readonly localOf: (moment: number) => number;
}

function localTimes(timeZone: string): LocalTimes {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const localOf = (moment: number) => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(moment)) parts[type] = Number(value);
    const { year, month, day, hour, minute, second } = parts;
    const whole = new Date(Date.UTC(2000, 0, 1, hour, minute, second));
    // Unlike Date.UTC, it takes years before 100 as they are.
    whole.setUTCFullYear(year!, month! - 1, day);
    return whole.getTime() + (((moment % 1000) + 1000) % 1000);
  };
  const offsetAt = (moment: number) => localOf(moment) - moment;
  const momentOf = (local: number) => {
    const moments = [local - offsetAt(local - DAY_MS), local - offsetAt(local + DAY_MS)];
    return moments.find((moment) => localOf(moment) === local) ?? NaN;
  };
  const startOf = (midnight: number) => {
    const moment = momentOf(midnight);
    if (!Number.isNaN(moment)) return moment;
    // Clocks leave out midnight, or the whole day.
    const first = midnight - offsetAt(midnight - DAY_MS);
    return dayOf(localOf(first)) === dayOf(midnight) ? first : NaN;
  };
  return { localOf, momentOf, startOf };
}
