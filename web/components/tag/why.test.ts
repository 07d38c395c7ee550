import { expect } from 'chai';
import type { TagOrigin } from '#domain/api/tags.ts';
import { hopsOf } from './why.ts';

const nothing: TagOrigin = {
  ruleId: null,
  ruleVersion: null,
  ruleName: null,
  campaignId: null,
  campaignName: null,
  taskId: null,
  actionIndex: null,
  buttonLabel: null,
  bizEventCode: null,
  eventId: null,
  eventType: null,
  occurredAt: null,
  assignedBy: null,
  assignedByName: null,
};

describe('why a contact has a tag', () => {
  it('is told hop by hop for a click', () => {
    const origin = {
      ...nothing,
      ruleId: 'r1',
      ruleVersion: 2,
      ruleName: 'Buyers',
      campaignId: 'k1',
      campaignName: 'Winter',
      actionIndex: 0,
      buttonLabel: 'Buy',
      bizEventCode: 'buy',
      eventId: 'e1',
      eventType: 'notice.clicked',
      occurredAt: '2026-11-20T10:00:00.000Z',
    };
    expect(hopsOf(origin)).to.deep.equal([
      { kind: 'rule', ruleId: 'r1', version: 2, name: 'Buyers' },
      { kind: 'event', eventId: 'e1', eventType: 'notice.clicked', bizEventCode: 'buy' },
      { kind: 'campaign', campaignId: 'k1', name: 'Winter' },
      { kind: 'button', campaignId: 'k1', label: 'Buy', index: 0 },
      { kind: 'time', at: '2026-11-20T10:00:00.000Z' },
    ]);
  });

  it('has no event where nobody responded, and a person where it was given by hand', () => {
    const silent = { ...nothing, ruleId: 'r1', ruleVersion: 1, campaignId: 'k1' };
    expect(hopsOf(silent).map(({ kind }) => kind)).to.deep.equal(['rule', 'silence', 'campaign']);
    expect(hopsOf({ ...nothing, assignedBy: 'u1' })).to.deep.equal([{ kind: 'person', name: 'u1' }]);
    expect(hopsOf(nothing)).to.deep.equal([{ kind: 'unknown' }]);
  });
});
