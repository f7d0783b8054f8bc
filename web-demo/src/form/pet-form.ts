// Binds the form to the table.

import type { TableServiceClient } from 'entitable';
import { bindForm, type BoundForm, type Messages } from 'entitable/forms';
import type { Infer } from 'entitable/schema';

import { ownTexts } from './own-texts.js';
import { pets } from './pets.js';
import { pause } from './pause.js';

interface Options {
  readonly account: TableServiceClient;
  readonly messages: Promise<Messages>;
  readonly summary: HTMLElement;
  readonly onStored: (pet: Infer<typeof pets>) => void;
}

export function bindPetForm(
  form: HTMLFormElement,
  { account, messages, summary, onStored }: Options,
): BoundForm<typeof pets.properties> {
  const table = account.table(pets);

  return bindForm(form, pets, {
    messages, // messagesFor(['de'])
    summary,
    timeZone: 'UTC',
    draft: 'new-pet',
    account,
    checks: {
      async name(name, { row: { kind }, signal }) {
        await pause(600, signal); // As long as a server may take.
        if (!kind) return undefined;
        return (await table.get({ kind, name })) ? ownTexts().taken : undefined;
      },
    },
    async onSubmit(pet) {
      await table.insert(pet); // An error is shown at its field.
      onStored(pet);
    },
  });
}
