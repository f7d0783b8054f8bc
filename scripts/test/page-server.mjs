// page-server.mjs - serves the built page while the page suite runs.

import { serve } from '../lib/server.mjs';

export default async function setup({ provide }) {
  const server = await serve('web-demo/dist', { port: 0 });
  provide('pageUrl', server.url);
  return () => server.close();
}
