// distance.mjs - a relay to a port of this machine, as far away as a data centre: what arrives is
// handed on after half the round-trip time. It runs as a process of its own, which `relay` starts.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(import.meta.url);

/** Starts a relay. `roundTripMs` is the time that a request and its answer take on the way. */
export async function relay(targetPort, roundTripMs) {
  const child = fork(FILE, [`${targetPort}`, `${roundTripMs / 2}`]);
  const [port] = await once(child, 'message');
  return { port, stop: () => child.kill() };
}

function handOn(from, to, delayMs) {
  // Timers of the same length end in the order in which they began.
  from.on('data', (bytes) => setTimeout(() => to.destroyed || to.write(bytes), delayMs));
  from.on('end', () => setTimeout(() => to.end(), delayMs));
  from.on('error', () => to.destroy());
}

if (process.argv[1] === FILE) {
  const [targetPort, delayMs] = process.argv.slice(2).map(Number);
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({
      port: targetPort,
      host: '127.0.0.1',
      noDelay: true,
      allowHalfOpen: true,
    });
    handOn(near, far, delayMs);
    handOn(far, near, delayMs);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}
