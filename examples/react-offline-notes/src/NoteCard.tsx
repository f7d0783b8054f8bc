import { useTable, type RowState } from 'entitable/react';
import { useEffect, useState } from 'react';

import { NoteForm } from './NoteForm';
import { notes, type Note } from './notes';

interface Props {
  note: Note;
  state: RowState | undefined;
  onTag(tag: string): void;
}

export function NoteCard({ note, state, onTag }: Props) {
  const table = useTable(notes);
  const [isEdited, setEdited] = useState(false);
  if (isEdited) {
    return (
      <li>
        <NoteForm note={note} onDone={() => setEdited(false)} />
      </li>
    );
  }
  return (
    <li>
      {note.image && <Picture blob={note.image} />}
      <h2>{note.title}</h2>
      {note.text && <p className="text">{note.text}</p>}
      <footer>
        {note.tags.map((tag) => (
          <button key={tag} className="tag" onClick={() => onTag(tag)}>
            #{tag}
          </button>
        ))}
        {state && <small>{state.state === 'rejected' ? state.reason : 'not sent yet'}</small>}
        <span className="actions">
          <button aria-label={`Edit ${note.title}`} onClick={() => setEdited(true)}>
            Edit
          </button>
          <button aria-label={`Delete ${note.title}`} onClick={() => table?.delete(note)}>
            Delete
          </button>
        </span>
      </footer>
    </li>
  );
}

function Picture({ blob }: { blob: Blob }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return <img src={url} alt="" />;
}
