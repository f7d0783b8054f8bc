/**
 * 200,000 flights, partitioned by the hour of their departure.
 *
 * @module
 */

import type { Dataset } from './dataset.js';

interface FlightRow {
  /** Minutes; negative for a flight that left early. */
  readonly delay: number;
  /** Miles. */
  readonly distance: number;
  /** Hours since midnight, 0 to below 24. */
  readonly time: number;
}

// Statistics of air traffic count a flight as delayed from 15 minutes on.
const LATE_MINUTES = 15;

export const flights: Dataset<FlightRow> = {
  table: 'Flights',
  noun: 'flights',
  count: 200_000,
  url: new URL('../../../node_modules/vega-datasets/data/flights-200k.json', import.meta.url).href,
  examples: [
    'DelayMinutes gt 600',
    "PartitionKey eq 'hour-23' and IsLate",
    'DistanceMiles gt 4500 and DelayMinutes lt 0',
    'not IsLate and DepartureHour lt 0.25',
  ],
  // The service compares a property with a value, never with another property.
  wrongExample: 'DelayMinutes gt DistanceMiles',

  // Two digits, so that the keys sort by the hour.
  partitionKeyOf: ({ time }) => `hour-${String(Math.floor(time)).padStart(2, '0')}`,
  rowKeyOf: (_row, index) => String(index + 1).padStart(6, '0'),
  properties: {
    DepartureHour: ({ time }) => ({ type: 'Double', value: time }),
    DelayMinutes: ({ delay }) => delay,
    DistanceMiles: ({ distance }) => distance,
    IsLate: ({ delay }) => delay >= LATE_MINUTES,
  },
};
