// The emulator and the server, on the same random requests: whatever differs is on a list, with the
// page of the specification that decides it.

import { readFileSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import { roundsOf } from '../../../scripts/test/tier.mjs';
import { serve } from '../../package/support/serve.js';
import { startAzurite, type Azurite } from '../support/azurite.js';
import { DIFFERENCES } from './differences.js';
import { Peer } from './peer.js';
import { compare } from './run.js';

const requests = roundsOf('ENTITABLE_DIFFERENTIAL_REQUESTS', { usual: 500, whole: 2000 });
// Another one each time: the name of the test says which, for ENTITABLE_SEED to repeat it.
const seed = Number(process.env['ENTITABLE_SEED']) || 1 + Math.floor(Math.random() * 0x7fffffff);
const MINUTES = 60_000;

describe('beside the emulator', () => {
  it(
    `differs on ${requests} requests of seed ${seed} only as the list says`,
    async () => {
      let emulator: Azurite | undefined;
      onTestFinished(() => emulator?.stop());
      const openTheirs = async () => {
        await emulator?.stop();
        emulator = await startAzurite();
        return new Peer(emulator.url);
      };
      const server = await serve('--in-memory', '--quiet');
      const ours = new Peer(server.url.href);

      const { known, unknown, same } = await compare(ours, openTheirs, { seed, requests });
      ours.close();

      expect(unknown.slice(0, 5)).toEqual([]);
      expect(same).toBeGreaterThan(requests / 3);
      expect(known.size).toBeGreaterThan(0);
    },
    Math.max(2, requests / 1000) * MINUTES,
  );

  it('is in a list that the documentation has, too', () => {
    const page = readFileSync('docs/reference/differences.md', 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z0-9-]+)` +\|/gm)].map(([, name]) => name);

    expect(listed).toEqual(DIFFERENCES.map(({ name }) => name));
  });
});
