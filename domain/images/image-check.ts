import { imageTypeOf, isWholeImage, MAXIMUM_IMAGE_BYTES } from './image-file.ts';
import { type ImageSize, imageSizeOf } from './image-size.ts';

/**
 * What may be wrong with a picture of a message. `not_public`: the address is not one that customers could open.
 * `unreachable`: no response. `refused`: a response other than the picture. `heavy`, `large`, `small`: it will load slowly
 * or look bad.
 */
export const imageWarnings = [
  'not_public',
  'unreachable',
  'refused',
  'not_an_image',
  'broken',
  'too_large',
  'heavy',
  'large',
  'small',
] as const;
export type ImageWarning = (typeof imageWarnings)[number];

/** More loads noticeably late on a phone. */
export const HEAVY_IMAGE_BYTES = 1_048_576;
/** Pixels of the longer side, beyond which phones scale down or give up. */
export const LARGE_IMAGE_PIXELS = 4096;
/** Pixels of the longer side, below which a card shows it blurred. */
export const SMALL_IMAGE_PIXELS = 240;

function ofSize({ width, height }: ImageSize): ImageWarning[] {
  const longer = Math.max(width, height);
  if (longer > LARGE_IMAGE_PIXELS) return ['large'];
  return longer < SMALL_IMAGE_PIXELS ? ['small'] : [];
}

/** A picture as it was read from its address. */
export interface CheckedImage {
  size: ImageSize | null;
  warnings: ImageWarning[];
}

/** @param bytes all of them, or the first `MAXIMUM_IMAGE_BYTES + 1`. */
export function checkImage(bytes: Uint8Array): CheckedImage {
  const type = imageTypeOf(bytes);
  if (type === null) return { size: null, warnings: ['not_an_image'] };
  const size = imageSizeOf(bytes, type);
  if (bytes.length > MAXIMUM_IMAGE_BYTES) return { size, warnings: ['too_large'] };
  if (!isWholeImage(bytes, type) || size === null) return { size, warnings: ['broken'] };
  return { size, warnings: [...(bytes.length > HEAVY_IMAGE_BYTES ? (['heavy'] as const) : []), ...ofSize(size)] };
}
