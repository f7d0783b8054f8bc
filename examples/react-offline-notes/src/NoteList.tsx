import { useRows, useRowStates } from 'entitable/react';
import type { AccountSync } from 'entitable/sync';
import { useState } from 'react';

import { NoteCard } from './NoteCard';
import { matching, notes } from './notes';

const PAGE = 30;

interface Props {
  search: string;
  sync: AccountSync | undefined;
  onTag(tag: string): void;
}

/** The notes that fit the search, the newest first, as they are now in this browser. */
export function NoteList({ search, sync, onTag }: Props) {
  const [limit, setLimit] = useState(PAGE);
  const { rows, isLoaded } = useRows(notes, { where: matching(search), limit });
  const { stateOf } = useRowStates(sync, notes);
  if (isLoaded && rows.length === 0) {
    return <p className="empty">{search ? 'No note fits.' : 'Your first note goes here.'}</p>;
  }
  return (
    <>
      <ul className="notes">
        {rows.map((note) => (
          <NoteCard key={note.id} note={note} state={stateOf(note)} onTag={onTag} />
        ))}
      </ul>
      {rows.length === limit && <button onClick={() => setLimit(limit + PAGE)}>Show more</button>}
    </>
  );
}
