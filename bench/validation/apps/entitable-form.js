// entitable-form.js - the sign-up form of the guide, whose rows go to a server: no table is stored
// in the page.

import { bindForm, messagesFor } from 'entitable/forms';
import { defineTable, t } from 'entitable/schema';

const properties = { partitionKey: t.string(), rowKey: t.string({ maxLength: 100 }) };
const more = { name: t.string({ minLength: 2 }), born: t.int32({ minimum: 1900 }).optional() };
const users = defineTable('Users', { ...properties, ...more, news: t.boolean() });
bindForm(document.querySelector('#sign-up'), users, {
  values: { partitionKey: 'users' },
  messages: messagesFor(navigator.languages),
  onSubmit: (user) => fetch('/users', { method: 'POST', body: JSON.stringify(user) }),
});
