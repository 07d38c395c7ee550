import { expect } from 'chai';
import { batchesOf, type ClaimableStep, type ClaimFacts, CONTACTS_PER_BATCH, decideSteps } from './claiming.ts';

const now = new Date('2026-11-26T12:00:00Z');
const step = (contactId: string, more: Partial<ClaimableStep> = {}): ClaimableStep => ({
  contactId,
  dueAt: now,
  condition: null,
  clicked: null,
  conversed: null,
  lacksCase: false,
  ...more,
});
const facts = (more: Partial<ClaimFacts> = {}): ClaimFacts => ({
  now,
  leaving: new Set(),
  reachable: new Set(['a', 'b', 'c']),
  left: null,
  received: new Map(),
  perContact: null,
  ...more,
});

describe('steps of automations that are due', () => {
  it('are not sent for the first reason that holds', () => {
    const late = new Date(now.getTime() - 24 * 60 * 60_000 - 1);
    const steps = [
      step('a', { dueAt: late }),
      step('x', { condition: 'clicked', clicked: false }),
      step('b', { condition: 'clicked', clicked: false }),
      step('x', { lacksCase: true }),
      step('x'),
      step('c'),
    ];
    const more = { leaving: new Set(['x', 'b']), received: new Map([['c', 3]]), perContact: 3 };
    expect(decideSteps(steps, facts({ ...more, leaving: new Set(['b']) }))).to.deep.equal([
      'late',
      'condition',
      'exit',
      'no_case',
      'unreachable',
      'limit',
    ]);
  });

  it('ask for what the contact did about the step before', () => {
    const did = { clicked: true, conversed: false };
    const conditions = ['clicked', 'not_clicked', 'conversed', 'not_conversed'] as const;
    const steps = conditions.map((condition) => step('a', { condition, ...did }));
    expect(decideSteps(steps, facts())).to.deep.equal([null, 'condition', 'condition', null]);
  });

  it('count for the limits of a day, those that are not sent do not', () => {
    const steps = [step('a'), step('x'), step('a'), step('b'), step('c')];
    expect(decideSteps(steps, facts({ left: 2 }))).to.deep.equal([null, 'unreachable', null, 'limit', 'limit']);
    expect(decideSteps(steps, facts({ perContact: 1 }))).to.deep.equal([null, 'unreachable', 'limit', null, null]);
  });

  it('go out together, each contact once in a sub-task', () => {
    const many = Array.from({ length: CONTACTS_PER_BATCH + 1 }, (_, index) => ({ step: 0, contactId: `c${index}` }));
    const { batches, left } = batchesOf([...many, { step: 0, contactId: 'c0' }, { step: 1, contactId: 'c0' }]);
    expect(batches.map((batch) => batch.length)).to.deep.equal([CONTACTS_PER_BATCH, 1]);
    expect(left).to.deep.equal([
      { step: 0, contactId: `c${CONTACTS_PER_BATCH}` },
      { step: 0, contactId: 'c0' },
    ]);
  });
});
