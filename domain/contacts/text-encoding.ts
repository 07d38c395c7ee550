/** Encodings of text files in which the bytes of ASCII are not what they are in UTF-8. */
type WideEncoding = 'utf-16le' | 'utf-16be';

/** So many bytes tell it, or all of a shorter file. */
export const TELLING_BYTES = 256;

/**
 * How a file is encoded, as far as its first bytes tell: by a byte order mark, or by the zeros beside letters of ASCII.
 * All else is read as UTF-8.
 */
export function encodingOf(begin: Uint8Array): WideEncoding | 'utf-8' {
  if (begin[0] === 0xff && begin[1] === 0xfe) return 'utf-16le';
  if (begin[0] === 0xfe && begin[1] === 0xff) return 'utf-16be';
  const looked = begin.subarray(0, TELLING_BYTES);
  const zerosAt = (parity: number) => looked.filter((byte, at) => at % 2 === parity && byte === 0).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  // A text in UTF-8 has no zeros; one in UTF-16 has line ends and separators at least.
  if (odd * 4 > looked.length && even === 0) return 'utf-16le';
  if (even * 4 > looked.length && odd === 0) return 'utf-16be';
  return 'utf-8';
}
