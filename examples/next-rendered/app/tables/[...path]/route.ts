// The REST API of Azure Tables, which the pages sync with.

import { server } from '../../../lib/server';

async function answer(request: Request) {
  const { handler } = await server();
  return handler(request);
}

export { answer as DELETE, answer as GET, answer as POST, answer as PUT };
