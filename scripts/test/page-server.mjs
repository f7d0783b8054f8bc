// page-server.mjs - serves the built page while the page suite runs. It uses a sub-path, because a
// page that was built for the root of a host does not work there.

import { serve } from '../lib/server.mjs';

export default async function setup({ provide }) {
  const server = await serve('web-demo/dist', { port: 0, base: '/demo/' });
  provide('pageUrl', server.url);
  return () => server.close();
}
