import type { ImageType } from './image-file.ts';

/** In pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const pngSize = (bytes: DataView): ImageSize => ({ width: bytes.getUint32(16), height: bytes.getUint32(20) });

const gifSize = (bytes: DataView): ImageSize => ({ width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) });

/** A frame's header; the segments between share the range of markers, but are none. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegSize(bytes: DataView): ImageSize | null {
  let at = 2;
  while (bytes.getUint8(at) === 0xff) {
    const marker = bytes.getUint8(at + 1);
    if (isFrame(marker)) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) };
    // Any number of 0xff may stand before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.getUint16(at + 2);
  }
  return null;
}

const uint24 = (bytes: DataView, at: number): number => bytes.getUint16(at, true) + bytes.getUint8(at + 2) * 65_536;

function webpSize(bytes: DataView): ImageSize | null {
  switch (bytes.getUint32(12)) {
    case 0x56503820: // `VP8 `
      return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // `VP8L`: twice 14 bits
      const both = bytes.getUint32(21, true);
      return { width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // `VP8X`
      return { width: uint24(bytes, 24) + 1, height: uint24(bytes, 27) + 1 };
    default:
      return null;
  }
}

const readers: Record<ImageType, (bytes: DataView) => ImageSize | null> = {
  'image/png': pngSize,
  'image/gif': gifSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** Width and height as the picture's header says them; null if it says none. */
export function imageSizeOf(bytes: Uint8Array, type: ImageType): ImageSize | null {
  try {
    return readers[type](view(bytes));
  } catch (error) {
    // The header is cut short.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
