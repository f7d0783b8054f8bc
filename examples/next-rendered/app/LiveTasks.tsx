'use client';

import { AccountProvider, useRows, useTable } from 'entitable/react';
import { indexedDbStorage } from 'entitable/storage/indexeddb';
import { openAccount } from 'entitable/sync';
import type { FormEvent } from 'react';

import { tasks, type Task } from '../lib/tasks';

/** Shows the rows of the server at once, and those of this browser as soon as they are synced. */
export function LiveTasks({ initial }: { initial: readonly Task[] }) {
  return (
    <AccountProvider account={account}>
      <Tasks initial={initial} />
    </AccountProvider>
  );
}

// A server renders this component, too, and has no account of the user.
const account = typeof window === 'undefined' ? undefined : openSynced();

async function openSynced() {
  const opened = await openAccount({
    storage: indexedDbStorage('tasks'),
    tables: { tasks },
    sync: {
      remote: { url: `${location.origin}/tables` },
      tables: { tasks: {} },
      interval: 5000,
    },
  });
  // The hooks get the account after the first round. Before it, a new browser has no rows yet, and
  // would show an empty list in place of what the server has rendered.
  await opened.sync.once().catch(console.warn);
  opened.sync.start();
  return opened;
}

function Tasks({ initial }: { initial: readonly Task[] }) {
  const table = useTable(tasks);
  const { rows } = useRows(tasks, { initial });

  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    await table!.insert({ text: new FormData(form).get('text') as string });
    form.reset();
  }

  return (
    <>
      <form onSubmit={add}>
        <input name="text" required maxLength={200} aria-label="New task" autoComplete="off" />
        <button disabled={!table}>Add</button>
      </form>
      <ul>
        {rows.map((task) => (
          <li key={task.id}>
            <label>
              <input
                type="checkbox"
                checked={task.done}
                disabled={!table}
                onChange={() => table!.update(task, { done: !task.done })}
              />
              {task.text}
            </label>
            <button
              aria-label={`Delete ${task.text}`}
              disabled={!table}
              onClick={() => table!.delete(task)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
