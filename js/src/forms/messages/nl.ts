/**
 * Messages of forms in Dutch.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** Dutch. */
export const messages: Texts<'one' | 'other'> = {
  language: 'nl',
  required: 'Vul dit veld in.',
  requiredChoice: 'Kies een optie.',
  requiredBox: 'Vink dit vakje aan.',
  requiredFile: 'Kies een bestand.',
  wholeNumber: 'Vul een geheel getal in.',
  number: 'Vul een getal in.',
  date: 'Vul een datum in.',
  noSuchTime: 'Deze datum of tijd bestaat niet.',
  id: 'Vul een kenmerk van 32 tekens in, in de vorm 01234567-89ab-cdef-0123-456789abcdef.',
  yesOrNo: 'Kies ja of nee.',
  email: 'Vul een e-mailadres in, zoals name@example.com.',
  url: 'Vul een webadres in, zoals https://example.com.',
  invalid: 'Controleer wat u hier hebt ingevuld.',
  outOfRange: 'Dit getal is te groot of te klein.',
  tooManyDigits: 'Dit getal heeft te veel cijfers.',
  tooShort: {
    one: 'Vul minstens {limit} teken in. Tot nu toe: {actual}.',
    other: 'Vul minstens {limit} tekens in. Tot nu toe: {actual}.',
  },
  tooLong: {
    one: 'Vul hoogstens {limit} teken in. Tot nu toe: {actual}.',
    other: 'Vul hoogstens {limit} tekens in. Tot nu toe: {actual}.',
  },
  fileTooSmall: 'Dit bestand is te klein. Het moet minstens {limit} groot zijn.',
  fileTooLarge: 'Dit bestand is te groot. De grens is {limit}.',
  minimum: 'Vul {limit} of meer in.',
  maximum: 'Vul {limit} of minder in.',
  above: 'Vul meer dan {limit} in.',
  below: 'Vul minder dan {limit} in.',
  multipleOf: 'Vul een veelvoud van {limit} in.',
  earliest: 'Op zijn vroegst: {limit}.',
  latest: 'Uiterlijk: {limit}.',
  after: 'Dit moet later zijn dan {limit}.',
  before: 'Dit moet eerder zijn dan {limit}.',
  choice: 'Kies een van de opties.',
  pattern: 'Dit heeft niet de verwachte vorm.',
  character: 'Het teken {character} kan hier niet worden gebruikt.',
  tooMuch: 'Het formulier bevat meer dan er kan worden opgeslagen. Maak het korter.',
  exists: 'Dit bestaat al.',
  changed: 'Iemand anders heeft dit intussen gewijzigd. Laad het eerst opnieuw.',
  gone: 'Dit bestaat niet meer.',
  noRoom: 'Op dit apparaat is geen ruimte meer. Maak ruimte vrij en probeer het opnieuw.',
  failed: 'Opslaan is niet gelukt. Probeer het opnieuw.',
  unchecked: 'Controleren is niet gelukt. Probeer het opnieuw.',
  summary: {
    one: 'Verbeter {count} veld',
    other: 'Verbeter {count} velden',
  },
};
