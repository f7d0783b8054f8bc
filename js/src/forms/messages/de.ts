/**
 * Messages of forms in German.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** German. */
export const messages: Texts<'one' | 'other'> = {
  language: 'de',
  required: 'Bitte füllen Sie dieses Feld aus.',
  requiredChoice: 'Bitte wählen Sie eine Möglichkeit aus.',
  requiredBox: 'Bitte kreuzen Sie dieses Kästchen an.',
  requiredFile: 'Bitte wählen Sie eine Datei aus.',
  wholeNumber: 'Bitte geben Sie eine ganze Zahl ein.',
  number: 'Bitte geben Sie eine Zahl ein.',
  date: 'Bitte geben Sie ein Datum ein.',
  noSuchTime: 'Dieses Datum oder diese Uhrzeit gibt es nicht.',
  id: 'Bitte geben Sie eine Kennung mit 32 Stellen ein, in der Form 01234567-89ab-cdef-0123-456789abcdef.',
  yesOrNo: 'Bitte wählen Sie Ja oder Nein.',
  email: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  url: 'Bitte geben Sie eine Internetadresse ein, zum Beispiel https://example.com.',
  invalid: 'Bitte prüfen Sie diese Angabe.',
  outOfRange: 'Diese Zahl ist zu groß oder zu klein.',
  tooManyDigits: 'Diese Zahl hat zu viele Stellen.',
  tooShort: {
    one: 'Bitte geben Sie mindestens {limit} Zeichen ein. Bisher: {actual}.',
    other: 'Bitte geben Sie mindestens {limit} Zeichen ein. Bisher: {actual}.',
  },
  tooLong: {
    one: 'Bitte geben Sie höchstens {limit} Zeichen ein. Bisher: {actual}.',
    other: 'Bitte geben Sie höchstens {limit} Zeichen ein. Bisher: {actual}.',
  },
  fileTooSmall: 'Diese Datei ist zu klein. Sie muss mindestens {limit} groß sein.',
  fileTooLarge: 'Diese Datei ist zu groß. Erlaubt sind höchstens {limit}.',
  minimum: 'Bitte geben Sie {limit} oder mehr ein.',
  maximum: 'Bitte geben Sie {limit} oder weniger ein.',
  above: 'Bitte geben Sie mehr als {limit} ein.',
  below: 'Bitte geben Sie weniger als {limit} ein.',
  multipleOf: 'Bitte geben Sie ein Vielfaches von {limit} ein.',
  earliest: 'Frühestens möglich: {limit}.',
  latest: 'Spätestens möglich: {limit}.',
  after: 'Der Zeitpunkt muss nach diesem liegen: {limit}.',
  before: 'Der Zeitpunkt muss vor diesem liegen: {limit}.',
  choice: 'Bitte wählen Sie eine der angebotenen Möglichkeiten.',
  pattern: 'Diese Angabe hat nicht die erwartete Form.',
  character: 'Das Zeichen {character} ist hier nicht erlaubt.',
  tooMuch: 'Das Formular enthält mehr, als gespeichert werden kann. Bitte kürzen Sie es.',
  exists: 'Diesen Eintrag gibt es schon.',
  changed: 'Jemand anderes hat dies inzwischen geändert. Bitte laden Sie es zuerst neu.',
  gone: 'Diesen Eintrag gibt es nicht mehr.',
  noRoom:
    'Auf diesem Gerät ist kein Platz mehr. Bitte schaffen Sie Platz, und versuchen Sie es noch einmal.',
  failed: 'Das konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.',
  unchecked: 'Das konnte nicht geprüft werden. Bitte versuchen Sie es noch einmal.',
  summary: {
    one: 'Bitte berichtigen Sie {count} Angabe',
    other: 'Bitte berichtigen Sie {count} Angaben',
  },
};
