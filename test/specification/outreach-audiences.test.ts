import { expect } from 'chai';
import type { Knex } from 'knex';
import type { AudiencePreview, SavedAudience } from '#domain/api/audiences.ts';
import type { Contact } from '#domain/api/contacts.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { authorize, createNonce } from '#domain/signature.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { signedCall, type TestIntegration } from '../support/services/bff.ts';
import { call } from '../support/http/call.ts';
import { plainMessage, sendCampaign } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

type Fields = Record<string, unknown>;

const serviceNumberId = 'sn-audience';
const dayMs = 86_400_000;
const labels = `/openapi/v1/service-numbers/${serviceNumberId}/contacts`;

describe('S0: contacts, audiences and tags', () => {
  const stack = useWiredStack();
  let tenant: TestTenant;
  let outreach: Knex;
  let signer: TestIntegration;
  let token: string;
  const tags: Record<string, Tag> = {};

  const contact = (index: number): string => tenant.contactIds[index] ?? '';
  const act = (action: string, contactIds: string[], changes: object = {}) =>
    tenant.sandbox.post('/sandbox/contacts:act', { serviceNumberId, action, contactIds, changes });
  const profileOf = (contactId: string) => tenant.api.get<Contact>(`/contacts/${serviceNumberId}/${contactId}`);
  const tagRow = async (name: string): Promise<Fields> =>
    ((await outreach('tag').where({ tag_id: tags[name]?.tagId }).first()) ?? {}) as Fields;
  const filter = (tagOperator: 'AND' | 'OR', ...names: string[]) => ({
    type: 'app_tags' as const,
    appTagIds: names.map((name) => tags[name]?.tagId ?? ''),
    tagOperator,
  });
  const preview = (audience: object) =>
    tenant.api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience });
  const sentTo = (name: string): string[] =>
    stack.toPlatform
      .of('POST', /\/broadcasts$/)
      .map(({ body }) => JSON.parse(body) as { name: string; audience: { type: string; contactIds: string[] } })
      .filter((body) => body.name === name)
      .flatMap(({ audience }) => {
        expect(Object.keys(audience)).to.have.members(['type', 'contactIds']);
        expect(audience.type).to.equal('contacts');
        return audience.contactIds;
      })
      .toSorted();
  /** A call that the application never makes, signed as if it did. */
  const raw = (path: string, body: unknown) => signedCall({ url: stack.addresses.sandbox }, path, signer, body);

  async function createTag(name: string, indexes: number[], more: object = { kind: 'permanent' }): Promise<void> {
    tags[name] = await tenant.api.post<Tag>('/tags', { name, serviceNumberId, color: '#1f7a8c', ...more });
    await tenant.api.post(`/tags/${tags[name].tagId}/assignments`, { contactIds: indexes.map(contact) });
  }

  before(async () => {
    outreach = stack.database.connect('outreach', 'owner');
    tenant = await installTenant(stack, { tenantId: 'audience', serviceNumberId, contacts: 12 });
    signer = await signerOf(tenant);
    await tenant.sandbox.put('/sandbox/behaviour', { startDelayMs: 0, sendDurationMs: 0 });
    // Its Schedule may start it at any time; here it runs when a test says so.
    await stack.temporal.client.schedule.getHandle('expire-temporary-tags').pause();
    const later = new Date(Date.now() + dayMs).toISOString();
    const person = { sub: 'ada', name: 'Ada', tenantId: 'audience', roles: ['tenant_admin'] };
    token = await sandboxToken(tenant.sandbox, person);
    await createTag('regulars', [0, 1, 2, 3, 4]);
    await createTag('near', [3, 4, 5, 6]);
    await createTag('over', [8, 9], { kind: 'temporary', expiresAt: later });
    await createTag('later', [10], { kind: 'temporary', expiresAt: later });
    await act('unsubscribe', [contact(0)]);
    await act('unfollow', [contact(1)]);
    await eventually('both events are handled', async () => {
      const states = [await profileOf(contact(0)), await profileOf(contact(1))];
      return states.every(({ reachable }) => !reachable);
    });
    await outreach('tag')
      .where({ tag_id: tags['over']?.tagId })
      .update({ expires_at: new Date(Date.now() - 1000) });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('S0-RC5: contact_profile is one per service number and contact, with attributes, follow state and entry time', async () => {
    const second = { serviceNumberId: 'sn-second', name: 'Second' };
    const serviceNumbers = [{ serviceNumberId, name: 'First' }, second];
    await tenant.sandbox.post('/sandbox/tenants', { platformTenantId: 'audience', name: 'audience', serviceNumbers });
    await tenant.sandbox.post(`/admin/tenant-integrations/${signer.tenantIntegrationId}:update`, {});
    const given = { contactId: 'twin', displayName: 'Twin', attributes: { tier: 'gold', visits: 3 } };
    for (const [number, attributes] of [
      [serviceNumberId, given.attributes],
      ['sn-second', { tier: 'new' }],
    ] as const) {
      await tenant.sandbox.post('/sandbox/contacts', {
        tenant: 'audience',
        serviceNumberId: number,
        contacts: [{ ...given, attributes }],
        emit: true,
      });
    }
    const profiles = await eventually('both are known', async () => {
      const rows: Fields[] = await outreach('contact_profile')
        .where({ contact_id: 'twin' })
        .orderBy('service_number_id');
      return rows.length === 2 && rows;
    });
    expect(profiles.map((row) => [row['serviceNumberId'], row['attributes'], row['followState']])).to.deep.equal([
      [serviceNumberId, given.attributes, 'following'],
      ['sn-second', { tier: 'new' }, 'following'],
    ]);
    for (const row of profiles) expect(row['enteredAt']).to.be.an.instanceOf(Date);
  });

  it('S0-FL1: contact_entered_to_profile creates profiles from contact events, of which the latest wins', async () => {
    const before = await profileOf(contact(11));
    expect(before).to.include({ followState: 'following', unsubscribed: false, reachable: true });
    await act('update', [contact(11)], { displayName: 'Renamed', attributes: { tier: 'silver' } });
    await act('unfollow', [contact(11)]);
    await eventually('the profile follows', async () => {
      const { displayName, attributes, followState } = await profileOf(contact(11));
      return displayName === 'Renamed' && attributes['tier'] === 'silver' && followState === 'unfollowed';
    });
    const old = { occurredAt: '2020-01-01T00:00:00Z', serviceNumberId, action: 'follow', contactIds: [contact(11)] };
    await tenant.sandbox.post('/sandbox/contacts:act', old);
    await act('update', [contact(10)], { displayName: 'After it' });
    await eventually(
      'the later event is handled',
      async () => (await profileOf(contact(10))).displayName === 'After it',
    );
    const { followState, enteredAt } = await profileOf(contact(11));
    expect(followState).to.equal('unfollowed');
    // Whoever followed entered then at the latest.
    expect(before.enteredAt).to.be.a('string');
    expect(enteredAt).to.equal('2020-01-01T00:00:00.000Z');
  });

  it('S0-FL3: resolve_audience returns contactIds, hitCount and reachableCount, without expired tags and unreachable contacts', async () => {
    expect(await preview(filter('OR', 'regulars', 'near', 'over'))).to.deep.equal({
      hitCount: 9,
      reachableCount: 5,
      excluded: { expiredTags: 2, unsubscribed: 1, unreachable: 1, controlGroup: 0 },
    });
    expect(await preview(filter('AND', 'regulars', 'near'))).to.include({ hitCount: 2, reachableCount: 2 });
    await sendCampaign(tenant, { name: 'Any', audience: filter('OR', 'regulars', 'near', 'over') });
    expect(sentTo('Any')).to.deep.equal([2, 3, 4, 5, 6].map(contact));
  });

  it('S0-AR1: the preview counts; sending resolves again, keeps the result, and submits it as type contacts', async () => {
    const audience = filter('OR', 'regulars');
    expect(await preview(audience)).to.include({ hitCount: 5, reachableCount: 3 });
    await act('unsubscribe', [contact(2)]);
    await eventually('it is known', async () => !(await profileOf(contact(2))).reachable);
    const { campaign } = await sendCampaign(tenant, { name: 'Again', audience });
    expect(sentTo('Again')).to.deep.equal([3, 4].map(contact));
    const kept: Fields[] = await outreach('dispatch_recipient as r')
      .join('dispatch as d', 'd.dispatch_id', 'r.dispatch_id')
      .where('d.campaign_id', campaign.id)
      .orderBy('contact_id');
    expect(kept.map((row) => row['contactId'])).to.deep.equal([3, 4].map(contact));
    // Frozen: later changes of the tag have no effect.
    await tenant.api.post(`/tags/${tags['regulars']?.tagId}/assignments`, { contactIds: [contact(7)] });
    expect(await outreach('dispatch_recipient').where({ dispatch_id: kept[0]?.['dispatchId'] })).to.have.length(2);
  });

  it('S0-FL2: build_audience saves a list or a tag filter, and counts its members', async () => {
    const list = { name: 'List', serviceNumberId, type: 'contacts', contactIds: [3, 4, 3].map(contact) };
    const { audienceId, memberCount } = await tenant.api.post<SavedAudience>('/audiences', list);
    expect(memberCount).to.equal(2);
    const uploaded = await call('PUT', `${stack.addresses.bff}/api/v1/audiences/${audienceId}/contacts`, {
      token,
      body: `${[4, 5, 6, 6].map(contact).join('\n')}\n`,
      headers: { 'Content-Type': 'text/csv' },
    });
    expect(uploaded.body).to.deep.include({ memberCount: 3, duplicates: 1 });
    await sendCampaign(tenant, { name: 'Built', audience: { type: 'contacts', audienceId } });
    expect(sentTo('Built')).to.deep.equal([4, 5, 6].map(contact));
  });

  it('S0-RC8: audience has type, appTagIds, tagOperator, contacts and memberCount; any type is sent as a list', async () => {
    const saved = { name: 'Filter', serviceNumberId, ...filter('AND', 'regulars', 'near') };
    const { audienceId } = await tenant.api.post<SavedAudience>('/audiences', saved);
    const row: Fields | undefined = await outreach('audience').where({ audience_id: audienceId }).first();
    expect(row).to.deep.include({ type: 'app_tags', appTagIds: saved.appTagIds, tagOperator: 'AND' });
    const list: Fields | undefined = await outreach('audience').where({ type: 'contacts' }).first();
    const members: Fields[] = await outreach('audience_member').where({ audience_id: list?.['audienceId'] });
    expect(list).to.include({ memberCount: 3, tagOperator: null });
    expect(members.map((one) => String(one['contactId'])).toSorted()).to.deep.equal([4, 5, 6].map(contact));
    await sendCampaign(tenant, { name: 'Saved', audience: { type: 'contacts', audienceId } });
    expect(sentTo('Saved')).to.deep.equal([3, 4].map(contact));
    const later = await tenant.api.post('/audiences', { name: 'AI', serviceNumberId, type: 'ai_query' }).catch(String);
    expect(later).to.contain('422');
  });

  it('S0-RC9: tag has tenant, service number, name, source, kind, colour, status, expiresAt and contactCount', async () => {
    expect(await tagRow('near')).to.include({
      tagId: tags['near']?.tagId,
      tenantId: 'audience',
      serviceNumberId: serviceNumberId,
      name: 'near',
      source: 'app_manual',
      kind: 'permanent',
      color: '#1f7a8c',
      status: 'active',
      expiresAt: null,
      contactCount: 4,
    });
    const later = await tagRow('later');
    expect(later).to.include({ kind: 'temporary', contactCount: 1 });
    expect((later['expiresAt'] as Date).toISOString()).to.equal(tags['later']?.expiresAt);
    const rule = { name: 'R', triggerEvent: 'notice.clicked', matchCondition: { all: [] }, status: 'paused' };
    await tenant.api.post('/smart-tag-rules', { ...rule, targetTagId: tags['later']?.tagId });
    expect(await tagRow('later')).to.include({ source: 'app_smart' });
  });

  it('S0-ST6: a tag no longer counts at resolution once expiresAt has passed, even before a flow has marked it', async () => {
    expect(await tagRow('over')).to.include({ status: 'active' });
    const { status } = await tenant.api.get<Tag>(`/tags/${tags['over']?.tagId}`);
    expect(status).to.equal('expired');
    const nobody = {
      hitCount: 2,
      reachableCount: 0,
      excluded: { expiredTags: 2, unsubscribed: 0, unreachable: 0, controlGroup: 0 },
    };
    expect(await preview(filter('OR', 'over'))).to.deep.equal(nobody);
    expect(await preview(filter('OR', 'later'))).to.include({ hitCount: 1, reachableCount: 1 });
  });

  it('S0-FL8: expire_temporary_tags runs daily and marks exactly the tags whose time has passed', async () => {
    const schedule = stack.temporal.client.schedule.getHandle('expire-temporary-tags');
    const { spec, info } = await schedule.describe();
    const [first, second] = info.nextActionTimes;
    expect([spec.calendars?.length, spec.intervals?.length ?? 0]).to.deep.equal([1, 0]);
    expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).to.equal(dayMs);
    await schedule.trigger();
    await eventually('it is marked', async () => (await tagRow('over'))['status'] === 'expired');
    expect(await tagRow('later')).to.include({ status: 'active' });
    const { items } = await tenant.api.get<Page<Tag>>('/tags?status=expired');
    expect(items.map(({ name }) => name)).to.deep.equal(['over']);
  });

  const batch = (...names: string[]) => ({ contactIds: [contact(0), contact(1)], labels: names });
  async function labelsOf(contactId: string): Promise<unknown> {
    const { tenantIntegrationId, secret } = signer;
    const nonce = createNonce();
    const authorization = authorize(secret, { tenantIntegrationId, nonce, body: '' });
    const headers = { authorization, 'x-platform-nonce': nonce };
    return (await call('GET', `${stack.addresses.sandbox}${labels}/${contactId}/labels`, { headers })).body['labels'];
  }
  const neverCalled = () =>
    expect(stack.toPlatform.calls.filter(({ path }) => path.includes('labels'))).to.deep.equal([]);

  it('S0-LB1: D1 belongs to the platform and is idempotent; giving tags here does not call it', async () => {
    for (let time = 0; time < 2; time += 1)
      expect((await raw(`${labels}/labels:add`, batch('gold', 'new'))).status).to.equal(200);
    expect(await labelsOf(contact(1))).to.deep.equal(['gold', 'new']);
    neverCalled();
  });

  it('S0-LB2: D2 belongs to the platform and is idempotent; neither unassigning nor expiry calls it', async () => {
    for (let time = 0; time < 2; time += 1)
      expect((await raw(`${labels}/labels:remove`, batch('new'))).status).to.equal(200);
    const path = `${stack.addresses.bff}/api/v1/tags/${tags['near']?.tagId}/assignments`;
    const taken = await call('DELETE', path, { token, body: { contactIds: [contact(6)] } });
    expect([taken.status, (await tagRow('near'))['contactCount']]).to.deep.equal([204, 3]);
    expect(await labelsOf(contact(1))).to.deep.equal(['gold']);
    neverCalled();
  });

  it('S0-LB3: D3 returns all labels of one contact; nothing here reads them', async () => {
    expect(await labelsOf(contact(0))).to.deep.equal(['gold']);
    expect(await labelsOf(contact(2))).to.deep.equal([]);
    neverCalled();
  });

  it('S0-ERR3: the platform rejects a tag that does not exist or is deleted', async () => {
    const send = async (tagId: string) => {
      const audience = { type: 'tags', tagIds: [tagId], tagOperator: 'OR' };
      const body = {
        name: 'Raw',
        channels: ['default'],
        messages: [plainMessage],
        audience,
        schedule: { type: 'immediate' },
      };
      const answered = await raw(`/openapi/v1/service-numbers/${serviceNumberId}/broadcasts`, body);
      return `${answered.status} ${String(answered.body['code'] ?? 'sent')}`;
    };
    expect(await send('gold')).to.equal('201 sent');
    expect(await send('never-there')).to.equal('422 tag_not_found');
    await tenant.sandbox.post('/sandbox/tags', { serviceNumberId, tagId: 'gold', name: 'gold', deleted: true });
    expect(await send('gold')).to.equal('422 tag_not_found');
  });
});
