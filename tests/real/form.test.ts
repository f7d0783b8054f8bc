// A bound form in each browser, with the keyboard alone.

import { describe, expect, it } from 'vitest';

import { ENGINES } from './support/engines.js';
import { openWithKeyboard } from './support/keyboard.js';
import { openSite } from './support/site.js';

describe.each(ENGINES)('a bound form in %s', (engine) => {
  it('says what is wrong, passes axe, moves the focus, and stores what the keyboard has typed', async () => {
    const site = await openSite();
    const keyboard = await openWithKeyboard(engine, site.url('tab'));
    const tab = await site.actor('tab');
    await tab.call('showForm');
    const passesAxe = async () => expect(await tab.call('axeViolations')).toEqual([]);
    await passesAxe();
    const seen = () => expect.poll(() => tab.call('seen'));

    await keyboard.press('Tab');
    await seen().toEqual({ focused: 'name', messages: {} });
    await keyboard.type('A');
    await keyboard.press('Tab');
    const tooShort = 'Please enter at least 2 characters. So far: 1.';
    await seen().toEqual({ focused: 'chip', messages: { name: tooShort } });

    await keyboard.type('9007199254740993');
    await keyboard.press('Enter');
    await seen().toEqual({
      focused: 'name',
      messages: {
        name: tooShort,
        weight: 'Please fill in this field.',
        kind: 'Please choose an option.',
      },
    });
    expect(await tab.call('userInvalid')).toContain('name');
    await passesAxe();
    expect(await tab.call('storedGuest')).toBeFalsy();

    await keyboard.press('End');
    await keyboard.type('nn');
    await seen().not.toHaveProperty('messages.name');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('12.5');
    await keyboard.press('Tab');
    await keyboard.type(' ');
    await seen().toEqual({ focused: 'kind', messages: {} });
    await keyboard.press('Tab');
    await keyboard.type(' ');
    await keyboard.press('Tab');
    await keyboard.type('hi');
    await keyboard.press('Enter');
    await keyboard.type('Ann');
    await keyboard.press('Tab');
    await seen().toEqual({ focused: 'button', messages: {} });
    await keyboard.press('Enter');

    await expect
      .poll(() => tab.call('storedGuest'))
      .toMatchObject({
        ...{ name: 'Ann', chip: '9007199254740993', weight: 12.5 },
        ...{ kind: 'dog', news: true, note: 'hi\nAnn' },
      });
  });
});
