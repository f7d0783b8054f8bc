import { bindForm, defineTable, indexedDbStorage, messagesFor, openAccount, t } from 'entitable';

const items = defineTable(
  'Items',
  {
    id: t.id(),
    name: t.string({ maxLength: 60 }),
    count: t.int32({ minimum: 1, maximum: 99 }),
    done: t.boolean().default(false),
  },
  { key: 'id' },
);

const account = await openAccount({ storage: indexedDbStorage('shopping'), tables: { items } });
const table = account.tables.items;

const form = document.querySelector('form');
bindForm(form, items, {
  messages: messagesFor(navigator.languages),
  async onSubmit(item) {
    await table.insert(item);
    form.reset();
    form.elements.name.focus();
  },
});

function lineFor(item) {
  const box = document.createElement('input');
  Object.assign(box, { type: 'checkbox', checked: item.done });
  box.onchange = () => table.update(item, { done: box.checked });
  const label = document.createElement('label');
  label.append(box, item.count > 1 ? `${item.count} × ${item.name}` : item.name);
  const remove = document.createElement('button');
  Object.assign(remove, { textContent: 'Delete', ariaLabel: `Delete ${item.name}` });
  remove.onclick = () => table.delete(item);
  const line = document.createElement('li');
  line.append(label, remove);
  return line;
}

// A new array comes after each change, of any tab.
for await (const all of table.live()) {
  document.querySelector('ul').replaceChildren(...all.map(lineFor));
  const left = all.filter(({ done }) => !done).length;
  document.querySelector('[role=status]').textContent =
    all.length === 0 ? 'The list is empty.' : `${left} to buy`;
}
