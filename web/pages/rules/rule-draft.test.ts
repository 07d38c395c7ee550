import { expect } from 'chai';
import type { Rule, RuleVersion } from '#domain/api/rules.ts';
import { newComparison } from './condition/condition-draft.ts';
import { checkDraft } from './rule-check.ts';
import { changedParts, draftOfRule, makesVersion, newDraft, patchOf } from './rule-draft.ts';

const stored = {
  name: 'Buyers',
  triggerEvent: 'notice.clicked',
  matchCondition: { field: 'bizEventCode', op: 'eq', value: 'buy' },
  targetTagId: 't1',
  days: null,
  campaignId: null,
  status: 'active',
} as Rule;

describe('rule being written', () => {
  it('is checked with the server’s schema', () => {
    const blank = checkDraft(newDraft(null));
    expect([...blank.fields]).to.deep.equal(['name', 'targetTagId']);
    expect(blank.body).to.equal(null);
    const silent = { ...newDraft('t1'), name: ' Silent ', triggerEvent: 'no_response_for_N_days' as const };
    expect([...checkDraft({ ...silent, days: 91 }).fields]).to.deep.equal(['days']);
    expect([...checkDraft({ ...silent, days: '' }).fields]).to.deep.equal(['days']);
    expect(checkDraft(silent).body).to.deep.include({ name: 'Silent', days: 7, matchCondition: { all: [] } });
    expect(checkDraft({ ...silent, triggerEvent: 'session.closed' }).body).to.deep.include({ days: null });
  });

  it('sends only changes, without an untouched condition', () => {
    const opened = draftOfRule(stored);
    expect(patchOf(opened, { ...opened })).to.deep.equal({});
    expect(patchOf(opened, { ...opened, name: 'All buyers' })).to.deep.equal({ name: 'All buyers' });
    const more = { ...newComparison('url'), text: 'https://a' };
    const condition = { ...opened.condition, parts: [...opened.condition.parts, more] };
    expect(patchOf(opened, { ...opened, condition })).to.deep.equal({
      matchCondition: { all: [stored.matchCondition, { field: 'url', op: 'eq', value: 'https://a' }] },
    });
    expect(patchOf(opened, { ...opened, triggerEvent: 'no_response_for_N_days', days: 3 })).to.deep.equal({
      triggerEvent: 'no_response_for_N_days',
      days: 3,
    });
  });

  it('A9: makes a version unless only name or status change', () => {
    expect(makesVersion({ name: 'All buyers', status: 'paused' })).to.equal(false);
    expect(makesVersion({ name: 'All buyers', days: 3 })).to.equal(true);
  });

  it('lists the changes of a version', () => {
    const before = stored as unknown as RuleVersion;
    expect(changedParts(before, { ...before, name: 'X', matchCondition: { all: [] } })).to.deep.equal([
      'name',
      'matchCondition',
    ]);
  });
});
