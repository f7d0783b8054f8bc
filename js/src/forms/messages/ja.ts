/**
 * Messages of forms in Japanese.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** Japanese. */
export const messages: Texts<'other'> = {
  language: 'ja',
  required: 'この項目を入力してください。',
  requiredChoice: 'いずれかを選択してください。',
  requiredBox: 'このチェックボックスをオンにしてください。',
  requiredFile: 'ファイルを選択してください。',
  wholeNumber: '整数を入力してください。',
  number: '数値を入力してください。',
  date: '日付を入力してください。',
  noSuchTime: 'この日時は存在しません。',
  id: '01234567-89ab-cdef-0123-456789abcdef の形式で、32 桁の ID を入力してください。',
  yesOrNo: '「はい」か「いいえ」を選択してください。',
  email: 'メールアドレスを name@example.com の形式で入力してください。',
  url: 'URL を https://example.com の形式で入力してください。',
  invalid: '入力内容を確認してください。',
  outOfRange: '数値が大きすぎるか、小さすぎます。',
  tooManyDigits: '数値の桁数が多すぎます。',
  tooShort: { other: '{limit} 文字以上で入力してください（現在 {actual} 文字）。' },
  tooLong: { other: '{limit} 文字以内で入力してください（現在 {actual} 文字）。' },
  fileTooSmall: 'ファイルが小さすぎます。{limit} 以上のファイルを選択してください。',
  fileTooLarge: 'ファイルが大きすぎます。上限は {limit} です。',
  minimum: '{limit} 以上の値を入力してください。',
  maximum: '{limit} 以下の値を入力してください。',
  above: '{limit} より大きい値を入力してください。',
  below: '{limit} より小さい値を入力してください。',
  multipleOf: '{limit} の倍数を入力してください。',
  earliest: '{limit} 以降の日時を入力してください。',
  latest: '{limit} 以前の日時を入力してください。',
  after: '{limit} より後の日時を入力してください。',
  before: '{limit} より前の日時を入力してください。',
  choice: '選択肢の中から選んでください。',
  pattern: '入力の形式が正しくありません。',
  character: '文字「{character}」はここでは使えません。',
  tooMuch: '保存できる量を超えています。内容を短くしてください。',
  exists: 'この項目はすでに登録されています。',
  changed: 'ほかの人が先に変更しました。読み込み直してください。',
  gone: 'この項目はもう存在しません。',
  noRoom: 'この端末の空き容量がありません。容量を空けてから、もう一度お試しください。',
  failed: '保存できませんでした。もう一度お試しください。',
  unchecked: '確認できませんでした。もう一度お試しください。',
  summary: { other: '{count} 件の入力を修正してください' },
};
