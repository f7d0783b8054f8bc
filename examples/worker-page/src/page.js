import { remoteAccount } from 'entitable/remote';
import { defineTable, t } from 'entitable/schema';

const messages = defineTable(
  'Messages',
  {
    id: t.id({ newestFirst: true }),
    name: t.string({ maxLength: 40 }),
    text: t.string({ maxLength: 500 }),
    at: t.dateTime().default(() => new Date()),
  },
  { key: 'id' },
);

// The first signature is fetched with the first request, and another one when it has expired.
const account = remoteAccount({
  url: `${location.origin}/guestbook`,
  sas: async () => (await fetch('/signature')).text(),
});
const { messages: table } = await account.openTables({ messages });

const [form, list, status] = ['form', 'ol', '[role=status]'].map((name) =>
  document.querySelector(name),
);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const message = Object.fromEntries(new FormData(form));
  await attempt(async () => {
    await table.insert(message);
    form.elements.text.value = '';
    await show();
  });
});

async function show() {
  const latest = await table.list({ limit: 50 });
  list.replaceChildren(...latest.map(lineFor));
  status.textContent = latest.length === 0 ? 'Nobody has written yet.' : '';
}

function lineFor({ name, text, at }) {
  const line = document.createElement('li');
  const head = document.createElement('p');
  head.append(name, Object.assign(document.createElement('time'), { dateTime: at.toISOString() }));
  head.lastChild.textContent = at.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  line.append(head, Object.assign(document.createElement('p'), { textContent: text }));
  return line;
}

async function attempt(work) {
  try {
    await work();
  } catch (error) {
    status.textContent = error.message;
  }
}

await attempt(show);
// The service tells nobody of changes, so the page asks while it is visible.
setInterval(() => document.hidden || attempt(show), 10_000);
