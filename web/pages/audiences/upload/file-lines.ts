import { encodingOf } from '#domain/contacts/text-encoding.ts';

/** Enough for the first lines of any table; the rest of the file stays on the disk. */
const SAMPLE_BYTES = 65_536;
const SAMPLE_LINES = 20;

const LF = 0x0a;
const CR = 0x0d;
/** Zeros are halves of characters in UTF-16. */
const isWhite = (byte: number) => byte === 0x20 || byte === 0 || (byte >= 0x09 && byte <= 0x0d);

/** The first lines of a file that are not blank. */
export async function firstLines(file: Blob): Promise<string[]> {
  const sample = file.slice(0, SAMPLE_BYTES);
  const bytes = new Uint8Array(await sample.arrayBuffer());
  const lines = new TextDecoder(encodingOf(bytes)).decode(bytes).split(/\r\n|\r|\n/);
  // The last one may be cut.
  if (sample.size < file.size && lines.length > 1) lines.pop();
  return lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES);
}

/** How many lines of a file are not blank. Reads it chunk by chunk. */
export async function countLines(file: Blob): Promise<number> {
  const reader = file.stream().getReader();
  let count = 0;
  let hasText = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return count + (hasText ? 1 : 0);
    for (const byte of value) {
      if (byte === LF || byte === CR) {
        if (hasText) count += 1;
        hasText = false;
      } else if (!hasText && !isWhite(byte)) hasText = true;
    }
  }
}
