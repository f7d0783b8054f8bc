import { useSync, type SyncStatus } from 'entitable/react';
import type { FormEvent } from 'react';

import type { Cloud } from './cloud';

/** Says what sync is doing, and asks for the address of a storage account. */
export function SyncPanel({ cloud }: { cloud: Cloud }) {
  const status = useSync(cloud.sync);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    cloud.connect(new FormData(event.currentTarget).get('address') as string);
  };
  return (
    <details className="sync">
      <summary>
        <span role="status">
          {cloud.problem ?? (cloud.sync ? wordsFor(status) : 'Only on this device')}
        </span>
      </summary>
      {cloud.sync ? (
        <div className="sync-form">
          <p>Your notes are kept in the table Notes of {new URL(cloud.address).host}.</p>
          <button onClick={cloud.disconnect}>Disconnect</button>
        </div>
      ) : (
        <form className="sync-form" onSubmit={submit}>
          <label>
            Address of a storage account, with its signature (SAS)
            <input
              name="address"
              type="url"
              required
              defaultValue={cloud.address}
              placeholder="https://contoso.table.core.windows.net/?sv=…"
            />
          </label>
          <button className="primary">Connect</button>
        </form>
      )}
    </details>
  );
}

function wordsFor({ state, pending, error }: SyncStatus): string {
  switch (state) {
    case 'idle':
      return 'Synced';
    case 'offline':
      return pending > 0 ? `Offline, ${pending} to send` : 'Offline';
    case 'paused':
      return `Sync has stopped: ${error?.message}`;
    default:
      return 'Syncing …';
  }
}
