import { expect } from 'chai';
import * as fc from 'fast-check';
import { numberFields, textFields } from '#domain/rules/condition-fields.ts';
import { type EventFacts, type MatchCondition, matchConditionSchema, matches } from '#domain/rules/match-condition.ts';
import { isGroup, newGroup } from '#web/components/group/group-draft.ts';
import { problemsOf } from '../rule-check.ts';
import { conditionOf, draftOf, newComparison, withField, withOp, writtenValues } from './condition-draft.ts';

const word = fc.constantFrom('a', 'b', 'a*', '?');
const amount = fc.integer({ min: -2, max: 3 });
const comparison = fc.oneof(
  fc.record({ field: fc.constantFrom(...textFields), op: fc.constantFrom('eq', 'ne', 'prefix', 'glob'), value: word }),
  fc.record({ field: fc.constantFrom(...textFields), op: fc.constant('in'), value: fc.array(word, { maxLength: 3 }) }),
  fc.record({ field: fc.constantFrom(...numberFields), op: fc.constantFrom('eq', 'lt', 'gte'), value: amount }),
) as fc.Arbitrary<MatchCondition>;
const { condition } = fc.letrec<{ condition: MatchCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    comparison,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}));
const facts = fc.record({
  ...Object.fromEntries(textFields.map((field) => [field, fc.option(fc.constantFrom('a', 'b', 'ab'))])),
  ...Object.fromEntries(numberFields.map((field) => [field, fc.option(amount)])),
}) as fc.Arbitrary<EventFacts>;

describe('condition being written', () => {
  it('means the same as the stored one, and is stable after one pass', () => {
    fc.assert(
      fc.property(condition, facts, (stored, event) => {
        const draft = draftOf(stored);
        const written = conditionOf(draft);
        expect(matches(written, event)).to.equal(matches(stored, event));
        expect(conditionOf(draftOf(written))).to.deep.equal(written);
        expect(problemsOf(draft).values.size).to.equal(0);
      }),
    );
  });

  it('shows `not` of alternatives as one group', () => {
    const stored: MatchCondition = { not: { any: [{ field: 'url', op: 'eq', value: 'a' }, { any: [] }] } };
    const draft = draftOf(stored);
    expect(draft.kind).to.equal('none');
    expect(draft.parts.map(isGroup)).to.deep.equal([false, true]);
    expect(conditionOf(draft)).to.deep.equal(stored);
  });

  it('names the comparisons whose value the schema rejects', () => {
    const number = { ...newComparison('messageCount'), text: 'many' };
    const list = { ...newComparison('actionIndex'), op: 'in' as const, values: ['1', '2'] };
    const long = { ...newComparison('url'), text: 'x'.repeat(501) };
    const draft = newGroup('all', [number, list, newGroup('none', [long])]);
    expect([...problemsOf(draft).values]).to.deep.equal([number.key, long.key]);
    expect(conditionOf(list)).to.deep.equal({ field: 'actionIndex', op: 'in', value: [1, 2] });
  });

  it('reports that the whole is too deep', () => {
    let draft = newGroup('any', [{ ...newComparison('url'), text: 'a' }]);
    for (let level = 0; level < 8; level++) draft = newGroup('any', [draft]);
    expect(problemsOf(draft)).to.deep.include({ tooLarge: true });
    expect(matchConditionSchema.safeParse(conditionOf(draft)).success).to.equal(false);
  });

  it('keeps what was typed if the new field is compared in the same way', () => {
    const part = { ...newComparison('bizEventCode'), op: 'glob' as const, text: 'a*' };
    expect(withField(part, 'url')).to.deep.equal({ ...part, field: 'url' });
    expect(withField(part, 'messageCount')).to.include({ key: part.key, field: 'messageCount', op: 'eq', text: 'a*' });
  });

  it('takes written lists apart at commas and lines, except for values that are stored', () => {
    expect(writtenValues(['a, b，c\n', '', 'a', ' 丁、戊\r\n己'])).to.deep.equal(['a', 'b', 'c', '丁', '戊', '己']);
    expect(writtenValues(['a,b', 'c,d'], new Set(['a,b']))).to.deep.equal(['a,b', 'c', 'd']);
    const stored: MatchCondition = { all: [{ field: 'url', op: 'in', value: ['a,b', 'c'] }] };
    expect(conditionOf(draftOf(stored))).to.deep.equal(stored);
  });

  it('keeps what was typed from one value to a list and back', () => {
    const one = { ...newComparison('bizEventCode'), text: 'a, b' };
    const list = withOp(one, 'in');
    expect(list.values).to.deep.equal(['a', 'b']);
    expect(withOp(list, 'ne')).to.include({ op: 'ne', text: 'a' });
    expect(withOp(withOp(list, 'ne'), 'in').values).to.deep.equal(['a', 'b']);
  });
});
