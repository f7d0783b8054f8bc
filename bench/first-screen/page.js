// page.js - an app whose first screen is a list of 50 rows by their priority, or one row. The
// address says which, and how many rows the store has.

import { startedAt } from './start.js';

import { createElement, useEffect, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

import { openStore } from '#store';
import { idOf } from './rows.js';

const asked = new URLSearchParams(location.search);
const count = Number(asked.get('rows'));
const store = openStore(count);
const read = {
  list: async () => (await store).list(),
  get: async () => [await (await store).get(idOf(count >> 1))],
};
const reading = read[asked.get('read')]();

function Screen() {
  const [rows, setRows] = useState([]);
  useEffect(() => void reading.then(setRows, (error) => (globalThis.failure = String(error))), []);
  useLayoutEffect(() => {
    if (rows.length === 0) return;
    const ms = performance.now();
    const ids = rows.map(({ id }) => id).join();
    globalThis.firstScreen = { fromStart: ms - startedAt, whole: ms, at: Date.now(), ids };
  }, [rows]);
  return createElement(
    'ul',
    {},
    rows.map(({ id, title, priority }) => createElement('li', { key: id }, priority, ' ', title)),
  );
}

createRoot(document.querySelector('#root')).render(createElement(Screen));
