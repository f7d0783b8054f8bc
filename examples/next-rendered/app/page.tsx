import { server } from '../lib/server';
import { LiveTasks } from './LiveTasks';

// The rows are read for each request, not when the app is built.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const { tables } = await server();
  return (
    <>
      <title>Tasks</title>
      <h1>Tasks</h1>
      <LiveTasks initial={await tables.tasks.list()} />
    </>
  );
}
