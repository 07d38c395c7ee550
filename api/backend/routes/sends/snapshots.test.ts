import { expect } from 'chai';
import { listCampaigns } from '#db/outreach/campaigns/campaigns.ts';
import type { CampaignHistoryItem } from '#domain/api/campaign-history.ts';
import { campaignBody, contactId, insertContacts, SERVICE_NUMBER } from '#test/support/services/backend.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

describe('what was sent, and the history of a campaign', () => {
  const backend = useBackend();
  let token: string;
  let foreign: string;

  before(async () => {
    await backend.install('acme');
    await backend.install('other');
    token = await backend.token('acme', 'marketing_operator', 'ada');
    foreign = await backend.token('other');
    await insertContacts(backend.db, 'acme', 1500);
  });

  async function sent(): Promise<string> {
    const audience = {
      type: 'contacts' as const,
      contactIds: Array.from({ length: 1500 }, (_, index) => contactId(index + 1)),
    };
    const created = await backend.call('POST', '/campaigns', { token, body: campaignBody({ audience }) });
    const id = String(created.body.id);
    const response = await backend.call('POST', `/campaigns/${id}:send`, { token });
    expect(response.status).to.equal(202);
    return id;
  }

  it('returns each send with its frozen audience: count, hash, excluded contacts, sub-tasks', async () => {
    const id = await sent();
    const { body } = await backend.call('GET', `/campaigns/${id}/dispatches`, { token });
    expect(body.nextCursor).to.equal(null);
    expect(body.items).to.have.length(1);
    expect(body.items[0]).to.deep.include({
      number: 1,
      retryOf: null,
      scheduledAt: null,
      audienceCount: 1500,
      excluded: { expiredTags: 0, unsubscribed: 0, unreachable: 0, controlGroup: 0 },
      subTasks: 2,
      createdBy: 'ada',
    });
    expect(body.items[0].audienceHash).to.match(/^[0-9a-f]{32,}$/);
    const again = await backend.call('GET', `/campaigns/${await sent()}/dispatches`, { token });
    expect(again.body.items[0].audienceHash, 'equal for equal sets').to.equal(body.items[0].audienceHash);
  });

  it('returns whether a contact was in the audience, and in which sub-task', async () => {
    const id = await sent();
    const within = await backend.call('GET', `/campaigns/${id}/recipients/${contactId(1200)}`, { token });
    const [second] = await backend
      .db('broadcast_task')
      .where({ campaign_id: id, chunk: 1 })
      .select<{ key: string }[]>('key');
    expect(within.body.sends).to.have.length(1);
    expect(within.body.sends[0]).to.deep.include({ number: 1, subTaskKey: second?.key, status: 'pending' });
    const outside = await backend.call('GET', `/campaigns/${id}/recipients/nobody%2Fhere`, { token });
    expect(outside.status).to.equal(200);
    expect(outside.body).to.deep.equal({ contactId: 'nobody/here', isControl: false, sends: [] });
  });

  it('lists the contacts of a sub-task with their names, page by page', async () => {
    const id = await sent();
    const { body } = await backend.call('GET', `/campaigns/${id}/tasks`, { token });
    const address = `/campaigns/${id}/tasks/${body.items[1].key}/contacts?limit=200`;
    const first = await backend.call('GET', address, { token });
    const second = await backend.call('GET', `${address}&cursor=${first.body.nextCursor}`, { token });
    const ids = [...first.body.items, ...second.body.items].map((item: { contactId: string }) => item.contactId);
    expect(ids).to.deep.equal(Array.from({ length: 400 }, (_, index) => contactId(1001 + index)));
    expect(first.body.items[0]).to.have.keys('contactId', 'displayName');
    const unknown = await backend.call('GET', `/campaigns/${id}/tasks/none/contacts`, { token });
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'not_found']);
  });

  it('responds 404 for another tenant’s campaign', async () => {
    const id = await sent();
    for (const path of ['dispatches', `recipients/${contactId(1)}`, 'history']) {
      const { status } = await backend.call('GET', `/campaigns/${id}/${path}`, { token: foreign });
      expect(status, path).to.equal(404);
    }
  });

  /** A history in short form, oldest first. */
  async function historyOf(id: string, limit = 200, by = ''): Promise<string[]> {
    const items: CampaignHistoryItem[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `limit=${limit}${by && `&by=${by}`}${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await backend.call('GET', `/campaigns/${id}/history?${query}`, { token });
      items.push(...body.items);
      cursor = body.nextCursor;
    }
    return items
      .map((item) => {
        if (item.kind === 'change') return `${item.actor} ${item.action}`;
        if (item.kind === 'status') return `${item.flow} ${item.from} → ${item.to}`;
        if (item.kind === 'sub_task') return `${item.flow} ${item.event} ${item.contactCount}`;
        return item.kind;
      })
      .toReversed();
  }

  it('keeps every change and transition, with its person or flow, page by page', async () => {
    const id = await sent();
    await backend.call('POST', `/campaigns/${id}:pause`, { token });
    await backend.call('POST', `/campaigns/${id}:resume`, { token });
    await backend
      .db('broadcast_task')
      .where({ campaign_id: id, chunk: 0 })
      .update({
        status: 'sending',
        task_id: `t-${id}`,
        submitted_at: backend.db.raw("now() + interval '1 minute'"),
      });
    await backend
      .db('broadcast_task')
      .where({ campaign_id: id, chunk: 1 })
      .update({
        status: 'rejected',
        error_code: 'invalid_request',
        finished_at: backend.db.raw("now() + interval '2 minutes'"),
      });
    await backend.db('campaign').where({ campaign_id: id }).update({ status: 'paused', pause_reason: 'late' });
    const told = await historyOf(id);
    expect(told).to.deep.equal([
      'ada campaign.create',
      'ada campaign.send',
      'ada campaign.pause',
      'ada campaign.resume',
      'dispatchCampaign sending → paused',
      'dispatchCampaign submitted 1000',
      'dispatchCampaign finished 500',
    ]);
    expect(await historyOf(id, 2)).to.deep.equal(told);
    // The service may only add to the log.
    await backend.database
      .connect(
        'outreach',
        'owner',
      )('audit_log')
      .where({ object_id: id, action: 'campaign.resume' })
      .update({ actor: 'service:schedule' });
    expect(await historyOf(id, 2, 'people'), 'people').to.deep.equal([told[0], told[1], told[2]]);
    const bySystem = ['service:schedule campaign.resume', ...told.slice(4)];
    expect(await historyOf(id, 2, 'system'), 'system').to.deep.equal(bySystem);
  });

  it('lists possible actions with their numbers, and none that would be rejected', async () => {
    const id = await sent();
    const possible = async () => (await backend.call('GET', `/campaigns/${id}/actions`, { token })).body;
    const none = { edit: null, pause: null, resume: null, cancel: null, close: null, retry: null };
    expect(await possible()).to.deep.equal({ ...none, pause: 1500, cancel: 1500, close: 1500 });
    await backend.call('POST', `/campaigns/${id}:pause`, { token });
    expect(await possible()).to.deep.equal({ ...none, resume: 1500, cancel: 1500, close: 1500 });
    await backend.call('POST', `/campaigns/${id}:resume`, { token });
    const chunk = (number: number) => backend.db('broadcast_task').where({ campaign_id: id, chunk: number });
    await chunk(0).update({ status: 'completed', sent: 1000, task_id: `a-${id}` });
    await chunk(1).update({ status: 'rejected' });
    expect(await possible()).to.deep.equal({ ...none, close: 0, retry: 500 });
    expect((await backend.call('POST', `/campaigns/${id}:pause`, { token })).status).to.equal(409);
    expect((await backend.call('POST', `/campaigns/${id}:cancel`, { token })).status).to.equal(409);
    expect((await backend.call('POST', `/campaigns/${id}:retry-failed`, { token })).status).to.equal(202);
    expect(await possible()).to.deep.equal({ ...none, pause: 500, cancel: 500, close: 500 });
    const draft = await backend.call('POST', '/campaigns', { token, body: campaignBody() });
    const ofDraft = await backend.call('GET', `/campaigns/${draft.body.id}/actions`, { token });
    expect(ofDraft.body).to.deep.equal(none);
  });

  it('filters campaigns by saved audience and by the period in which they were sent', async () => {
    const list = { name: 'VIP', serviceNumberId: SERVICE_NUMBER, type: 'contacts', contactIds: [contactId(1)] };
    const saved = await backend.call('POST', '/audiences', { token, body: list });
    expect(saved.body.createdBy).to.equal('ada');
    const audienceId = String(saved.body.audienceId);
    const body = campaignBody({ name: 'To VIPs', audience: { type: 'contacts', audienceId } });
    const { id } = (await backend.call('POST', '/campaigns', { token, body })).body;
    const names = async (query: string) => {
      const response = await backend.call('GET', `/campaigns?${query}`, { token });
      expect(response.status, query).to.equal(200);
      return response.body.items.map((one: { name: string }) => one.name);
    };
    expect(await names(`audienceId=${audienceId}`)).to.deep.equal(['To VIPs']);
    await backend
      .db('campaign')
      .where({ campaign_id: id })
      .update({ sent_at: new Date('2026-01-05T12:00:00Z') });
    const day = (from: string, to: string) => `from=${from}T00:00:00Z&to=${to}T00:00:00Z`;
    expect(await names(day('2026-01-05', '2026-01-06'))).to.deep.equal(['To VIPs']);
    expect(await names(day('2026-01-06', '2026-01-07'))).to.deep.equal([]);
    expect(await names(`from=${encodeURIComponent('2026-01-05T20:00:00+08:00')}&q=VIP`)).to.deep.equal(['To VIPs']);
  });

  it('lists a page of 1,000 campaigns with their figures, reading only the rows that page needs', async () => {
    await backend.db.raw(
      `insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule, status,
         dispatches, created_by, created_at, sent_at)
       select 'bulk-' || n, 'acme', 'sn-2', 'Bulk ' || n, '{default}', '[{"type":"text","text":"Hi"}]',
         '{"type":"contacts","contactIds":[]}',
         '{"type":"immediate"}', 'completed', 1, 'ada', now() - n * interval '1 hour', now() - n * interval '1 hour'
       from generate_series(1, 1000) as n`,
    );
    await backend.db.raw(
      `insert into dispatch (dispatch_id, tenant_id, campaign_id, number, audience_count, audience_hash, excluded, created_by,
         frozen_count, frozen_at)
       select 'bulk-d-' || n, 'acme', 'bulk-' || n, 1, 3000, 'h', '{}', 'ada', 3000, now() from generate_series(1, 1000) as n`,
    );
    await backend.db.raw(
      `insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, sent, delivered)
       select 'bulk-' || n || '-' || c, 'acme', 'bulk-' || n, 'bulk-d-' || n, c, 'completed', 1000, 990, 980
       from generate_series(1, 1000) as n, generate_series(0, 2) as c`,
    );
    await backend.db.raw(
      `insert into click_attribution (tenant_id, campaign_id, task_id, contact_id, notice_id, action_index, event_id, clicked_at)
       select 'acme', 'bulk-' || n, 'bulk-' || n, 'c-' || k, 'n', 0, 'bulk-' || n || '-' || k, now()
       from generate_series(1, 1000) as n, generate_series(1, 20) as k`,
    );
    await backend.db.raw('analyze');
    const { body } = await backend.call('GET', '/campaigns?serviceNumberId=sn-2&limit=200', { token });
    expect(body.items).to.have.length(200);
    expect(body.items[0]).to.deep.include({ audienceCount: 3000, clickedContacts: 20 });
    expect(body.items[0].summary).to.deep.include({ sent: 2970, delivered: 2940 });
    const read = (table: string) =>
      rowsRead(backend.db, [table], (transaction) =>
        listCampaigns(transaction, 'acme', { serviceNumberId: 'sn-2', limit: 200 }),
      );
    expect(await read('click_attribution')).to.deep.equal({ scanned: 0, fetched: 0 });
    const { scanned, fetched } = await read('broadcast_task');
    expect(scanned).to.equal(0);
    expect(fetched).to.be.at.most(1000);
  });
});
