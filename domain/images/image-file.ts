/** What phones show and customers' applications open: no SVG, which may contain scripts. */
export const imageTypes = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;
export type ImageType = keyof typeof imageTypes;

/** 5 MiB. */
export const MAXIMUM_IMAGE_BYTES = 5 * 1_048_576;

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

const startsWith = (bytes: Uint8Array, ...beginning: number[]): boolean =>
  beginning.every((byte, at) => bytes[at] === byte);

const uint32 = (bytes: Uint8Array, at: number, littleEndian = false): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, littleEndian);

/** The type by the first bytes, whatever the file is called; null for any other. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (['GIF87a', 'GIF89a'].includes(ascii(bytes, 0, 6))) return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  return null;
}

const PNG_SIGNATURE_BYTES = 8;
/** Length, name and checksum. */
const PNG_CHUNK_FRAME_BYTES = 12;

function isWholePng(bytes: Uint8Array): boolean {
  if (ascii(bytes, 12, 16) !== 'IHDR') return false;
  let at = PNG_SIGNATURE_BYTES;
  while (at + PNG_CHUNK_FRAME_BYTES <= bytes.length) {
    const name = ascii(bytes, at + 4, at + 8);
    at += PNG_CHUNK_FRAME_BYTES + uint32(bytes, at);
    if (name === 'IEND') return at === bytes.length;
  }
  return false;
}

/**
 * Whether nothing is missing at the end and nothing follows it: a broken picture is better refused than sent, and no other
 * format, such as an archive or a page, can hide behind it.
 */
export function isWholeImage(bytes: Uint8Array, type: ImageType): boolean {
  switch (type) {
    case 'image/png':
      return isWholePng(bytes);
    case 'image/jpeg':
      return bytes.length > 4 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;
    case 'image/gif':
      return bytes.length > 13 && bytes.at(-1) === 0x3b;
    case 'image/webp':
      return bytes.length > 12 && uint32(bytes, 4, true) + 8 === bytes.length;
  }
}
