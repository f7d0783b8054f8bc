import { useState } from 'react';

import { Conflicts } from './Conflicts';
import { NoteForm } from './NoteForm';
import { NoteList } from './NoteList';
import { SyncPanel } from './SyncPanel';
import { useCloud } from './cloud';

// Where the form has a column of its own (style.css). On a phone, the notes come first.
const isWide = matchMedia('(min-width: 50rem)').matches;

export function App() {
  const cloud = useCloud();
  const [search, setSearch] = useState('');
  return (
    <>
      <header>
        <h1>Notes</h1>
        <SyncPanel cloud={cloud} />
      </header>
      <main>
        <details className="new" open={isWide}>
          <summary>New note</summary>
          <NoteForm />
        </details>
        <section aria-label="Notes">
          <Conflicts sync={cloud.sync} />
          <input
            type="search"
            placeholder="Search notes and tags"
            aria-label="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <NoteList search={search} onTag={setSearch} sync={cloud.sync} />
        </section>
      </main>
    </>
  );
}
