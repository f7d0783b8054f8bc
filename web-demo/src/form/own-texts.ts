/**
 * The languages of the messages, and the texts of the page's own rules in them. Entitable has the
 * texts of all other rules.
 *
 * @module
 */

export interface OwnTexts {
  /** The language in itself. */
  readonly name: string;
  readonly taken: string;
  readonly visitBeforeBirth: string;
  /** What a name may have. */
  readonly nameForm: string;
}

export const OWN_TEXTS = {
  en: {
    name: 'English',
    taken: 'This name is taken.',
    visitBeforeBirth: 'The visit cannot be before the birth.',
    nameForm: 'Use small letters and hyphens, and begin with a letter.',
  },
  zh: {
    name: '中文',
    taken: '该名字已被使用。',
    visitBeforeBirth: '就诊时间不能早于出生日期。',
    nameForm: '请使用小写字母和连字符，并以字母开头。',
  },
  nl: {
    name: 'Nederlands',
    taken: 'Deze naam is al in gebruik.',
    visitBeforeBirth: 'Het bezoek kan niet vóór de geboorte zijn.',
    nameForm: 'Gebruik kleine letters en koppeltekens, en begin met een letter.',
  },
  fr: {
    name: 'Français',
    taken: 'Ce nom est déjà pris.',
    visitBeforeBirth: 'La visite ne peut pas précéder la naissance.',
    nameForm:
      'Utilisez des lettres minuscules et des traits d’union, en commençant par une lettre.',
  },
  de: {
    name: 'Deutsch',
    taken: 'Dieser Name ist schon vergeben.',
    visitBeforeBirth: 'Der Besuch kann nicht vor der Geburt liegen.',
    nameForm: 'Verwenden Sie Kleinbuchstaben und Bindestriche, mit einem Buchstaben am Anfang.',
  },
  it: {
    name: 'Italiano',
    taken: 'Questo nome è già in uso.',
    visitBeforeBirth: 'La visita non può precedere la nascita.',
    nameForm: 'Usa lettere minuscole e trattini, iniziando con una lettera.',
  },
  ja: {
    name: '日本語',
    taken: 'この名前は既に使われています。',
    visitBeforeBirth: '診察日時を誕生日より前にすることはできません。',
    nameForm: '英小文字とハイフンを使い、英字で始めてください。',
  },
  ko: {
    name: '한국어',
    taken: '이미 사용 중인 이름입니다.',
    visitBeforeBirth: '진료 일시는 출생일보다 빠를 수 없습니다.',
    nameForm: '영문 소문자와 하이픈만 사용하고, 영문자로 시작해 주세요.',
  },
  es: {
    name: 'Español',
    taken: 'Este nombre ya está en uso.',
    visitBeforeBirth: 'La visita no puede ser anterior al nacimiento.',
    nameForm: 'Use letras minúsculas y guiones, y empiece con una letra.',
  },
  th: {
    name: 'ไทย',
    taken: 'ชื่อนี้มีผู้ใช้แล้ว',
    visitBeforeBirth: 'วันนัดพบสัตวแพทย์ต้องไม่อยู่ก่อนวันเกิด',
    nameForm: 'ใช้ตัวอักษรอังกฤษพิมพ์เล็กและขีดกลาง โดยขึ้นต้นด้วยตัวอักษร',
  },
} satisfies Readonly<Record<string, OwnTexts>>;

export type Language = keyof typeof OWN_TEXTS;

let current: Language = 'en';

export function setLanguage(language: Language): void {
  current = language;
}

/** The texts of the chosen language. */
export function ownTexts(): OwnTexts {
  return OWN_TEXTS[current];
}

/** The first language that there are texts of; English, if there is none. */
export function knownLanguage(languages: readonly string[]): Language {
  const known = languages
    .map((language) => language.toLowerCase().split('-')[0]!)
    .find((language) => Object.hasOwn(OWN_TEXTS, language));
  return (known ?? 'en') as Language;
}
