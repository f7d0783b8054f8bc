import { startServer } from 'entitable/server';

/** Starts a table service for all tests of a run: in memory, on any free port. */
export default async function setup() {
  const server = await startServer();
  process.env['TABLES'] = server.connectionString;
  return () => server.close();
}
