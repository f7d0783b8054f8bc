import { useAccount } from 'entitable/react';
import type { AccountSync, ResolvedConflict, SyncedEntity } from 'entitable/sync';
import { useEffect, useState } from 'react';

/**
 * Notes that were changed here and on another device at the same time. Sync has merged both, and
 * where they changed the same, it has kept the other device's version.
 */
export function Conflicts({ sync }: { sync: AccountSync | undefined }) {
  const account = useAccount();
  const [conflicts, setConflicts] = useState<ResolvedConflict[]>([]);

  useEffect(
    () =>
      sync?.subscribe(({ state }) => {
        if (state === 'idle') sync.conflicts('notes').then(setConflicts, reportError);
      }),
    [sync],
  );

  async function keepMine({ partitionKey, rowKey, local }: ResolvedConflict) {
    const table = account!.tableClient('Notes');
    if (local) await table.upsertEntity(local, 'Replace');
    else await table.deleteEntity(partitionKey, rowKey);
  }
  async function confirm({ id }: ResolvedConflict) {
    await sync!.confirm('notes', id);
    setConflicts(conflicts.filter((other) => other.id !== id));
  }

  return conflicts.map((conflict) => (
    <article key={conflict.id} className="conflict">
      <p>Changed on two devices at once. Now it is {shown(conflict.result)}.</p>
      <p>
        Yours was {shown(conflict.local)}, the other one {shown(conflict.remote)}.
      </p>
      <div className="buttons">
        <button onClick={() => confirm(conflict)}>Keep it</button>
        <button onClick={() => keepMine(conflict).then(() => confirm(conflict))}>Use mine</button>
      </div>
    </article>
  ));
}

const shown = (note: SyncedEntity | undefined) =>
  note ? `“${note['title'] as string}”` : 'deleted';
