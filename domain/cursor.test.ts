import { expect } from 'chai';
import * as fc from 'fast-check';
import { z } from 'zod';
import { Problem } from './api/problem.ts';
import { decodeCursor, encodeCursor, keyText, microseconds, mapPage, pageOf } from './cursor.ts';

const key = z.tuple([microseconds, keyText]);

describe('cursor', () => {
  it('returns what it was made from', () => {
    expect(decodeCursor(key, encodeCursor([1_766_000_000_000_001, 'é/☃']))).to.deep.equal([
      1_766_000_000_000_001,
      'é/☃',
    ]);
    expect(decodeCursor(key, undefined)).to.equal(undefined);
  });

  it('rejects anything else as invalid_request', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (text) => {
          try {
            const decoded = decodeCursor(key, text);
            return Array.isArray(decoded);
          } catch (error) {
            return error instanceof Problem && error.code === 'invalid_request';
          }
        },
      ),
    );
  });

  it('is null on the last page only', () => {
    const page = (rows: number[]) =>
      mapPage(
        pageOf(rows, 2, (row) => [row]),
        String,
      );
    expect(page([1, 2])).to.deep.equal({ items: ['1', '2'], nextCursor: null });
    expect(page([1, 2, 3])).to.deep.equal({ items: ['1', '2'], nextCursor: encodeCursor([2]) });
    expect(page([])).to.deep.equal({ items: [], nextCursor: null });
  });
});
