// page-server.mjs - serves the built page while the page suite runs. It uses a sub-path, because a
// page that was built for the root of a host does not work there.

import { serveDemo } from '../lib/server.mjs';

export default async function setup({ provide }) {
  const server = await serveDemo({ port: 0, base: '/demo/' });
  provide('pageUrl', server.url);
  return () => server.close();
}
