import { resolve } from 'node:path';

// The folder with node_modules. Or Next would take this work tree for the app's.
const root = resolve('../..');

export default { turbopack: { root }, outputFileTracingRoot: root };
