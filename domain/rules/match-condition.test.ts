import { expect } from 'chai';
import * as fc from 'fast-check';
import { matchesGlob } from './glob.ts';
import { type EventFacts, type MatchCondition, matchConditionSchema, matches } from './match-condition.ts';
import { numberFields, textFields } from './condition-fields.ts';

const characters = fc.constantFrom('a', 'b', '*', '?', '/', '.', '😀', '[', '\\');
const word = fc.array(characters, { maxLength: 6 }).map((list) => list.join(''));
const amount = fc.integer({ min: -2, max: 3 });

const comparison: fc.Arbitrary<MatchCondition> = fc.oneof(
  fc.record({
    field: fc.constantFrom(...textFields),
    op: fc.constantFrom('eq', 'ne', 'prefix', 'glob'),
    value: word,
  }),
  fc.record({ field: fc.constantFrom(...textFields), op: fc.constant('in'), value: fc.array(word, { maxLength: 3 }) }),
  fc.record({
    field: fc.constantFrom(...numberFields),
    op: fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte'),
    value: amount,
  }),
  fc.record({
    field: fc.constantFrom(...numberFields),
    op: fc.constant('in'),
    value: fc.array(amount, { maxLength: 3 }),
  }),
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

const facts = fc.record(
  Object.fromEntries([
    ...textFields.map((field) => [field, fc.option(word)]),
    ...numberFields.map((field) => [field, fc.option(amount)]),
  ]),
  { requiredKeys: [] },
) as fc.Arbitrary<EventFacts>;

/** By definition: every way to divide the value among the parts of the pattern. */
function globByDefinition(pattern: string[], value: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return value.length === 0;
  if (first === '*')
    return value.some((_, index) => globByDefinition(rest, value.slice(index))) || globByDefinition(rest, []);
  return value.length > 0 && (first === '?' || first === value[0]) && globByDefinition(rest, value.slice(1));
}

/** The same rules in another form: each condition as the truth table of its comparisons. */
function byDefinition(node: MatchCondition, event: EventFacts): boolean {
  if ('all' in node) return node.all.filter((part) => byDefinition(part, event)).length === node.all.length;
  if ('any' in node) return node.any.filter((part) => byDefinition(part, event)).length > 0;
  if ('not' in node) return byDefinition(node.not, event) === false;
  const found = event[node.field];
  const there = found !== null && found !== undefined;
  const value = node.value as unknown;
  const letters = String(value);
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  switch (node.op) {
    case 'eq':
      return there && found === value;
    case 'ne':
      return !(there && found === value);
    case 'in':
      return there && list.filter((item) => item === found).length > 0;
    case 'prefix':
      return there && String(found).slice(0, letters.length) === letters;
    case 'glob':
      return there && globByDefinition(Array.from(letters), Array.from(String(found)));
    default: {
      if (!there) return false;
      const order = Math.sign(Number(found) - Number(value));
      return { lt: [-1], lte: [-1, 0], gt: [1], gte: [0, 1] }[node.op].includes(order);
    }
  }
}

describe('match conditions', () => {
  it('match what their definition says (against brute force)', () => {
    fc.assert(
      fc.property(condition, facts, (node, event) => {
        expect(matches(node, event)).to.equal(byDefinition(node, event));
      }),
      { numRuns: 3000 },
    );
  });

  it('glob: * is any characters, ? is one (against brute force)', () => {
    fc.assert(
      fc.property(word, word, (pattern, value) => {
        expect(matchesGlob(pattern, value)).to.equal(globByDefinition(Array.from(pattern), Array.from(value)));
      }),
      { numRuns: 3000 },
    );
    expect(matchesGlob('https://*.example/*?id=*', 'https://shop.example/a/b?id=1')).to.equal(true);
  });

  it('glob: the same with patterns longer than a word of bits, and characters beyond the first 65,536', () => {
    const long = 'ab😀'.repeat(40);
    for (const [pattern, value, is] of [
      [long, long, true],
      [long, `${long}a`, false],
      [`${long.slice(0, -2)}?`, long, true],
      [`*${long}`, `x${long}${long}`, true],
      [`${'?'.repeat(120)}*b`, `${'😀'.repeat(120)}ab`, true],
      [`${'?'.repeat(121)}*b`, `${'😀'.repeat(120)}b`, false],
      ['', '', true],
      ['*', '', true],
      ['?', '', false],
    ] as const)
      expect(matchesGlob(pattern, value), `${pattern} ${value}`).to.equal(is);
  });

  it('glob takes no longer whatever the pattern is', () => {
    const url = 'a'.repeat(2048);
    const timeOf = (pattern: string): number => {
      const times = Array.from({ length: 20 }, () => {
        const begun = performance.now();
        matchesGlob(pattern, url);
        return performance.now() - begun;
      });
      return Math.min(...times);
    };
    const plain = timeOf(`*${'?'.repeat(499)}`);
    expect(timeOf(`*${'a'.repeat(498)}b`)).to.be.below(5 * plain);
  });

  it('glob does not backtrack forever', () => {
    // Backtracking would take days, and the runner would end the group long before.
    expect(matchesGlob('*a'.repeat(249), `${'a'.repeat(4000)}b`)).to.equal(false);
    expect(matchesGlob(`${'*'.repeat(499)}b`, 'a'.repeat(4096))).to.equal(false);
  });

  it('compare an address as it is written and in its normal form', () => {
    const event: EventFacts = { url: 'HTTPS://Bücher.example?a=1' };
    const holds = (op: string, value: unknown) => matches({ field: 'url', op, value } as MatchCondition, event);
    const normal = 'https://xn--bcher-kva.example/?a=1';
    for (const same of ['HTTPS://Bücher.example?a=1', normal]) {
      expect([holds('eq', same), holds('ne', same), holds('in', ['x', same])]).to.deep.equal([true, false, true]);
      expect([holds('prefix', same.slice(0, -2)), holds('glob', `${same.slice(0, 12)}*`)]).to.deep.equal([true, true]);
    }
    expect([holds('eq', 'https://xn--bcher-kva.example/'), holds('ne', 'https://other.example/')]).to.deep.equal([
      false,
      true,
    ]);
    expect(
      matches({ field: 'noticeId', op: 'eq', value: normal }, { noticeId: 'HTTPS://Bücher.example?a=1' }),
    ).to.equal(false);
  });

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(condition, (node) => {
        const read = matchConditionSchema.safeParse(node);
        if (read.success) expect(read.data).to.deep.equal(node);
        else expect(read.error.issues[0]?.message).to.contain('at most 8 levels and 100 parts');
      }),
    );
  });

  it('reject what is too deep, too large, of the wrong type or ambiguous', () => {
    let deep: unknown = { all: [] };
    for (let n = 0; n < 100_000; n++) deep = { not: deep };
    const leaf = { field: 'bizEventCode', op: 'eq', value: 'buy' };
    const rejected: unknown[] = [
      deep,
      { any: Array.from({ length: 100 }, () => leaf) },
      { ...leaf, value: 1 },
      { ...leaf, op: 'lt' },
      { ...leaf, op: 'matches' },
      { ...leaf, op: 'in', value: 'buy' },
      { ...leaf, field: 'name' },
      { ...leaf, value: 'x'.repeat(501) },
      { ...leaf, value: '\u0000' },
      { ...leaf, all: [] },
      { all: [], any: [] },
      { field: 'messageCount', op: 'gt', value: '3' },
      { field: 'messageCount', op: 'prefix', value: 3 },
      {},
      [],
      null,
      'all',
    ];
    for (const value of rejected) expect(matchConditionSchema.safeParse(value).success).to.equal(false);
    expect(matchConditionSchema.safeParse({ any: Array.from({ length: 99 }, () => leaf) }).success).to.equal(true);
  });
});
