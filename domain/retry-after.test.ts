import { expect } from 'chai';
import { retryAfterMs } from './retry-after.ts';

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it('is read in both forms, up to the longest wait', () => {
    expect(retryAfterMs('1.5', now)).to.equal(1500);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:10 GMT', now)).to.equal(10_000);
    expect(retryAfterMs('999999', now)).to.equal(3_600_000);
    expect(retryAfterMs('999999', now, 60_000)).to.equal(60_000);
  });

  it('is ignored if it is not in the future', () => {
    const past = 'Wed, 31 Dec 2025 00:00:10 GMT';
    for (const nothing of [undefined, null, '', 'soon', '0', '-5', past])
      expect(retryAfterMs(nothing, now), String(nothing)).to.equal(null);
  });
});
