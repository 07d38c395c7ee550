import { expect } from 'chai';
import type { Variants } from '#domain/api/variants.ts';
import type { Arm } from './evidence.ts';
import { lookAgainMs, nextStep } from './looks.ts';

const since = new Date('2026-11-26T08:00:00Z');
const after = (hours: number) => new Date(since.getTime() + hours * 3_600_000);

const sentTo = (...contacts: number[]): Arm[] => contacts.map((count) => ({ contacts: count, converted: 0 }));

const deciding = (decide: 'hand' | 'automatic', otherwise: 'best' | 'hand'): Variants => ({
  name: 'A',
  sharePercent: 10,
  others: [{ name: 'B', sharePercent: 10, messages: [{ type: 'text', text: 'B' }] }],
  winner: { by: { type: 'clicks' }, decide, afterHours: 24, otherwise, minimum: 0 },
});

describe('what is done about a test of variants', () => {
  const proven = { verdict: 'proven', leader: 1 } as const;
  const undecided = { verdict: 'undecided', leader: 1 } as const;
  const level = { verdict: 'too_few', leader: null } as const;
  const cases: [
    variants: Variants,
    hours: number,
    seen: typeof proven | typeof undecided | typeof level,
    step: unknown,
  ][] = [
    [deciding('automatic', 'best'), 1, proven, { take: 1 }],
    [deciding('automatic', 'best'), 1, undecided, 'go on'],
    [deciding('automatic', 'best'), 23.9, level, 'go on'],
    [deciding('automatic', 'best'), 24, undecided, { take: 1 }],
    [deciding('automatic', 'best'), 24, level, { take: 0 }],
    [deciding('automatic', 'hand'), 24, undecided, 'ask'],
    [deciding('automatic', 'hand'), 30, proven, { take: 1 }],
    [deciding('hand', 'best'), 1, undecided, 'go on'],
    [deciding('hand', 'best'), 1, proven, 'ask'],
    [deciding('hand', 'best'), 24, undecided, 'ask'],
  ];
  for (const [variants, hours, seen, step] of cases)
    it(`${JSON.stringify(step)}: ${variants.winner.decide}, otherwise ${variants.winner.otherwise}, ${seen.verdict} after ${hours} h`, () => {
      expect(nextStep(variants, { ...seen, arms: sentTo(10, 10) }, { since, now: after(hours) })).to.deep.equal(step);
    });

  it('takes none that was not sent to anybody', () => {
    const take = (arms: Arm[]) =>
      nextStep(deciding('automatic', 'best'), { ...level, arms }, { since, now: after(24) });
    expect(take(sentTo(0, 10))).to.deep.equal({ take: 1 });
    expect(take(sentTo(0, 0))).to.equal('ask');
  });

  it('is looked at after half a minute at first, and every quarter of an hour in the end', () => {
    expect([0, 60_000, 3_600_000, 86_400_000].map(lookAgainMs)).to.deep.equal([30_000, 30_000, 180_000, 900_000]);
  });
});
