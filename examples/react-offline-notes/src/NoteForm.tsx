import { bindForm, messagesFor } from 'entitable/forms';
import { useTable } from 'entitable/react';
import { useEffect, useRef } from 'react';

import { notes, type Note } from './notes';
import { shrink } from './shrink';

const tagsIn = (text: string) => [...new Set(text.toLowerCase().match(/[^\s,#]+/g))];

/** Adds a note, or changes the one that it gets. The rules of the table check its fields. */
export function NoteForm({ note, onDone }: { note?: Note; onDone?: () => void }) {
  const table = useTable(notes);
  const ref = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const form = ref.current;
    if (!table || !form) return undefined;
    const bound = bindForm(form, notes, {
      messages: messagesFor(navigator.languages),
      values: () => ({ tags: tagsIn(new FormData(form).get('words') as string) }),
      async onSubmit(row) {
        if (note) await table.put(row, { ifUnchanged: note });
        else await table.insert(row);
        form.reset();
        onDone?.();
      },
    });
    if (note) bound.fill(note).catch(reportError);
    return () => bound.unbind();
    // If the note changes while it is edited, saving it says so: see `ifUnchanged`.
  }, [table]);

  return (
    <form ref={ref} className="note-form">
      <label>
        Title <input name="title" autoComplete="off" autoFocus={note !== undefined} />
      </label>
      <label>
        Text <textarea name="text" rows={4} />
      </label>
      <label>
        Tags <input name="words" autoComplete="off" defaultValue={note?.tags.join(' ')} />
      </label>
      <p data-error="tags" />
      <label>
        Image <input name="image" type="file" accept="image/*" onChange={shrink} />
      </label>
      <div className="buttons">
        <button className="primary">{note ? 'Save' : 'Add note'}</button>
        {onDone && (
          <button type="button" onClick={onDone}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
