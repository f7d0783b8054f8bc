/**
 * Messages of forms in Italian.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** Italian. */
export const messages: Texts<'one' | 'many' | 'other'> = {
  language: 'it',
  required: 'Compila questo campo.',
  requiredChoice: 'Scegli un’opzione.',
  requiredBox: 'Seleziona questa casella.',
  requiredFile: 'Scegli un file.',
  wholeNumber: 'Inserisci un numero intero.',
  number: 'Inserisci un numero.',
  date: 'Inserisci una data.',
  noSuchTime: 'Questa data o ora non esiste.',
  id: 'Inserisci un identificativo di 32 cifre, nella forma 01234567-89ab-cdef-0123-456789abcdef.',
  yesOrNo: 'Scegli sì o no.',
  email: 'Inserisci un indirizzo e-mail, come name@example.com.',
  url: 'Inserisci un indirizzo web, come https://example.com.',
  invalid: 'Controlla questo dato.',
  outOfRange: 'Questo numero è troppo grande o troppo piccolo.',
  tooManyDigits: 'Questo numero ha troppe cifre.',
  tooShort: {
    one: 'Inserisci almeno {limit} carattere. Finora: {actual}.',
    many: 'Inserisci almeno {limit} di caratteri. Finora: {actual}.',
    other: 'Inserisci almeno {limit} caratteri. Finora: {actual}.',
  },
  tooLong: {
    one: 'Inserisci al massimo {limit} carattere. Finora: {actual}.',
    many: 'Inserisci al massimo {limit} di caratteri. Finora: {actual}.',
    other: 'Inserisci al massimo {limit} caratteri. Finora: {actual}.',
  },
  fileTooSmall: 'Questo file è troppo piccolo. Deve essere di almeno {limit}.',
  fileTooLarge: 'Questo file è troppo grande. Il limite è {limit}.',
  minimum: 'Inserisci {limit} o più.',
  maximum: 'Inserisci {limit} o meno.',
  above: 'Inserisci più di {limit}.',
  below: 'Inserisci meno di {limit}.',
  multipleOf: 'Inserisci un multiplo di {limit}.',
  earliest: 'Non prima di: {limit}.',
  latest: 'Non oltre: {limit}.',
  after: 'La data deve essere successiva a: {limit}.',
  before: 'La data deve essere precedente a: {limit}.',
  choice: 'Scegli una delle opzioni.',
  pattern: 'Questo dato non ha la forma prevista.',
  character: 'Il carattere {character} non è ammesso qui.',
  tooMuch: 'Il modulo contiene più di quanto si possa salvare. Abbrevialo.',
  exists: 'Questa voce esiste già.',
  changed: 'Nel frattempo qualcun altro ha modificato questi dati. Ricaricali prima di continuare.',
  gone: 'Questa voce non esiste più.',
  noRoom: 'Su questo dispositivo non c’è più spazio. Libera spazio e riprova.',
  failed: 'Non è stato possibile salvare. Riprova.',
  unchecked: 'Non è stato possibile verificare. Riprova.',
  summary: {
    one: 'Correggi {count} dato',
    many: 'Correggi {count} di dati',
    other: 'Correggi {count} dati',
  },
};
