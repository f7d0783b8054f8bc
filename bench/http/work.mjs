// work.mjs - the work of the servers, and measurements of its time.

const BATCH = 100;
const PAGE = 1000;
const ROWS = 6; // Digits.

const rowOf = (i) => `${i}`.padStart(ROWS, '0');
const partitionOf = (i) => `p${Math.floor(i / PAGE)}`;

// About 300 bytes, with the types of most entities.
const entityOf = (i, partition = partitionOf(i)) =>
  JSON.stringify({
    PartitionKey: partition,
    RowKey: rowOf(i),
    Name: `entity number ${i} of many`,
    City: ['Oslo', 'Lima', 'Kyoto', 'Accra', 'Perth'][i % 5],
    Count: (i * 7919) % 100_003,
    Share: (i % 997) / 997,
    Active: i % 3 === 0,
    'Seen@odata.type': 'Edm.DateTime',
    Seen: new Date(1.6e12 + i * 60_000).toISOString(),
  });

function batchOf(url, first, partition) {
  const parts = Array.from(
    { length: BATCH },
    (_, n) =>
      `--changeset_c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST ${url}/Bench HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\nContent-Type: application/json\r\nPrefer: return-no-content\r\n\r\n${entityOf(first + n, partition)}\r\n`,
  );
  return `--batch_b\r\nContent-Type: multipart/mixed; boundary=changeset_c\r\n\r\n${parts.join('')}--changeset_c--\r\n--batch_b--\r\n`;
}

const BATCH_HEADERS = {
  'Content-Type': 'multipart/mixed; boundary=batch_b',
  Accept: 'application/json',
};

async function sendBatch(client, first, partition) {
  const answer = await client.send(
    'POST',
    '/$batch',
    batchOf(client.url, first, partition),
    BATCH_HEADERS,
  );
  const stored = answer.split('HTTP/1.1 204').length - 1;
  if (stored !== BATCH) throw new Error(`a batch failed: ${answer.slice(0, 500)}`);
}

/** Calls `operation` for 0 … count - 1, `atOnce` calls at a time. */
async function doAll(count, atOnce, operation) {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await operation(next++);
    }),
  );
}

/** Measures the calls per second, and the processor time of a call in seconds. */
async function rate(server, count, atOnce, operation) {
  const [begin, ours, theirs] = [performance.now(), process.cpuUsage(), server.processorSeconds()];
  await doAll(count, atOnce, operation);
  const { user, system } = process.cpuUsage(ours);
  return {
    perSecond: count / ((performance.now() - begin) / 1000),
    client: (user + system) / 1e6 / count,
    server: (server.processorSeconds() - theirs) / count,
  };
}

export const create = (client) => client.send('POST', '/Tables', '{"TableName":"Bench"}');

/** Fills the table up to `count` entities, or until the deadline. */
export async function load(client, { count, from = 0, deadline }) {
  let next = from;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < count && performance.now() < deadline) {
        const first = next;
        next += BATCH;
        await sendBatch(client, first);
      }
    }),
  );
  return next;
}

const NO_CONTENT = { Prefer: 'return-no-content' };

/** Measures each work with a number of requests at once, after the same work as a warm-up. */
export async function small(server, { count, atOnce }) {
  const { client } = server;
  const insertInto = (partition) => (i) =>
    client.send('POST', '/Bench', entityOf(i, partition), NO_CONTENT);
  await doAll(count, atOnce, insertInto('first'));
  const inserts = await rate(server, count, atOnce, insertInto('single'));
  await rest(server);
  const read = (i) =>
    client.send('GET', `/Bench(PartitionKey='single',RowKey='${rowOf((i * 7919) % count)}')`);
  await doAll(count, atOnce, read);
  const reads = await rate(server, count, atOnce, read);
  const insertBatchInto = (partition) => (i) => sendBatch(client, i * BATCH, partition);
  await doAll(count / BATCH, atOnce, insertBatchInto('firstbatch'));
  const batches = await rate(server, count / BATCH, atOnce, insertBatchInto('batch'));
  return { inserts, reads, batches };
}

/** Waits until the server has ended its background work. */
async function rest(server) {
  for (let i = 0; i < 40; i++) {
    const before = server.processorSeconds();
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (server.processorSeconds() - before < 0.02) return;
  }
}

/** Measures pages of 1,000 entities, and filters on a property, after a warm-up. */
export async function large(server, { count, queries, filters, atOnce }) {
  const { client } = server;
  await rest(server);
  const list = async (filter) => {
    const answer = await client.send('GET', `/Bench()?$filter=${encodeURIComponent(filter)}`);
    // Not parsed: that would take as long as the server.
    return answer.split('"RowKey":').length - 1;
  };
  const page = async (i) => {
    const partition = partitionOf(((i * 37) % Math.floor(count / PAGE)) * PAGE);
    const found = await list(`PartitionKey eq '${partition}'`);
    if (found !== PAGE) throw new Error(`${found} entities in ${partition}`);
  };
  // One entity or none, in any place.
  const scan = (i) => list(`Count eq ${(i * 7919) % 100_003} and City eq 'Oslo'`);
  await doAll(queries / 2, atOnce, page);
  const pages = await rate(server, queries, atOnce, page);
  await doAll(filters / 2, atOnce, scan);
  const scans = await rate(server, filters, atOnce, scan);
  const loneScans = await rate(server, filters / 2, 1, scan);
  return { pages, scans, loneScans };
}
