/**
 * Messages of forms in Thai.
 *
 * @module
 */

import type { Texts } from '../texts.js';

/** Thai. */
export const messages: Texts<'other'> = {
  language: 'th',
  required: 'กรุณากรอกช่องนี้',
  requiredChoice: 'กรุณาเลือกหนึ่งตัวเลือก',
  requiredBox: 'กรุณาทำเครื่องหมายในช่องนี้',
  requiredFile: 'กรุณาเลือกไฟล์',
  wholeNumber: 'กรุณากรอกจำนวนเต็ม',
  number: 'กรุณากรอกตัวเลข',
  date: 'กรุณากรอกวันที่',
  noSuchTime: 'ไม่มีวันที่หรือเวลานี้',
  id: 'กรุณากรอกรหัส 32 หลักในรูปแบบ 01234567-89ab-cdef-0123-456789abcdef',
  yesOrNo: 'กรุณาเลือกใช่หรือไม่ใช่',
  email: 'กรุณากรอกที่อยู่อีเมล เช่น name@example.com',
  url: 'กรุณากรอกที่อยู่เว็บ เช่น https://example.com',
  invalid: 'กรุณาตรวจสอบข้อมูลนี้',
  outOfRange: 'ตัวเลขนี้มากหรือน้อยเกินไป',
  tooManyDigits: 'ตัวเลขนี้มีจำนวนหลักมากเกินไป',
  tooShort: { other: 'กรุณากรอกอย่างน้อย {limit} ตัวอักษร ขณะนี้มี {actual} ตัวอักษร' },
  tooLong: { other: 'กรุณากรอกไม่เกิน {limit} ตัวอักษร ขณะนี้มี {actual} ตัวอักษร' },
  fileTooSmall: 'ไฟล์นี้เล็กเกินไป ต้องมีขนาดอย่างน้อย {limit}',
  fileTooLarge: 'ไฟล์นี้ใหญ่เกินไป ขนาดสูงสุดคือ {limit}',
  minimum: 'กรุณากรอกค่าตั้งแต่ {limit} ขึ้นไป',
  maximum: 'กรุณากรอกค่าไม่เกิน {limit}',
  above: 'กรุณากรอกค่าที่มากกว่า {limit}',
  below: 'กรุณากรอกค่าที่น้อยกว่า {limit}',
  multipleOf: 'กรุณากรอกค่าที่หารด้วย {limit} ลงตัว',
  earliest: 'ต้องไม่ก่อน {limit}',
  latest: 'ต้องไม่เกิน {limit}',
  after: 'ต้องหลังจาก {limit}',
  before: 'ต้องก่อน {limit}',
  choice: 'กรุณาเลือกจากตัวเลือกที่มี',
  pattern: 'รูปแบบของข้อมูลนี้ไม่ถูกต้อง',
  character: 'ใช้อักขระ {character} ที่นี่ไม่ได้',
  tooMuch: 'ข้อมูลในแบบฟอร์มมากเกินกว่าจะบันทึกได้ กรุณาย่อให้สั้นลง',
  exists: 'มีรายการนี้อยู่แล้ว',
  changed: 'มีผู้อื่นแก้ไขข้อมูลนี้ไปแล้ว กรุณาโหลดใหม่ก่อน',
  gone: 'ไม่มีรายการนี้แล้ว',
  failed: 'บันทึกไม่สำเร็จ กรุณาลองอีกครั้ง',
  unchecked: 'ตรวจสอบไม่สำเร็จ กรุณาลองอีกครั้ง',
  summary: { other: 'กรุณาแก้ไข {count} รายการ' },
};
