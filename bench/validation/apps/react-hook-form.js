// react-hook-form.js - the sign-up form of the guide with react-hook-form and zod. Its rows go to a
// server. It has messages in English alone.

import { zodResolver } from '@hookform/resolvers/zod';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { useForm } from 'react-hook-form';
import * as z from 'zod';

const users = z.object({
  partitionKey: z.string().default('users'),
  rowKey: z.email().max(100),
  name: z.string().min(2),
  born: z.int().min(1900).max(2_147_483_647).optional(),
  news: z.boolean(),
});

function SignUp() {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(users) });
  const save = (user) => fetch('/users', { method: 'POST', body: JSON.stringify(user) });
  const field = (label, name, type, options) =>
    h(
      'label',
      null,
      label,
      h('input', { type, 'aria-invalid': name in formState.errors, ...register(name, options) }),
      h('span', { role: 'alert' }, formState.errors[name]?.message),
    );
  const toNumber = { setValueAs: (text) => (text === '' ? undefined : Number(text)) };
  return h(
    'form',
    { onSubmit: handleSubmit(save) },
    field('E-mail', 'rowKey', 'email'),
    field('Name', 'name', 'text'),
    field('Year of birth', 'born', 'number', toNumber),
    field('Send me news', 'news', 'checkbox'),
    h('button', { disabled: formState.isSubmitting }, 'Sign up'),
  );
}

createRoot(document.querySelector('#sign-up')).render(h(SignUp));
