import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Campaign, Results, SubTask } from '#domain/api/campaign.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { signedCall } from '../support/services/bff.ts';
import { call } from '../support/http/call.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

type Fields = Record<string, unknown>;

interface Action {
  type: string;
  label: string;
  data?: string;
}

interface Click {
  noticeId: string;
  eventId: string;
  contactId: string;
  clickedAt: string;
  taskId: string;
  data?: string;
}

interface Envelope {
  eventId: string;
  eventType: string;
  scope: Fields;
  data: Fields;
}

const serviceNumberId = 'sn-postback';
const own = { coupon: 'A-1', nested: { deep: ['x', 1, null, true] }, ünïcode: '茶' };
const plain = { type: 'Postback', label: 'Seat', data: { bizEventCode: 'seat-wanted', ...own } };
const asText = { type: 'Postback', label: 'Text', data: JSON.stringify({ campaignId: 'not-ours', ...own }) };
const inbound = { type: 'Postback', label: 'Talk', data: { event: 'InboundReason', bizEventCode: 'talk' } };
const link = { type: 'Url', label: 'Menu', url: 'https://menu.example/?q=1' };
const message = { type: 'buttons', title: 'Card', text: 'Buttons', actions: [plain, asText, inbound, link] };

describe('S0: Postbacks and clicks', () => {
  const stack = useWiredStack();
  let tenant: TestTenant;
  let outreach: Knex;
  let campaign: Campaign;
  let task: SubTask;
  let actions: Action[];
  let clicks: Click[];

  const dataOf = (index: number): Fields => JSON.parse(actions[index]?.data ?? 'null') as Fields;
  const clickOf = (index: number): Click => clicks[index] as Click;
  const webhookOf = (eventId: string): Envelope => {
    const sent = stack.toBff.of('POST', /^\/webhook$/).map(({ body }) => JSON.parse(body) as Envelope);
    const found = sent.find((event) => event.eventId === eventId);
    if (!found) throw new Error('no such event came');
    return found;
  };
  const attributionOf = (index: number): Promise<Fields | undefined> =>
    outreach('click_attribution')
      .where({ event_id: clickOf(index).eventId })
      .first();

  before(async () => {
    outreach = stack.database.connect('outreach', 'owner');
    tenant = await installTenant(stack, { tenantId: 'postback', serviceNumberId, contacts: 4 });
    const sent = await sendCampaign(tenant, { messages: [message] });
    campaign = sent.campaign;
    task = sent.tasks[0] as SubTask;
    const [a1] = stack.toPlatform.of('POST', /\/broadcasts$/);
    const { messages } = JSON.parse(a1?.body ?? '') as { messages: { actions: Action[] }[] };
    actions = messages[0]?.actions ?? [];
    const given = actions.map((_, actionIndex) => ({
      taskId: task.taskId,
      contactId: tenant.contactIds[actionIndex],
      actionIndex,
    }));
    clicks = (await tenant.sandbox.post<{ items: Click[] }>('/sandbox/clicks', { clicks: given })).items;
    await eventually('every click is attributed', async () => {
      const { clicks: found } = await tenant.api.get<Results>(`/campaigns/${campaign.id}/results`);
      return found.total === actions.length;
    });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('S0-PB1: appId is the application’s in every Postback, and any other is rejected', async () => {
    const { PLATFORM_APP_ID: appId } = stack.settings;
    for (const index of [0, 1, 2]) expect(dataOf(index)['appId']).to.equal(appId);
    expect(await schemaErrorOf({ appId: 'another' })).to.equal(422);
    expect(await schemaErrorOf({ appId })).to.equal(201);
  });

  it('S0-PB2: event is Broadcast unless it is InboundReason, which alone opens a session', async () => {
    expect([0, 1, 2].map((index) => dataOf(index)['event'])).to.deep.equal(['Broadcast', 'Broadcast', 'InboundReason']);
    const sessions = await tenant.sandbox.get<{ items: Fields[] }>('/sandbox/sessions');
    expect(sessions.items.map(({ contactId }) => contactId)).to.deep.equal([tenant.contactIds[2]]);
  });

  it('S0-PB3: sourceId is the one that F1 returned if the event is InboundReason, and absent otherwise', () => {
    const [f1] = stack.toPlatform.of('POST', /\/entry-sources$/);
    const { sourceId } = JSON.parse(f1?.response ?? '') as { sourceId: string };
    expect(dataOf(2)['sourceId']).to.be.a('string').that.equals(sourceId);
    for (const index of [0, 1]) expect(dataOf(index)).to.not.have.property('sourceId');
  });

  it('S0-PB4: campaignId is the campaign’s, whatever the operator entered', () => {
    for (const index of [0, 1, 2]) expect(dataOf(index)['campaignId']).to.equal(campaign.id);
  });

  it('S0-PB5: the task is named by its key, known before the response to A1; the click has its taskId', async () => {
    const [row] = (await outreach('broadcast_task').where({ campaign_id: campaign.id })) as Fields[];
    for (const index of [0, 1, 2]) expect(dataOf(index)['subTaskKey']).to.equal(row?.['key']);
    expect(webhookOf(clickOf(0).eventId).data['taskId']).to.equal(row?.['taskId']);
  });

  it('S0-PB6: bizEventCode is optional, and clicks are counted by it', async () => {
    expect([0, 1, 2].map((index) => dataOf(index)['bizEventCode'])).to.deep.equal(['seat-wanted', undefined, 'talk']);
    const { clicks: counted } = await tenant.api.get<Results>(`/campaigns/${campaign.id}/results`);
    expect(counted.byBizEventCode.toSorted((a, b) => (a.bizEventCode < b.bizEventCode ? -1 : 1))).to.deep.equal([
      { bizEventCode: 'seat-wanted', clicks: 1, uniqueContacts: 1 },
      { bizEventCode: 'talk', clicks: 1, uniqueContacts: 1 },
    ]);
  });

  it('S0-PB7: any other field makes the round trip unchanged', async () => {
    for (const index of [0, 1]) {
      expect(dataOf(index)).to.deep.include(own);
      const { action } = webhookOf(clickOf(index).eventId).data as { action: { data: string } };
      expect(JSON.parse(action.data)).to.deep.include(own);
      const { payload } = (await outreach('event_inbox')
        .where({ event_id: clickOf(index).eventId })
        .first()) as Fields;
      expect(JSON.parse(String(payload))).to.deep.equal(webhookOf(clickOf(index).eventId).data);
    }
  });

  /** The response to a draft with a Postback of this data. */
  async function schemaErrorOf(data: unknown): Promise<number> {
    const person = { sub: 'ada', name: 'Ada', tenantId: 'postback', roles: ['tenant_admin'] };
    const token = await sandboxToken(tenant.sandbox, person);
    const answered = await call('POST', `${stack.addresses.bff}/api/v1/campaigns`, {
      token,
      body: {
        name: 'Draft',
        serviceNumberId,
        messages: [{ ...message, actions: [{ type: 'Postback', label: 'A', data }] }],
        audience: { type: 'contacts', contactIds: tenant.contactIds },
        schedule: { type: 'immediate' },
      },
    });
    if (answered.status === 422) {
      const { code, errors } = answered.body as { code: string; errors: { path: string }[] };
      expect([code, errors[0]?.path]).to.deep.equal(['invalid_content', '/messages/0/actions/0/data']);
    }
    return answered.status;
  }

  /** The platform's response to A1 with a Postback of this data. */
  async function sendRaw(data: string | undefined): Promise<string> {
    const body = {
      name: 'Raw',
      channels: ['default'],
      messages: [{ ...message, actions: [{ type: 'Postback', label: 'A', data }] }],
      audience: { type: 'contacts', contactIds: tenant.contactIds },
      schedule: { type: 'immediate' },
    };
    const path = `/openapi/v1/service-numbers/${serviceNumberId}/broadcasts`;
    const answered = await signedCall({ url: stack.addresses.sandbox }, path, await signerOf(tenant), body);
    return `${answered.status} ${String(answered.body['code'] ?? 'sent')}`;
  }

  const good = { appId: 'outreach', event: 'Broadcast' };

  it('S0-PR1: data is a valid JSON text with appId and event at the top level', async () => {
    for (const index of [0, 1, 2]) expect(dataOf(index)).to.include.keys('appId', 'event');
    for (const wrong of ['{', 'plain words', '[]', 'null']) expect(await schemaErrorOf(wrong), wrong).to.equal(422);
    expect(await schemaErrorOf('{"bizEventCode": "x"}')).to.equal(201);
  });

  it('S0-PR2: the platform rejects a missing or unknown event and a missing appId; ours always have them', async () => {
    expect(await sendRaw(JSON.stringify(good))).to.equal('201 sent');
    const { appId, event } = good;
    for (const wrong of [{ appId }, { event }, { appId, event: 'Whatever' }]) {
      expect(await sendRaw(JSON.stringify(wrong)), JSON.stringify(wrong)).to.equal('422 invalid_postback');
    }
    expect(await schemaErrorOf({ event: 'Whatever' })).to.equal(422);
    expect([0, 1, 2].map((index) => typeof dataOf(index)['event'])).to.deep.equal(['string', 'string', 'string']);
  });

  it('S0-ERR1: a Postback that is not JSON, or lacks appId or event, is rejected before anything is sent', async () => {
    const tasks = async () => (await tenant.sandbox.get<{ total: number }>('/sandbox/tasks')).total;
    const before = await tasks();
    for (const wrong of [
      undefined,
      '{',
      '{}',
      '{"appId": {"event": "Broadcast"}}',
      '{"appId": "outreach", "event": "broadcast"}',
    ]) {
      expect(await sendRaw(wrong), wrong).to.equal('422 invalid_postback');
    }
    expect(await tasks()).to.equal(before);
  });

  it('S0-PR3: Url actions carry no data; their clicks are counted by (noticeId, actionIndex)', async () => {
    expect(actions[3]).to.deep.equal(link);
    expect((webhookOf(clickOf(3).eventId).data as { action: Fields }).action).to.deep.equal({ type: 'Url' });
    expect(await attributionOf(3)).to.include({
      noticeId: clickOf(3).noticeId,
      actionIndex: 3,
      campaignId: campaign.id,
      bizEventCode: null,
    });
  });

  it('S0-EV1: notice.clicked has taskId, noticeId, actionIndex, action, contactId, serviceNumberId and clickedAt', () => {
    const { taskId, noticeId, contactId, clickedAt, eventId } = clickOf(0);
    const event = webhookOf(eventId);
    expect(event.eventType).to.equal('notice.clicked');
    expect(event.scope).to.deep.equal({ serviceNumberId });
    const action = { type: 'Postback', data: actions[0]?.data };
    expect(event.data).to.deep.equal({
      taskId,
      noticeId,
      actionIndex: 0,
      action,
      contactId,
      serviceNumberId,
      clickedAt,
    });
  });

  it('S0-RC13: click_attribution has task, contact, action, bizEventCode, campaignId and clickedAt', async () => {
    const row = await attributionOf(0);
    expect(row).to.include({
      taskId: task.taskId,
      contactId: tenant.contactIds[0],
      actionIndex: 0,
      bizEventCode: 'seat-wanted',
      campaignId: campaign.id,
    });
    expect(row?.['clickedAt']).to.deep.equal(new Date(clickOf(0).clickedAt));
  });

  it('S0-CK1: the link of a Url button records the click, redirects with 302, and notice.clicked follows', async () => {
    const before = stack.toBff.calls.length;
    const path = `/notice-click/${clickOf(3).noticeId}/3`;
    const followed = await call('GET', `${stack.addresses.sandbox}${path}`);
    expect([followed.status, followed.headers.get('location')]).to.deep.equal([302, link.url]);
    const log = await tenant.sandbox.get<{ items: Fields[] }>(
      `/sandbox/notice-click-log?noticeId=${clickOf(3).noticeId}`,
    );
    expect(log.items.at(-1)).to.deep.include({ type: 'Url', actionIndex: 3, contactId: tenant.contactIds[3] });
    await eventually('it came as an event', () =>
      stack.toBff.calls.slice(before).some(({ body, status }) => status === 200 && body.includes('notice.clicked')),
    );
    await eventually('it is a repeat', async () => Number((await attributionOf(3))?.['repeats']) === 1);
  });

  it('S0-CK2: the platform reads appId of a Postback, delivers to that application, and leaves the rest alone', async () => {
    const path = `/notice-postback/${clickOf(1).noticeId}/1`;
    const { body } = await call<{ eventId: string }>('POST', `${stack.addresses.sandbox}${path}`);
    const event = await eventually('it is delivered', () => webhookOf(body.eventId));
    expect((event.data as { action: { data: string } }).action.data).to.equal(actions[1]?.data);
    const log = await tenant.sandbox.get<{ items: Fields[] }>(
      `/sandbox/notice-click-log?noticeId=${clickOf(1).noticeId}`,
    );
    expect(log.items.at(-1)).to.include({ type: 'Postback', data: actions[1]?.data });
  });
});
