import * as fc from 'fast-check';

/** How many inputs each of these files sends; `npm run test:all` sends 50,000. */
export const INPUTS = Number(process.env['ODD_INPUTS'] ?? 200);

/** Bytes that mean something to who reads lists or events, and some that are no UTF-8. */
const telling = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3b, 0x3d, 0x5c, 0x7b, 0x7d, 0x80, 0xc3, 0xef, 0xfe, 0xff];

interface Change {
  kind: 'replace' | 'insert' | 'remove' | 'cut' | 'repeat';
  /** Where, as a share of the length. */
  at: number;
  byte: number;
  length: number;
}

/** Changes of bytes as broken programs, discs and lines make them. */
export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('replace', 'replace', 'insert', 'insert', 'remove', 'cut', 'repeat'),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    byte: fc.oneof(fc.constantFrom(...telling), fc.nat(255)),
    length: fc.integer({ min: 1, max: 20 }),
  }),
  { minLength: 1, maxLength: 3 },
);

function changed(bytes: Buffer, { kind, at, byte, length }: Change): Buffer {
  const from = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)];
  if (kind === 'cut') return Buffer.from(before);
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, length), after]);
  if (kind === 'remove') return Buffer.concat([before, after.subarray(length)]);
  return Buffer.concat([before, Buffer.from([byte]), after.subarray(kind === 'insert' ? 0 : 1)]);
}

export const mutated = (bytes: Buffer, all: Change[]): Buffer => all.reduce(changed, bytes);
