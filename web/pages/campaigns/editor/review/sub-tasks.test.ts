import { expect } from 'chai';
import { newDraft } from '../draft/draft.ts';
import { newTest } from '../draft/variants.ts';
import { subTasksOf } from './sub-tasks.ts';

describe('how many sub-tasks a send has', () => {
  it('is one for each thousand contacts', () => {
    expect([0, 1, 1000, 1001].map((contacts) => subTasksOf(contacts, null))).to.deep.equal([0, 1, 1, 2]);
  });

  it('is counted for each variant and the rest, none of which share one', () => {
    const test = newTest(newDraft().cards);
    test.share = '10';
    for (const other of test.others) other.share = '20';
    expect(subTasksOf(1000, test)).to.equal(3);
    expect(subTasksOf(10_100, test)).to.equal(2 + 3 + 8);
  });
});
