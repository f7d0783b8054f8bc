/**
 * Messages of forms in French.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** French. */
export const messages: Texts<'one' | 'many' | 'other'> = {
  language: 'fr',
  required: 'Veuillez remplir ce champ.',
  requiredChoice: 'Veuillez choisir une option.',
  requiredBox: 'Veuillez cocher cette case.',
  requiredFile: 'Veuillez choisir un fichier.',
  wholeNumber: 'Veuillez saisir un nombre entier.',
  number: 'Veuillez saisir un nombre.',
  date: 'Veuillez saisir une date.',
  noSuchTime: 'Cette date ou cette heure n’existe pas.',
  id: 'Veuillez saisir un identifiant de 32 chiffres, sous la forme 01234567-89ab-cdef-0123-456789abcdef.',
  yesOrNo: 'Veuillez choisir oui ou non.',
  email: 'Veuillez saisir une adresse e-mail, comme name@example.com.',
  url: 'Veuillez saisir une adresse web, comme https://example.com.',
  invalid: 'Veuillez vérifier cette saisie.',
  outOfRange: 'Ce nombre est trop grand ou trop petit.',
  tooManyDigits: 'Ce nombre a trop de chiffres.',
  tooShort: {
    one: 'Veuillez saisir au moins {limit} caractère. Actuellement : {actual}.',
    many: 'Veuillez saisir au moins {limit} de caractères. Actuellement : {actual}.',
    other: 'Veuillez saisir au moins {limit} caractères. Actuellement : {actual}.',
  },
  tooLong: {
    one: 'Veuillez saisir au plus {limit} caractère. Actuellement : {actual}.',
    many: 'Veuillez saisir au plus {limit} de caractères. Actuellement : {actual}.',
    other: 'Veuillez saisir au plus {limit} caractères. Actuellement : {actual}.',
  },
  fileTooSmall: 'Ce fichier est trop petit. Il doit faire au moins {limit}.',
  fileTooLarge: 'Ce fichier est trop volumineux. La limite est de {limit}.',
  minimum: 'Veuillez saisir {limit} ou plus.',
  maximum: 'Veuillez saisir {limit} ou moins.',
  above: 'Veuillez saisir plus de {limit}.',
  below: 'Veuillez saisir moins de {limit}.',
  multipleOf: 'Veuillez saisir un multiple de {limit}.',
  earliest: 'Au plus tôt : {limit}.',
  latest: 'Au plus tard : {limit}.',
  after: 'La date doit être postérieure à : {limit}.',
  before: 'La date doit être antérieure à : {limit}.',
  choice: 'Veuillez choisir une des options proposées.',
  pattern: 'Cette saisie n’a pas la forme attendue.',
  character: 'Le caractère {character} n’est pas autorisé ici.',
  tooMuch: 'Le formulaire contient plus que ce qui peut être enregistré. Veuillez le raccourcir.',
  exists: 'Cette entrée existe déjà.',
  changed: 'Quelqu’un d’autre a modifié ces données entre-temps. Veuillez d’abord les recharger.',
  gone: 'Cette entrée n’existe plus.',
  noRoom: 'Il n’y a plus de place sur cet appareil. Veuillez en libérer et réessayer.',
  failed: 'L’enregistrement a échoué. Veuillez réessayer.',
  unchecked: 'La vérification a échoué. Veuillez réessayer.',
  summary: {
    one: 'Veuillez corriger {count} saisie',
    many: 'Veuillez corriger {count} de saisies',
    other: 'Veuillez corriger {count} saisies',
  },
};
