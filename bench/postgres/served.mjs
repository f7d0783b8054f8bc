// served.mjs - processes of `entitable serve`, and a client that uses them in turn.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { Client } from '../http/client.mjs';

// For all processes together.
const CONNECTIONS = 32;

const NO_CONTENT = { Prefer: 'return-no-content' };

async function start(words, connections) {
  const child = spawn(
    process.execPath,
    ['dist/cli.js', 'serve', '--quiet', '--loose', '--port', '0', ...words],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const url = await new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [, found] = /^Entitable serves \w+ at (.*)/.exec(line) ?? [];
      if (found) resolve(found);
    });
    exited.then(() => reject(new Error('a server has stopped')), reject);
  });
  return { child, exited, client: new Client(url, { connections }) };
}

/** Starts so many processes with these words of the command line. */
export async function served(count, ...words) {
  const connections = CONNECTIONS / count;
  const servers = await Promise.all(Array.from({ length: count }, () => start(words, connections)));
  let turn = 0;
  const send = (...request) => servers[turn++ % count].client.send(...request);
  await send('POST', '/Tables', '{"TableName":"Bench"}');
  return {
    insert: (entity) => send('POST', '/Bench', JSON.stringify(entity), NO_CONTENT),
    read: (partition, row) => send('GET', `/Bench(PartitionKey='${partition}',RowKey='${row}')`),
    async list(partition) {
      const filter = encodeURIComponent(`PartitionKey eq '${partition}'`);
      const answer = await send('GET', `/Bench()?$filter=${filter}`);
      // Not parsed: that would take as long as the server.
      return answer.split('"RowKey":').length - 1;
    },
    async stop() {
      for (const { client, child, exited } of servers) {
        client.close();
        child.kill('SIGTERM');
        await exited;
      }
    },
  };
}
