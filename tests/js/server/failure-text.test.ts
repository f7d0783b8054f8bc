import { expect, it } from 'vitest';

import { failureText } from '../../../js/src/server/failure-text.js';

it.each([
  ['no cause', new Error('It failed.'), 'It failed.'],
  [
    'a cause that says more',
    new Error('It failed.', { cause: new Error('ENOSPC') }),
    'It failed. (ENOSPC)',
  ],
  [
    'a cause with the same words',
    new Error('It failed.', { cause: new Error('It failed.') }),
    'It failed.',
  ],
  [
    'a cause that the message holds',
    new Error('It failed. Try again.', { cause: new Error('It failed.') }),
    'It failed. Try again.',
  ],
  ['a cause that is no error', new Error('It failed.', { cause: 'why' }), 'It failed.'],
  ['something that is no error', 'It failed.', 'It failed.'],
  ['nothing', undefined, 'undefined'],
])('says every sentence once: %s', (_, error, text) => {
  expect(failureText(error)).toBe(text);
});
