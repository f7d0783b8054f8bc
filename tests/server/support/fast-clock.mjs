// fast-clock.mjs - preloaded by a command: a second of its clock is a tenth of a real one.

import { performance } from 'node:perf_hooks';

const { now } = performance;

performance.now = () => now.call(performance) * 10;
