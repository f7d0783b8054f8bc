/**
 * Messages of forms in Korean.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** Korean. */
export const messages: Texts<'other'> = {
  language: 'ko',
  required: '이 항목을 입력해 주세요.',
  requiredChoice: '하나를 선택해 주세요.',
  requiredBox: '이 확인란을 선택해 주세요.',
  requiredFile: '파일을 선택해 주세요.',
  wholeNumber: '정수를 입력해 주세요.',
  number: '숫자를 입력해 주세요.',
  date: '날짜를 입력해 주세요.',
  noSuchTime: '존재하지 않는 날짜 또는 시간입니다.',
  id: '01234567-89ab-cdef-0123-456789abcdef 형식의 32자리 식별자를 입력해 주세요.',
  yesOrNo: '예 또는 아니요를 선택해 주세요.',
  email: '이메일 주소를 name@example.com 형식으로 입력해 주세요.',
  url: '웹 주소를 https://example.com 형식으로 입력해 주세요.',
  invalid: '입력한 내용을 확인해 주세요.',
  outOfRange: '숫자가 너무 크거나 너무 작습니다.',
  tooManyDigits: '숫자의 자릿수가 너무 많습니다.',
  tooShort: { other: '{limit}자 이상 입력해 주세요. 현재 {actual}자입니다.' },
  tooLong: { other: '{limit}자 이하로 입력해 주세요. 현재 {actual}자입니다.' },
  fileTooSmall: '파일이 너무 작습니다. 최소 크기는 {limit}입니다.',
  fileTooLarge: '파일이 너무 큽니다. 최대 크기는 {limit}입니다.',
  minimum: '{limit} 이상의 값을 입력해 주세요.',
  maximum: '{limit} 이하의 값을 입력해 주세요.',
  above: '{limit}보다 큰 값을 입력해 주세요.',
  below: '{limit}보다 작은 값을 입력해 주세요.',
  multipleOf: '{limit}의 배수를 입력해 주세요.',
  earliest: '{limit} 또는 그 이후로 입력해 주세요.',
  latest: '{limit} 또는 그 이전으로 입력해 주세요.',
  after: '{limit}보다 나중이어야 합니다.',
  before: '{limit}보다 앞서야 합니다.',
  choice: '제시된 항목 중에서 선택해 주세요.',
  pattern: '형식이 올바르지 않습니다.',
  character: '{character} 문자는 여기에 사용할 수 없습니다.',
  tooMuch: '저장할 수 있는 양을 넘었습니다. 내용을 줄여 주세요.',
  exists: '이미 존재하는 항목입니다.',
  changed: '그사이에 다른 사람이 내용을 변경했습니다. 먼저 다시 불러와 주세요.',
  gone: '더 이상 존재하지 않는 항목입니다.',
  noRoom: '이 기기에 남은 공간이 없습니다. 공간을 확보한 후 다시 시도해 주세요.',
  failed: '저장하지 못했습니다. 다시 시도해 주세요.',
  unchecked: '확인하지 못했습니다. 다시 시도해 주세요.',
  summary: { other: '{count}개 항목을 수정해 주세요' },
};
