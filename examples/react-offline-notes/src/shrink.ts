import type { ChangeEvent } from 'react';

// What the table takes (notes.ts), and how many pixels a picture may be wide or high.
const MAX_BYTES = 500_000;
const MAX_SIDE = 1600;

/** Makes the picture smaller that the user has chosen, such as a photo of a phone. */
export async function shrink({ target: input }: ChangeEvent<HTMLInputElement>) {
  const file = input.files?.[0];
  if (!file || file.size <= MAX_BYTES) return;
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(bitmap.width * scale, bitmap.height * scale);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const small = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  const chosen = new DataTransfer();
  chosen.items.add(new File([small], file.name, { type: small.type }));
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
