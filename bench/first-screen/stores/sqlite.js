// The official SQLite on OPFS, which needs a worker.

export async function openStore(count) {
  const worker = new Worker(new URL('./sqlite-worker.js', import.meta.url), { type: 'module' });
  const answers = [];
  worker.onmessage = ({ data }) => answers.shift()(data);
  const ask = (name, given) =>
    new Promise((resolve) => {
      answers.push(resolve);
      worker.postMessage({ name, given, count });
    });
  return {
    list: () => ask('list'),
    get: (id) => ask('get', id),
    fill: (rows) => ask('fill', rows),
    end: () => ask('end'),
  };
}
