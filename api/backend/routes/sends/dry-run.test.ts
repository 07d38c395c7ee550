import { expect } from 'chai';
import type { CampaignBody } from '#domain/api/campaign.ts';
import type { DryRun } from '#domain/api/dry-run.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('dry runs', () => {
  const backend = useTwoTenants({ contacts: 3600 });

  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => contactId(from + n));
  const dryRun = (id: string, token = backend.operator) => backend.act(id, 'dry-run', { token });
  const codes = ({ warnings }: DryRun) => warnings.map(({ code }) => code);

  it('splits like the send that follows it, builds the A1 bodies, and calls nobody', async () => {
    const messages: CampaignBody['messages'] = [
      {
        type: 'buttons',
        title: 'T',
        text: 't',
        actions: [
          { type: 'Postback', label: 'Ask', data: { event: 'InboundReason', bizEventCode: 'ask', extra: 1 } },
          { type: 'Url', label: 'More', url: 'http://shop.example/more' },
        ],
      },
    ];
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await backend.draft({
      messages,
      note: 'n',
      schedule: { type: 'scheduled', at },
      audience: { type: 'contacts', contactIds: [...range(1, 3502), ...range(1, 40), 'ghost'] },
    });
    const { etag } = (await backend.call('GET', `/campaigns/${id}`)).body;
    const calls = [backend.flows.sends.length, backend.flows.tests.length];
    const response = await dryRun(id);
    expect(response.status).to.equal(200);
    const { audienceCount, chunks, requests } = response.body as DryRun;
    expect(audienceCount).to.equal(3501);
    expect(chunks.map(({ contactCount }) => contactCount)).to.deep.equal([1000, 1000, 1000, 501]);
    expect(requests).to.have.length(3);
    expect(codes(response.body)).to.deep.equal(['source_pending', 'link_without_https', 'contacts_unreachable']);
    const [first] = requests;
    expect(first).to.deep.include({ name: 'Spring offer', note: 'n', schedule: { type: 'scheduled', at } });
    const [message] = first?.messages ?? [];
    const [ask] = message?.type === 'buttons' ? message.actions : [];
    expect(JSON.parse(String(ask?.type === 'Postback' && ask.data))).to.deep.equal({
      bizEventCode: 'ask',
      extra: 1,
      appId: 'outreach',
      event: 'InboundReason',
      campaignId: id,
      subTaskKey: 'dry-run-1',
      messageIndex: 0,
    });
    const draft = await backend.call('GET', `/campaigns/${id}`);
    expect([draft.body.status, draft.body.audienceCount, draft.headers.get('etag')]).to.deep.equal([
      'draft',
      null,
      etag,
    ]);
    expect([backend.flows.sends.length, backend.flows.tests.length]).to.deep.equal(calls);
    expect(await backend.db('broadcast_task').where({ campaign_id: id })).to.have.length(0);

    await backend.act(id, 'send');
    const sent = await backend
      .db('dispatch_recipient')
      .join('dispatch', 'dispatch.dispatch_id', 'dispatch_recipient.dispatch_id')
      .where({ campaign_id: id })
      .orderBy('contact_id');
    requests.forEach(({ audience }, chunk) =>
      expect(sent.filter((row) => row.chunk === chunk).map((row) => row.contactId)).to.deep.equal(audience.contactIds),
    );
    expect((await dryRun(id)).body.code).to.equal('invalid_state');
    const again = await backend.draft({ audience: { type: 'contacts', contactIds: range(1, 3502) } });
    expect(codes((await dryRun(again)).body)).to.deep.equal(['same_audience']);
    await backend.db('campaign').where({ campaign_id: id }).update({ status: 'cancelled' });
    expect(codes((await dryRun(again)).body), 'cancelled before anybody got it').to.deep.equal([]);
  });

  it('stores the resolved set, and replaces it with a new one', async () => {
    const id = await backend.draft({ audience: { type: 'contacts', contactIds: range(1, 3) } });
    await dryRun(id);
    await backend
      .db('contact_profile')
      .where({ contact_id: contactId(2) })
      .update({ unsubscribed: true });
    await dryRun(id);
    const runs = await backend.db('dry_run').where({ campaign_id: id });
    expect(runs.map((run) => run.audienceCount)).to.deep.equal([1]);
    const parts = await backend.db('dry_run_part').where({ dry_run_id: runs[0].dryRunId }).orderBy('class');
    expect(parts.map((part) => [part.class, part.contactIds])).to.deep.equal([
      ['reachable', [contactId(1)]],
      ['unsubscribed', [contactId(2)]],
    ]);
    expect(await backend.db('audit_log').where({ object_id: id, action: 'campaign.dry_run' })).to.have.length(2);
    await backend.db('contact_profile').update({ unsubscribed: false });
    const removed = await backend.call('DELETE', `/campaigns/${id}`, { headers: { 'If-Match': '*' } });
    expect(removed.status).to.equal(204);
    expect(await backend.db('dry_run_part').where({ dry_run_id: runs[0].dryRunId })).to.have.length(0);
  });

  it('warns of what the send would reject, and rejects what cannot be resolved', async () => {
    const empty = await dryRun(await backend.draft({ audience: { type: 'contacts', contactIds: ['ghost'] } }));
    expect([empty.status, empty.body.audienceCount, empty.body.chunks]).to.deep.equal([200, 0, []]);
    expect(codes(empty.body)).to.deep.equal(['audience_empty', 'contacts_unreachable']);
    const at = new Date(Date.now() + 60_000).toISOString();
    const late = await backend.draft({ schedule: { type: 'scheduled', at } });
    backend.setNow(new Date(Date.now() + 120_000));
    expect(codes((await dryRun(late)).body)).to.deep.equal(['schedule_passed']);
    backend.setNow(null);
    const tagBody = { name: 'gone', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body: tagBody })).body;
    const tagged = await backend.draft({ audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'AND' } });
    await backend.call('DELETE', `/tags/${tagId}`);
    const rejected = await dryRun(tagged);
    expect([rejected.status, rejected.body.errors[0].path]).to.deep.equal([422, '/audience/appTagIds/0']);
  });

  it('is allowed for people who may write, in their own tenant', async () => {
    const id = await backend.draft();
    expect((await dryRun(id, backend.foreign)).status).to.equal(404);
    expect((await dryRun(id, await backend.token('a', 'viewer', 'v'))).status).to.equal(403);
    expect(await backend.db('dry_run').where({ campaign_id: id })).to.have.length(0);
  });
});
