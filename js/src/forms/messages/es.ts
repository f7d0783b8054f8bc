/**
 * Messages of forms in Spanish.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** Spanish. */
export const messages: Texts<'one' | 'many' | 'other'> = {
  language: 'es',
  required: 'Rellene este campo.',
  requiredChoice: 'Elija una opción.',
  requiredBox: 'Marque esta casilla.',
  requiredFile: 'Elija un archivo.',
  wholeNumber: 'Escriba un número entero.',
  number: 'Escriba un número.',
  date: 'Escriba una fecha.',
  noSuchTime: 'Esta fecha u hora no existe.',
  id: 'Escriba un identificador de 32 dígitos, con la forma 01234567-89ab-cdef-0123-456789abcdef.',
  yesOrNo: 'Elija sí o no.',
  email: 'Escriba una dirección de correo electrónico, como name@example.com.',
  url: 'Escriba una dirección web, como https://example.com.',
  invalid: 'Revise este dato.',
  outOfRange: 'Este número es demasiado grande o demasiado pequeño.',
  tooManyDigits: 'Este número tiene demasiadas cifras.',
  tooShort: {
    one: 'Escriba al menos {limit} carácter. Por ahora: {actual}.',
    many: 'Escriba al menos {limit} de caracteres. Por ahora: {actual}.',
    other: 'Escriba al menos {limit} caracteres. Por ahora: {actual}.',
  },
  tooLong: {
    one: 'Escriba como máximo {limit} carácter. Por ahora: {actual}.',
    many: 'Escriba como máximo {limit} de caracteres. Por ahora: {actual}.',
    other: 'Escriba como máximo {limit} caracteres. Por ahora: {actual}.',
  },
  fileTooSmall: 'Este archivo es demasiado pequeño. Debe tener al menos {limit}.',
  fileTooLarge: 'Este archivo es demasiado grande. El límite es {limit}.',
  minimum: 'Escriba {limit} o más.',
  maximum: 'Escriba {limit} o menos.',
  above: 'Escriba más de {limit}.',
  below: 'Escriba menos de {limit}.',
  multipleOf: 'Escriba un múltiplo de {limit}.',
  earliest: 'Lo más pronto posible: {limit}.',
  latest: 'Lo más tarde posible: {limit}.',
  after: 'Debe ser posterior a: {limit}.',
  before: 'Debe ser anterior a: {limit}.',
  choice: 'Elija una de las opciones.',
  pattern: 'Este dato no tiene la forma esperada.',
  character: 'El carácter {character} no se puede usar aquí.',
  tooMuch: 'El formulario contiene más de lo que se puede guardar. Acórtelo.',
  exists: 'Esta entrada ya existe.',
  changed: 'Otra persona ha cambiado estos datos entretanto. Vuelva a cargarlos primero.',
  gone: 'Esta entrada ya no existe.',
  noRoom: 'No queda espacio en este dispositivo. Libere espacio e inténtelo de nuevo.',
  failed: 'No se pudo guardar. Inténtelo de nuevo.',
  unchecked: 'No se pudo comprobar. Inténtelo de nuevo.',
  summary: {
    one: 'Corrija {count} dato',
    many: 'Corrija {count} de datos',
    other: 'Corrija {count} datos',
  },
};
