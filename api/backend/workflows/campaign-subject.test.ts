import { expect } from 'chai';
import { subjectOf } from './campaign-subject.ts';

const ids = { tenantId: 't-1', campaignId: '01928a3c-0000-7000-8000-000000000000' };
const named = (campaign: string, tenant = 'Harbor Coffee') => subjectOf(async () => ({ campaign, tenant }), ids);

describe('what workflows of a campaign say they are about', () => {
  it('names campaign and tenant beside their ids', async () => {
    expect(await named('Winter menu')).to.deep.equal({
      short: `campaign “Winter menu” (${ids.campaignId}) of Harbor Coffee`,
      full: `Campaign “Winter menu” (${ids.campaignId}) of tenant Harbor Coffee (t-1).`,
    });
  });

  it('has the ids alone where there is no such campaign', async () => {
    expect((await subjectOf(async () => null, ids)).short).to.equal(`campaign ${ids.campaignId}`);
  });

  it('stays within the size of a summary, and cuts no character in two', async () => {
    const { short, full } = await named('🎄'.repeat(200), '港'.repeat(200));
    expect(Buffer.byteLength(short)).to.be.lessThan(320);
    expect(short).to.include(`${'🎄'.repeat(31)}…`);
    expect(full).to.include('🎄'.repeat(200));
  });

  it('makes neither links nor styles of what people write', async () => {
    const { short } = await named('[free](https://x.example)\n*now*');
    expect(short).to.include(String.raw`“\[free\](https://x.example) \*now\*”`);
  });
});
