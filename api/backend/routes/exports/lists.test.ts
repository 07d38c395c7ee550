import { expect } from 'chai';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('lists as files', () => {
  const backend = useTwoTenants({ contacts: 4 });

  const read = async (path: string, token = backend.operator) => {
    const response = await fetch(`${backend.base}/internal/v1${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return { response, text: Buffer.from(await response.arrayBuffer()).toString() };
  };
  /** The lines after the header, which is checked. */
  async function linesOf(path: string, header: string, name: RegExp): Promise<string[]> {
    const { response, text } = await read(path);
    expect(response.status, text).to.equal(200);
    expect(response.headers.get('content-disposition')).to.match(name);
    const [first, ...lines] = text.split('\r\n');
    expect(first).to.equal(`\uFEFF${header}`);
    expect(lines.pop(), 'the last line has an end').to.equal('');
    return lines;
  }
  const idsIn = (lines: readonly string[]) => lines.map((line) => line.split(',')[0]);

  it('campaigns.csv has the figures of each campaign, as the list is filtered', async () => {
    const draft = await backend.draft({ name: '=Drafted' });
    const sent = await backend.draft();
    expect((await backend.act(sent, 'send', { body: {} })).status).to.equal(202);
    await backend.db('broadcast_task').where({ campaign_id: sent }).update({ sent: 3, delivered: 2, failed: 1 });
    const linesOfCampaigns = (query: string) =>
      linesOf(
        `/campaigns.csv${query}`,
        'id,name,serviceNumberId,status,audienceCount,sent,delivered,failed,read,clickedContacts,createdAt,createdBy,' +
          'sentAt,confirmedBy,finishedAt,closedAt',
        /filename="campaigns.csv"/,
      );
    const [found = '', ...others] = await linesOfCampaigns('?status=draft&q=Drafted');
    expect(others).to.deep.equal([]);
    expect(found.split(',').toSpliced(10, 1)).to.deep.equal([
      draft,
      "'=Drafted",
      'sn-1',
      'draft',
      '',
      '0',
      '0',
      '0',
      '0',
      '0',
      'user-of-a',
      '',
      '',
      '',
      '',
    ]);
    const line = (await linesOfCampaigns('')).find((each) => each.startsWith(sent));
    expect(line?.split(',').slice(3, 10)).to.deep.equal(['sending', '2', '3', '2', '1', '0', '0']);
  });

  it('tags.csv and rules.csv have what their lists show, as they are filtered', async () => {
    const named = { serviceNumberId: 'sn-1', kind: 'permanent' };
    const { body: kept } = await backend.call('POST', '/tags', { body: { ...named, name: 'Kept, "here"' } });
    const { body: gone } = await backend.call('POST', '/tags', { body: { ...named, name: 'Gone' } });
    const matchCondition = { field: 'bizEventCode', op: 'eq', value: 'x' };
    const { body: rule } = await backend.call('POST', '/smart-tag-rules', {
      body: { name: 'Rule', triggerEvent: 'notice.clicked', matchCondition, targetTagId: kept.tagId },
    });
    await backend.call('DELETE', `/tags/${gone.tagId}`);
    const tagsOf = (query: string) =>
      linesOf(
        `/tags.csv${query}`,
        'tagId,name,serviceNumberId,status,kind,expiresAt,source,color,contactCount,createdAt',
        /filename="tags.csv"/,
      );
    const tags = await tagsOf('?serviceNumberId=sn-1');
    expect(idsIn(tags)).to.include(kept.tagId).and.not.to.include(gone.tagId);
    const line = tags.find((each) => each.startsWith(kept.tagId)) ?? '';
    expect(line).to.include(`,"Kept, ""here""",sn-1,active,permanent,,app_smart,,0,`);
    expect(idsIn(await tagsOf('?status=archived'))).to.deep.equal([gone.tagId]);
    const rulesOf = (query: string) =>
      linesOf(
        `/rules.csv?targetTagId=${kept.tagId}${query}`,
        'ruleId,name,version,status,triggerEvent,matchCondition,days,targetTagId,targetTag,campaignId,campaignName,' +
          'hitCount,lastExecutedAt,createdAt,updatedAt',
        /filename="rules.csv"/,
      );
    const rules = await rulesOf('');
    expect(idsIn(rules)).to.deep.equal([rule.ruleId]);
    expect(rules[0]).to.include('""field"":""bizEventCode""');
    expect(await rulesOf('&status=paused')).to.deep.equal([]);
  });

  it('contacts.csv has every contact, or those that match, and none of another tenant', async () => {
    const contactsOf = (query: string) =>
      linesOf(
        `/contacts.csv${query}`,
        'contactId,serviceNumberId,displayName,channel,language,region,followState,followStateSince,unsubscribed,' +
          'reachable,enteredAt',
        /filename="contacts.csv"/,
      );
    expect(idsIn(await contactsOf('?serviceNumberId=sn-1'))).to.deep.equal([1, 2, 3, 4].map(contactId));
    expect(idsIn(await contactsOf(`?q=${contactId(3)}`))).to.deep.equal([contactId(3)]);
    expect((await read('/contacts.csv', await backend.token('a', 'viewer', 'v'))).response.status).to.equal(200);
    expect((await read('/contacts.csv', backend.foreign)).text).not.to.include(contactId(1));
  });
});
