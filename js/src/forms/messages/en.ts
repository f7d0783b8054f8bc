/**
 * Messages of forms in English.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** English. */
export const messages: Texts<'one' | 'other'> = {
  language: 'en',
  required: 'Please fill in this field.',
  requiredChoice: 'Please choose an option.',
  requiredBox: 'Please tick this box.',
  requiredFile: 'Please choose a file.',
  wholeNumber: 'Please enter a whole number.',
  number: 'Please enter a number.',
  date: 'Please enter a date.',
  noSuchTime: 'This date or time does not exist.',
  id: 'Please enter an ID with 32 digits, in the form 01234567-89ab-cdef-0123-456789abcdef.',
  yesOrNo: 'Please choose yes or no.',
  email: 'Please enter an e-mail address, like name@example.com.',
  url: 'Please enter a web address, like https://example.com.',
  invalid: 'Please check this entry.',
  outOfRange: 'This number is too large or too small.',
  tooManyDigits: 'This number has too many digits.',
  tooShort: {
    one: 'Please enter at least {limit} character. So far: {actual}.',
    other: 'Please enter at least {limit} characters. So far: {actual}.',
  },
  tooLong: {
    one: 'Please enter no more than {limit} character. So far: {actual}.',
    other: 'Please enter no more than {limit} characters. So far: {actual}.',
  },
  fileTooSmall: 'This file is too small. It must be at least {limit}.',
  fileTooLarge: 'This file is too large. The limit is {limit}.',
  minimum: 'Please enter {limit} or more.',
  maximum: 'Please enter {limit} or less.',
  above: 'Please enter more than {limit}.',
  below: 'Please enter less than {limit}.',
  multipleOf: 'Please enter a multiple of {limit}.',
  earliest: 'The earliest is {limit}.',
  latest: 'The latest is {limit}.',
  after: 'This must be after {limit}.',
  before: 'This must be before {limit}.',
  choice: 'Please choose one of the options.',
  pattern: 'This does not have the expected form.',
  character: 'The character {character} cannot be used here.',
  tooMuch: 'The form holds more than can be saved. Please shorten it.',
  exists: 'This entry exists already.',
  changed: 'Somebody else has changed this in the meantime. Please reload it first.',
  gone: 'This entry does not exist any more.',
  noRoom: 'There is no room left on this device. Please make room and try again.',
  failed: 'This could not be saved. Please try again.',
  unchecked: 'This could not be checked. Please try again.',
  summary: {
    one: 'Please correct {count} entry',
    other: 'Please correct {count} entries',
  },
};
