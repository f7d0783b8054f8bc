// port.ts - a worker that gets the port to each page of its accounts in a message of the app.

import { serveAccounts } from '../../../../js/src/worker.js';

globalThis.onmessage = ({ data }: MessageEvent<{ port: MessagePort }>) =>
  serveAccounts({ port: data.port });
