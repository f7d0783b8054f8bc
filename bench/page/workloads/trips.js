// trips.js - rows with an array and an object, for the engines whose apps store these as they are.

import { makeTrip, tagsOf } from '../dataset.js';
import { randomFrom } from '../random.js';
import { meanMicroseconds, medianMs, timed, timesOf, quantile } from './timing.js';

const TRIPS = 5000;
const UPDATES = 100;

export async function trips(adapter, { round, ...command }) {
  const { trips: own } = adapter;
  if (!own) return {};
  const random = randomFrom(500 + round);
  const rows = Array.from({ length: TRIPS }, (_, i) => makeTrip(i, random));
  await own.open();
  const tripInsertMs = await timed(() => own.insert(rows));
  const found = await own.get(rows[7].id);
  if (JSON.stringify(found.place) !== JSON.stringify(rows[7].place))
    throw new Error('a wrong trip');
  const tripGetUs = await meanMicroseconds(rows, ({ id }) => own.get(id));
  const tripListMs = await medianMs(async () => {
    const { length } = await own.list();
    if (length !== TRIPS) throw new Error('a trip is missing');
  }, command);
  const tripTagUs = await meanMicroseconds(tagsOf(rows), async (tag) => {
    const tagged = await own.tagged(tag);
    if (tagged.length === 0 || !tagged.every(({ tags }) => tags.includes(tag))) {
      throw new Error('a wrong tag');
    }
  });
  const changed = rows.slice(0, UPDATES).map(({ id, tags }) => ({ id, tags: [...tags, 'new'] }));
  const times = await timesOf(changed, (change) => own.update(change));
  return { tripInsertMs, tripGetUs, tripListMs, tripTagUs, tripUpdateMs: quantile(times, 0.5) };
}
