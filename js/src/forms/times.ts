/**
 * Times as controls write them, without a time zone, and the moments that they mean in one.
 *
 * @module
 */

import { isDate } from '../base/kinds.js';

const DAY_MS = 86_400_000;
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,7}))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Reads times in a zone, and writes them. */
export interface Times {
  /** Undefined, if it is no time, or has more digits than the type. */
  readonly valueOf: (text: string, isPrecise: boolean) => Date | string | undefined;

  /** The text of a time for a control of this type. */
  readonly textOf: (time: Date | string, kind: string) => string;
}

/**
 * Times in a zone. Without a zone, only times that name their own can be read.
 *
 * @throws RangeError, if there is no such zone; TypeError later, if it is needed and not stated.
 */
export function timesIn(timeZone: string | undefined): Times {
  const known = timeZone === undefined ? undefined : localTimes(timeZone);
  const zone = () => {
    if (known) return known;
    throw new TypeError('The form has a time without a time zone: set the option timeZone.');
  };
  return {
    valueOf: (text, isPrecise) => timeOf(text, isPrecise, zone),
    textOf: (time, kind) => textOf(time, kind, zone),
  };
}

function timeOf(
  text: string,
  isPrecise: boolean,
  zone: () => LocalTimes,
): Date | string | undefined {
  const [, day, minutes = '00:00', seconds = '00', fraction = '', offset] = TIME.exec(text) ?? [];
  const local = Date.parse(`${day}T${minutes}:${seconds}Z`);
  // Some engines read the 30th of February as a day of March.
  if (Number.isNaN(local) || dayOf(local) !== day) return undefined;
  if (!isPrecise && Number(fraction.slice(3)) > 0) return undefined;
  const moment =
    offset === undefined
      ? zone().momentOf(local)
      : Date.parse(`${day}T${minutes}:${seconds}${offset}`);
  if (Number.isNaN(moment)) return undefined;
  if (!isPrecise) return new Date(moment + Number(fraction.slice(0, 3).padEnd(3, '0')));
  return new Date(moment).toISOString().replace('.000Z', fraction && `.${fraction}`) + 'Z';
}

const dayOf = (local: number) => new Date(local).toISOString().slice(0, 10);

// The digits beyond milliseconds fit in no control.
function textOf(time: Date | string, kind: string, zone: () => LocalTimes): string {
  const moment = isDate(time) ? time.getTime() : Date.parse(time);
  if (Number.isNaN(moment)) return '';
  const local = zone().localOf(moment);
  if (kind === 'date') return dayOf(local);
  return new Date(local).toISOString().replace(/(:00)?\.000Z|Z$/, '');
}

/** Converts between moments and local times. A local time is in ms, as if it were UTC. */
interface LocalTimes {
  readonly momentOf: (local: number) => number;
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
    // All times are after 1600, so a year has four digits.
    const whole = Date.UTC(year!, month! - 1, day, hour, minute, second);
    return whole + (((moment % 1000) + 1000) % 1000);
  };
  const offsetAt = (moment: number) => localOf(moment) - moment;
  return {
    localOf,
    momentOf(local) {
      const [before, after] = [offsetAt(local - DAY_MS), offsetAt(local + DAY_MS)];
      // A time that comes twice is the first one. One that clocks leave out is read with the offset
      // before.
      const moments = [local - before, local - after];
      return moments.find((moment) => localOf(moment) === local) ?? local - before;
    },
  };
}
