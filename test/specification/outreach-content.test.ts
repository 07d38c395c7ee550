import { expect } from 'chai';
import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import { call } from '../support/http/call.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import type { WireCall } from '../support/http/wire.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

type Fields = Record<string, unknown>;

interface Card extends Fields {
  actions: Fields[];
}

interface A1Body extends Fields {
  messages: [Card, Card, Fields, Fields, Fields];
}

interface Rejected {
  code?: string;
  errors?: { path: string }[];
}

const serviceNumberId = 'sn-content';
const note = 'for the first of December';
const extras = {
  title: 'Seat',
  text: 'One seat at the tasting',
  imageUrl: 'https://pictures.example/seat.png',
  displayText: 'I would like a seat',
  isDefault: true,
};
const response = {
  type: 'Postback',
  label: 'Keep a seat',
  data: { bizEventCode: 'seat-wanted', seats: { adults: 2 } },
  ...extras,
};
const link = { type: 'Url', label: 'Menu', url: 'https://menu.example/autumn?a=1&b=2', ...extras, isDefault: false };
const bareLink = { type: 'Url', label: 'Map', url: 'http://map.example/' };
const card = {
  type: 'buttons',
  title: 'Autumn tasting',
  text: 'Come and\ntaste 茶.',
  image: 'https://pictures.example/autumn.png',
  actions: [response, link, bareLink],
};
const bareCard = { type: 'buttons', title: 'Bare', text: 'No picture', actions: [{ type: 'Postback', label: 'Yes' }] };
const others = [
  { type: 'text', text: 'Only words' },
  { type: 'image', url: 'https://pictures.example/cup.jpg' },
  { type: 'file', url: 'https://files.example/menu.pdf', name: 'menu.pdf' },
];

describe('S0: what is sent', () => {
  const stack = useWiredStack();
  let tenant: TestTenant;
  let token: string;
  let campaign: Campaign;
  let task: SubTask;
  let a1: WireCall;
  let body: A1Body;

  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'content', serviceNumberId, contacts: 3 });
    const person = { sub: 'ada', name: 'Ada', tenantId: 'content', roles: ['marketing_operator'] };
    token = await sandboxToken(tenant.sandbox, person);
    const messages = [card, bareCard, ...others];
    const sent = await sendCampaign(tenant, { name: 'Tasting', note, channels: ['default', 'line'], messages });
    campaign = sent.campaign;
    task = sent.tasks[0] as SubTask;
    a1 = stack.toPlatform.of('POST', /\/broadcasts$/)[0] as WireCall;
    body = JSON.parse(a1.body) as A1Body;
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  /** The response to a draft with these messages. */
  async function draftWith(messages: unknown[]): Promise<{ status: number; code?: string; places: string[] }> {
    const given = { name: 'Draft', serviceNumberId, messages, schedule: { type: 'immediate' } };
    const answered = await call<Rejected>('POST', `${stack.addresses.bff}/api/v1/campaigns`, {
      token,
      body: { ...given, audience: { type: 'contacts', contactIds: tenant.contactIds } },
    });
    const { code, errors = [] } = answered.body;
    return { status: answered.status, ...(code ? { code } : {}), places: errors.map(({ path }) => path) };
  }

  const withCard = (changes: Fields) => draftWith([{ ...card, ...changes }]);
  const withAction = (action: Fields) => withCard({ actions: [action] });
  const [place, actionPlace] = ['/messages/0', '/messages/0/actions/0'];

  /** Rejected with 400 at this path, and only there: once corrected, the same draft is accepted. */
  function expectRejected(found: Awaited<ReturnType<typeof draftWith>>, path: string): void {
    expect(found).to.include({ status: 400, code: 'invalid_request' });
    expect(
      found.places.some((one) => one.startsWith(path)),
      `${path} in ${found.places.join()}`,
    ).to.equal(true);
  }

  it('S0-BT1: A1 is a POST with name, note, channels, messages, audience and schedule; it returns taskId and estimate', () => {
    expect(a1.path).to.equal(`/openapi/v1/service-numbers/${serviceNumberId}/broadcasts`);
    expect(a1.headers['content-type']).to.contain('application/json');
    expect(Object.keys(body).toSorted()).to.deep.equal([
      'audience',
      'channels',
      'messages',
      'name',
      'note',
      'schedule',
    ]);
    expect(body).to.deep.include({
      name: 'Tasting',
      note,
      channels: ['default', 'line'],
      schedule: { type: 'immediate' },
    });
    expect(body['audience']).to.deep.equal({ type: 'contacts', contactIds: tenant.contactIds });
    expect(body.messages.slice(2)).to.deep.equal(others);
    expect(a1.status).to.equal(201);
    expect(JSON.parse(a1.response)).to.deep.equal({ taskId: task.taskId, estimatedRecipientCount: 3 });
  });

  it('S0-LM1: a broadcast has 1 to 5 messages', async () => {
    expect(body.messages).to.have.length(5);
    expectRejected(await draftWith([]), '/messages');
    expectRejected(await draftWith([card, bareCard, ...others, others[0]]), '/messages');
    expect((await draftWith([others[0]])).status).to.equal(201);
  });

  it('S0-NC1: type is the kind of card', async () => {
    expect(body.messages.map(({ type }) => type)).to.deep.equal(['buttons', 'buttons', 'text', 'image', 'file']);
    expectRejected(await withCard({ type: 'carousel' }), place);
  });

  it('S0-NC2: title is the card’s title', async () => {
    expect(body.messages.slice(0, 2).map(({ title }) => title)).to.deep.equal(['Autumn tasting', 'Bare']);
    expectRejected(await withCard({ title: 7 }), `${place}/title`);
    expectRejected(await withCard({ title: ' ' }), `${place}/title`);
  });

  it('S0-NC3: text is the body text, verbatim', async () => {
    expect(body.messages[0]['text']).to.equal('Come and\ntaste 茶.');
    expectRejected(await withCard({ text: undefined }), `${place}/text`);
  });

  it('S0-NC4: image is the image’s URL, and optional', async () => {
    expect(body.messages[0]['image']).to.equal(card.image);
    expect(body.messages[1]).to.not.have.property('image');
    for (const image of ['not a url', 'ftp://pictures.example/a.png']) {
      expectRejected(await withCard({ image }), `${place}/image`);
    }
  });

  it('S0-NC5: actions are the buttons, in order', async () => {
    expect(body.messages[0].actions.map(({ label }) => label)).to.deep.equal(['Keep a seat', 'Menu', 'Map']);
    const shown = await tenant.sandbox.get<A1Body>(`/sandbox/tasks/${task.taskId}`);
    expect(shown.messages[0].actions).to.deep.equal(body.messages[0].actions);
    expectRejected(await withCard({ actions: 'none' }), `${place}/actions`);
  });

  it('S0-AC1: type is Postback or Url, nothing else', async () => {
    expect(body.messages[0].actions.map(({ type }) => type)).to.deep.equal(['Postback', 'Url', 'Url']);
    for (const type of ['Call', 'postback', undefined])
      expectRejected(await withAction({ ...response, type }), actionPlace);
  });

  it('S0-AC2: label is the button’s text, and required', async () => {
    expect(body.messages[1].actions[0]).to.include({ label: 'Yes' });
    for (const label of [undefined, '', 3]) {
      expectRejected(await withAction({ ...bareLink, label }), `${actionPlace}/label`);
    }
  });

  it('S0-AC3: every Postback has data, a JSON text that contains the operator’s fields', () => {
    const [full, ,] = body.messages[0].actions;
    const [bare] = body.messages[1].actions;
    expect(full?.['data']).to.be.a('string');
    expect(JSON.parse(String(full?.['data']))).to.deep.include({ bizEventCode: 'seat-wanted', seats: { adults: 2 } });
    // Absent from the draft, but the platform requires it.
    expect(JSON.parse(String(bare?.['data']))).to.include({ appId: 'outreach', event: 'Broadcast' });
  });

  it('S0-AC4: url is a Url’s target, and required', async () => {
    expect(body.messages[0].actions[1]).to.include({ url: link.url });
    expect(body.messages[0].actions[2]).to.include({ url: bareLink.url });
    for (const url of [undefined, 'menu', 'javascript:alert(1)']) {
      expectRejected(await withAction({ ...bareLink, url }), `${actionPlace}/url`);
    }
  });

  /**
   * An optional field of an action: unchanged on the platform for both kinds, absent if it was absent, rejected with
   * another type.
   */
  async function expectOptional(field: keyof typeof extras, wrong: unknown): Promise<void> {
    const [first, second, third] = body.messages[0].actions;
    expect(first?.[field]).to.equal(response[field]);
    expect(second?.[field]).to.equal(link[field]);
    expect(third).to.not.have.property(field);
    expect(body.messages[1].actions[0]).to.not.have.property(field);
    expectRejected(await withAction({ ...bareLink, [field]: wrong }), `${actionPlace}/${field}`);
    expect((await withAction({ ...bareLink, [field]: extras[field] })).status).to.equal(201);
  }

  it('S0-AC5: title is optional, and reaches the platform unchanged', () => expectOptional('title', 5));

  it('S0-AC6: text is optional, and reaches the platform unchanged', () => expectOptional('text', ['a']));

  it('S0-AC7: imageUrl is optional, and reaches the platform unchanged', () => expectOptional('imageUrl', 'no url'));

  it('S0-AC8: displayText is optional, and is what the client shows after the click', async () => {
    await expectOptional('displayText', 5);
    const { items } = await tenant.sandbox.post<{ items: { noticeId: string }[] }>('/sandbox/clicks', {
      taskId: task.taskId,
      contactId: tenant.contactIds[0],
    });
    const path = `${stack.addresses.sandbox}/notice-postback/${items[0]?.noticeId}/0`;
    expect((await call('POST', path)).body).to.include({ displayText: extras.displayText });
  });

  it('S0-AC9: isDefault is optional, true or false, and reaches the platform unchanged', () =>
    expectOptional('isDefault', 'yes'));

  it('S0-R8: a campaign belongs to one service number, which is required and never changes', async () => {
    expect(campaign.serviceNumberId).to.equal(serviceNumberId);
    const address = `${stack.addresses.bff}/api/v1/campaigns`;
    const { id: _id, ...rest } = campaign;
    const { messages, audience, schedule, name } = rest;
    const none = await call<Rejected>('POST', address, { token, body: { name, messages, audience, schedule } });
    expect([none.status, none.body.errors?.[0]?.path]).to.deep.equal([400, '/serviceNumberId']);
    const body = { name, messages, audience, schedule, serviceNumberId };
    const draft = await call<Campaign>('POST', address, { token, body });
    const moved = await call<Rejected>('PATCH', `${address}/${draft.body.id}`, {
      token,
      body: { serviceNumberId: 'sn-other' },
      headers: { 'If-Match': draft.headers.get('etag') ?? '' },
    });
    expect([moved.status, moved.body.code]).to.deep.equal([422, 'invalid_content']);
    const kept = await call<Campaign>('GET', `${address}/${draft.body.id}`, { token });
    expect(kept.body.serviceNumberId).to.equal(serviceNumberId);
  });
});
