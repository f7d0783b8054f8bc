/**
 * Messages of forms in Chinese.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** Chinese. */
export const messages: Texts<'other'> = {
  language: 'zh',
  required: '请填写此项。',
  requiredChoice: '请选择一项。',
  requiredBox: '请勾选此框。',
  requiredFile: '请选择文件。',
  wholeNumber: '请输入整数。',
  number: '请输入数字。',
  date: '请输入日期。',
  noSuchTime: '该日期或时间不存在。',
  id: '请输入 32 位标识符，格式为 01234567-89ab-cdef-0123-456789abcdef。',
  yesOrNo: '请选择“是”或“否”。',
  email: '请输入电子邮件地址，例如 name@example.com。',
  url: '请输入网址，例如 https://example.com。',
  invalid: '请检查此项内容。',
  outOfRange: '数字过大或过小。',
  tooManyDigits: '数字的位数过多。',
  tooShort: { other: '请至少输入 {limit} 个字符，目前为 {actual} 个。' },
  tooLong: { other: '最多可输入 {limit} 个字符，目前为 {actual} 个。' },
  fileTooSmall: '文件过小，至少需要 {limit}。',
  fileTooLarge: '文件过大，上限为 {limit}。',
  minimum: '请输入不小于 {limit} 的值。',
  maximum: '请输入不大于 {limit} 的值。',
  above: '请输入大于 {limit} 的值。',
  below: '请输入小于 {limit} 的值。',
  multipleOf: '请输入 {limit} 的倍数。',
  earliest: '不能早于 {limit}。',
  latest: '不能晚于 {limit}。',
  after: '必须晚于 {limit}。',
  before: '必须早于 {limit}。',
  choice: '请从选项中选择。',
  pattern: '格式不正确。',
  character: '此处不能使用字符“{character}”。',
  tooMuch: '表单内容超过了可保存的大小，请缩短。',
  exists: '该条目已存在。',
  changed: '其他人已修改了这些内容，请先重新加载。',
  gone: '该条目已不存在。',
  noRoom: '此设备上没有剩余空间。请释放空间后重试。',
  failed: '保存失败，请重试。',
  unchecked: '检查失败，请重试。',
  summary: { other: '请更正 {count} 处内容' },
};
