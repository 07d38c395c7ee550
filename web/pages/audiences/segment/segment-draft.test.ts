import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Segment, segmentParts, segmentSchema } from '#domain/api/segments.ts';
import { leavesOf, newGroup } from '#web/components/group/group-draft.ts';
import { type LeafDraft, newLeaf, newSegment, pathsOf, segmentDraftOf, segmentOf } from './segment-draft.ts';

const campaigns = fc.oneof(
  fc.record({ campaignIds: fc.array(fc.constantFrom('c1', 'c2', 'c3'), { minLength: 1, maxLength: 3 }) }),
  fc.record({ lastDays: fc.integer({ min: 1, max: 366 }) }),
);
const times = fc.constantFrom({ gte: 2 }, { lte: 0 }, { gte: 1, lte: 3 });
const counted = fc
  .tuple(campaigns, fc.option(times))
  .map(([chosen, often]) => ({ ...chosen, ...(often && { times: often }) }));
const fold = { fold: fc.constant(true) };
const value = fc.constantFrom('a', 'b', ' a,b ');
const index = fc.integer({ min: 0, max: 3 });
const test = fc.oneof(
  fc.record({ op: fc.constantFrom('eq', 'ne'), value, ...fold }, { requiredKeys: ['op', 'value'] }),
  fc.record(
    { op: fc.constant('in'), values: fc.array(value, { minLength: 1, maxLength: 3 }), ...fold },
    { requiredKeys: ['op', 'values'] },
  ),
  fc.record({ op: fc.constant('exists') }),
  fc.record({ op: fc.constantFrom('before', 'after'), date: fc.constantFrom('2026-03-01', '0001-01-01') }),
  fc.record({ op: fc.constant('days_ago'), from: fc.constantFrom(0, 3), to: fc.constantFrom(3, 36_600) }),
);
const condition = fc.oneof(
  fc.record({ tag: fc.constantFrom('t1', 't2') }),
  fc.record({ inList: fc.record({ audienceId: fc.constantFrom('l1', 'l2') }) }),
  fc.record({ reached: counted }),
  fc.record({ conversed: counted }),
  fc.record({
    entered: fc.constantFrom({ lastDays: 7 }, { before: '2026-03-01' }, { after: '2026-03-01' }),
  }),
  fc.record({
    clicked: fc.record(
      { campaigns, messageIndex: index, actionIndex: index, bizEventCode: value, times },
      { requiredKeys: ['campaigns'] },
    ),
  }),
  fc.record({ profile: fc.record({ field: fc.constantFrom('channel', 'language', 'region'), test }) }),
  fc.record({ profile: fc.record({ field: fc.constant('attribute'), name: value, test }) }),
) as fc.Arbitrary<Segment>;
const { segment } = fc.letrec<{ segment: Segment }>((tie) => ({
  segment: fc.oneof(
    { maxDepth: 4 },
    condition,
    fc.record({ all: fc.array(tie('segment'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('segment'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('segment') }),
  ),
}));
const accepted = segment.filter((one) => segmentSchema.safeParse(one).success);

/** Whether a contact is in it, of whom the conditions in `holds` hold. */
function isIn(part: Segment, holds: (condition: string) => boolean): boolean {
  if ('all' in part) return part.all.every((one) => isIn(one, holds));
  if ('any' in part) return part.any.some((one) => isIn(one, holds));
  return 'not' in part ? !isIn(part.not, holds) : holds(JSON.stringify(part));
}

/** With `{not: {any: [{all}]}}` as `{not: {all}}`, which it means: the editor shows both as a group of none. */
function unwrapped(part: Segment): Segment {
  if ('all' in part) return { all: part.all.map(unwrapped) };
  if ('any' in part) return { any: part.any.map(unwrapped) };
  if (!('not' in part)) return part;
  const inner = unwrapped(part.not);
  const only = 'any' in inner && inner.any.length === 1 ? inner.any[0] : undefined;
  return { not: only && 'all' in only ? only : inner };
}

describe('segment being written', () => {
  it('means the same as the stored one, is accepted, and is the same after another pass', () => {
    fc.assert(
      fc.property(accepted, fc.func(fc.boolean()), (stored, holds) => {
        const written = segmentOf(segmentDraftOf(stored));
        expect(isIn(written, holds)).to.equal(isIn(stored, holds));
        expect(segmentOf(segmentDraftOf(written))).to.deep.equal(written);
        const parts = segmentParts(stored).length;
        // A lone condition gets a group around it.
        if (parts < 30) expect(segmentSchema.safeParse(written).success).to.equal(true);
      }),
    );
  });

  it('gives back what is stored, unless a `not` is doubled, a condition stands alone or a group has one group only', () => {
    const plain = accepted.filter(
      (one) => ('all' in one || 'any' in one) && !/\{"not":\{"not":/.test(JSON.stringify(one)),
    );
    fc.assert(
      fc.property(plain, (stored) => {
        expect(segmentOf(segmentDraftOf(stored))).to.deep.equal(unwrapped(stored));
      }),
    );
    const one: Segment = { any: [{ not: { any: [{ all: [{ tag: 't1' }] }] } }] };
    expect(segmentOf(segmentDraftOf(one))).to.deep.equal({ any: [{ not: { all: [{ tag: 't1' }] } }] });
  });

  it('reads a condition in `not` as the negated condition, and says where each part is', () => {
    const stored: Segment = {
      all: [
        { reached: { campaignIds: ['c1'] } },
        { not: { clicked: { campaigns: { campaignIds: ['c1'] } } } },
        { not: { any: [{ tag: 't1' }, { not: { tag: 't2' } }] } },
      ],
    };
    const draft = segmentDraftOf(stored);
    const read = leavesOf<LeafDraft>(draft).map(({ subject, negated, tagId }) => [subject, negated, tagId]);
    expect(read).to.deep.equal([
      ['reached', false, ''],
      ['clicked', true, ''],
      ['tag', false, 't1'],
      ['tag', true, 't2'],
    ]);
    const paths = [...pathsOf(draft).values()];
    expect(paths).to.deep.equal(['', '/all/0', '/all/1', '/all/2', '/all/2/not/any/0', '/all/2/not/any/1']);
    expect(segmentParts(stored).map(({ path }) => path)).to.include.members(paths);
  });

  it('keeps a group of none that has one condition, and is for the schema to reject while it is incomplete', () => {
    const none = newGroup<LeafDraft>('none', [{ ...newLeaf('tag'), tagId: 't1' }]);
    const written = segmentOf(none);
    expect(written).to.deep.equal({ not: { any: [{ tag: 't1' }] } });
    expect(segmentDraftOf(written)).to.deep.include({ kind: 'none' });
    for (const incomplete of [newSegment(), newGroup('all', [newLeaf('reached')]), newGroup('any', [newLeaf('tag')])])
      expect(segmentSchema.safeParse(segmentOf(incomplete)).success).to.equal(false);
  });
});
