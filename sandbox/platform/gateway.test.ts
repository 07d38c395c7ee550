import { expect } from 'chai';
import { broadcast, contactIds, installTenant, signedCall, startRunning } from '../testing/running.ts';
import type { Installed, Running } from '../testing/running.ts';

describe('sandbox: labels, entry sources and embedded slots', () => {
  let running: Running;
  let installed: Installed;

  before(async () => {
    running = await startRunning();
    installed = await installTenant(running);
  });
  after(() => running.end());

  const signed = (method: string, path: string, body?: unknown) =>
    signedCall(running, installed, method, `/openapi/v1${path}`, body);
  const contacts = '/service-numbers/sn1/contacts';

  it('labels contacts, creates each label once, and sends to them by tag', async () => {
    const batch = { contactIds: contactIds(1, 3), labels: ['gold', 'new'] };
    for (let time = 0; time < 2; time += 1) {
      expect((await signed('POST', `${contacts}/labels:add`, batch)).status).to.equal(200);
    }
    await signed('POST', `${contacts}/labels:remove`, { contactIds: ['c000002'], labels: ['new'] });
    expect((await signed('GET', `${contacts}/c000001/labels`)).body.labels).to.deep.equal(['gold', 'new']);
    expect((await signed('GET', `${contacts}/c000002/labels`)).body.labels).to.deep.equal(['gold']);
    const to = async (tagOperator: string) => {
      const audience = { type: 'tags', tagIds: ['gold', 'new'], tagOperator };
      return (await signed('POST', '/service-numbers/sn1/broadcasts', broadcast([], { audience }))).body;
    };
    expect((await to('AND')).estimatedRecipientCount).to.equal(2);
    expect((await to('OR')).estimatedRecipientCount).to.equal(3);
    const unknown = await signed('POST', `${contacts}/labels:add`, { contactIds: ['nobody'], labels: ['x'] });
    expect([unknown.status, unknown.body.code]).to.deep.equal([422, 'contact_not_found']);
  });

  it('creates, updates and ends entry sources, and shows them only to their tenant', async () => {
    const body = {
      name: 'Spring',
      reason: { type: 'activity', id: 'k1', data: { appId: 'outreach', campaignId: 'k1' } },
      channels: [{ channel: 'default', serviceNumberId: 'sn1' }],
      webhook: { url: 'http://127.0.0.1:1/webhook', events: ['session.created'] },
    };
    const { status, body: made } = await signed('POST', '/entry-sources', body);
    expect(status).to.equal(201);
    const path = `/entry-sources/${made.sourceId}`;
    const expiresAt = '2031-01-01T00:00:00Z';
    expect((await signed('PUT', path, { name: 'Summer', expiresAt })).status).to.equal(200);
    expect((await signed('PUT', `${path}/status`, { status: 'inactive' })).status).to.equal(200);
    expect((await signed('PUT', `${path}/status`, { status: 'closed' })).status).to.equal(400);
    const { items } = (await running.call('GET', '/sandbox/entry-sources?tenant=t1')).body;
    expect(items[0]).to.deep.include({ name: 'Summer', expiresAt, status: 'inactive', reason: body.reason });
    const foreign = { ...body, channels: [{ channel: 'default', serviceNumberId: 'sn9' }] };
    expect((await signed('POST', '/entry-sources', foreign)).status).to.equal(404);
    expect((await signed('PUT', '/entry-sources/none', { name: 'x' })).status).to.equal(404);
  });

  it('registers slots in one batch, replaces them, and returns them', async () => {
    const slot = (name: string) => ({
      slot: name,
      endpointUrl: `http://127.0.0.1:4000/embed/${name}`,
      params: { a: 1 },
    });
    await signed('POST', '/embed/configurations', { slots: [slot('main'), slot('settings')] });
    await signed('POST', '/embed/configurations', { slots: [slot('main')] });
    const read = await signed('GET', '/embed/configurations');
    expect(read.body.slots).to.deep.equal([slot('main')]);
    expect((await signed('POST', '/embed/configurations', { slots: [] })).status).to.equal(400);
  });
});
