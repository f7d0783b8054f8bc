// Sync with the storage account whose address the user has typed in.

import { useAccount } from 'entitable/react';
import { syncTables, type AccountSync } from 'entitable/sync';
import { useEffect, useState } from 'react';

// The address contains a signature. It stays in this browser until the user disconnects.
const SAVED = 'notes-address';

export interface Cloud {
  address: string;
  /** Undefined while there is no address, or while it is wrong. */
  sync: AccountSync | undefined;
  problem: string | undefined;
  connect(address: string): void;
  disconnect(): Promise<void>;
}

export function useCloud(): Cloud {
  const account = useAccount();
  const [address, setAddress] = useState(() => localStorage.getItem(SAVED) ?? '');
  const [sync, setSync] = useState<AccountSync>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    if (!account || !address) return undefined;
    try {
      const started = syncTables(account, { remote: { url: address }, tables: { notes: {} } });
      started.start();
      setSync(started);
      return () => {
        setSync(undefined);
        started.stop().catch(reportError);
      };
    } catch (error) {
      setProblem((error as Error).message);
      return undefined;
    }
  }, [account, address]);

  const connect = (next: string) => {
    setProblem(undefined);
    localStorage.setItem(SAVED, next);
    setAddress(next);
  };
  // The notes stay here. Connected again, all of them are sent to the new address.
  const disconnect = async () => {
    await sync?.forget({ keepRows: true, discard: true });
    localStorage.removeItem(SAVED);
    setSync(undefined);
    setAddress('');
  };
  return { address, sync, problem, connect, disconnect };
}
