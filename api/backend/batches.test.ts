import { expect } from 'chai';
import type { BatchResult } from '#domain/api/batches.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

describe('changes of several rows at once', () => {
  const backend = useTwoTenants({ contacts: 5 });

  const batch = (path: string, body: object, token = backend.operator) => backend.call('POST', path, { body, token });
  const outcomes = async (path: string, body: object, token = backend.operator): Promise<string[]> => {
    const response = await batch(path, body, token);
    expect(response.status, JSON.stringify(response.body)).to.equal(200);
    return response.body.items.map(({ id, outcome, code }: BatchResult) => [id, outcome, code].join(' ').trim());
  };
  const tag = async (name: string): Promise<string> =>
    (await backend.call('POST', '/tags', { body: { name, serviceNumberId: 'sn-1', kind: 'permanent' } })).body.tagId;
  const audited = async (objectId: string, action: string): Promise<number> =>
    (await backend.db('audit_log').where({ object_id: objectId, action })).length;

  it('archives tags, names each that it did not archive, and archives none twice', async () => {
    const [one, other, gone] = [await tag('One'), await tag('Other'), await tag('Gone')];
    await backend.call('DELETE', `/tags/${gone}`);
    const tagIds = [gone, one, UNKNOWN, other, one];
    expect(await outcomes('/tags:archive', { tagIds }, backend.foreign)).to.deep.equal(
      [gone, one, UNKNOWN, other].map((id) => `${id} refused not_found`),
    );
    expect(await outcomes('/tags:archive', { tagIds })).to.deep.equal([
      `${gone} unchanged`,
      `${one} done`,
      `${UNKNOWN} refused not_found`,
      `${other} done`,
    ]);
    const again = await Promise.all([1, 2].map(() => outcomes('/tags:archive', { tagIds: [other, one] })));
    for (const each of again) expect(each).to.deep.equal([`${other} unchanged`, `${one} unchanged`]);
    for (const id of [one, other]) {
      expect((await backend.call('GET', `/tags/${id}`)).body.status).to.equal('archived');
      expect(await audited(id, 'tag.archive')).to.equal(1);
    }
  });

  it('gives a tag to contacts, counts each once, and names those whom the service number does not have', async () => {
    const tagId = await tag('Guests');
    await backend.call('POST', `/tags/${tagId}/assignments`, { body: { contactIds: [contactId(2)] } });
    const path = `/tags/${tagId}/assignments:batch`;
    const body = { contactIds: [contactId(1), contactId(2), 'ghost', contactId(3), contactId(1)] };
    const expected = [
      `${contactId(1)} done`,
      `${contactId(2)} unchanged`,
      'ghost refused not_found',
      `${contactId(3)} done`,
    ];
    expect(await outcomes(path, body)).to.deep.equal(expected);
    expect(await outcomes(path, body)).to.deep.equal(expected.map((each) => each.replace('done', 'unchanged')));
    expect((await backend.call('GET', `/tags/${tagId}`)).body.contactCount).to.equal(3);
    expect(await backend.db('tag_assignment').where({ tag_id: tagId })).to.have.length(3);
    expect(await audited(tagId, 'tag.assign'), 'a repetition assigns nothing').to.equal(2);
    expect((await batch(path, body, backend.foreign)).status).to.equal(404);
    await backend.call('DELETE', `/tags/${tagId}`);
    expect((await batch(path, body)).body.code).to.equal('invalid_state');
  });

  it('removes rules, none twice', async () => {
    const targetTagId = await tag('Ruled');
    const create = async (name: string): Promise<string> => {
      const body = { name, triggerEvent: 'notice.clicked', matchCondition: { all: [] }, targetTagId };
      return (await backend.call('POST', '/smart-tag-rules', { body })).body.ruleId;
    };
    const [one, other] = [await create('One'), await create('Other')];
    const ruleIds = [other, UNKNOWN, one];
    expect(await outcomes('/smart-tag-rules:remove', { ruleIds }, backend.foreign)).to.deep.equal(
      ruleIds.map((id) => `${id} refused not_found`),
    );
    expect(await outcomes('/smart-tag-rules:remove', { ruleIds })).to.deep.equal([
      `${other} done`,
      `${UNKNOWN} refused not_found`,
      `${one} done`,
    ]);
    expect(await outcomes('/smart-tag-rules:remove', { ruleIds: [one] })).to.deep.equal([`${one} unchanged`]);
    expect((await backend.call('GET', '/smart-tag-rules')).body.items).to.deep.equal([]);
    expect(await audited(one, 'smart_tag_rule.delete')).to.equal(1);
  });

  it('closes campaigns that were sent, leaves drafts alone, and starts each closing once', async () => {
    const draft = await backend.draft();
    const [one, other] = [await backend.draft(), await backend.draft()];
    for (const id of [one, other]) await backend.act(id, 'send', { body: {} });
    const campaignIds = [draft, one, other];
    const expected = [`${draft} refused invalid_state`, `${one} done`, `${other} done`];
    expect(await outcomes('/campaigns:close', { campaignIds })).to.deep.equal(expected);
    expect(await outcomes('/campaigns:close', { campaignIds })).to.deep.equal(
      expected.map((each) => each.replace('done', 'unchanged')),
    );
    for (const id of [one, other]) {
      expect((await backend.call('GET', `/campaigns/${id}`)).body.status).to.equal('closed');
      expect(backend.flows.closed.filter((closed) => closed === id)).to.have.length(1);
      expect(await audited(id, 'campaign.close')).to.equal(1);
    }
    expect((await backend.call('GET', `/campaigns/${draft}`)).body.status).to.equal('draft');
  });

  it('replays and dismisses events', async () => {
    const store = (eventId: string, status: string) =>
      backend.db('event_inbox').insert({
        tenant_integration_id: 'ti-a',
        event_id: eventId,
        tenant_id: 'a',
        event_type: 'contact.followed',
        service_number_id: 'sn-1',
        partition: 1,
        payload: '{"contactId": "c-1", "serviceNumberId": "sn-1"}',
        occurred_at: '2026-01-01T00:00:00Z',
        status,
        error: status === 'failed' ? 'was refused' : null,
      });
    const statusOf = async (eventId: string) =>
      (await backend.db('event_inbox').where({ event_id: eventId }).first()).status;
    for (const id of ['f-1', 'f-2']) await store(id, 'failed');
    await store('p-1', 'processed');
    const dismissal = { eventIds: ['f-1', 'p-1', 'none'], reason: 'Known to the platform' };
    const expected = ['f-1 done', 'p-1 refused invalid_state', 'none refused not_found'];
    expect(await outcomes('/event-inbox:dismiss-selected', dismissal)).to.deep.equal(expected);
    expect((await outcomes('/event-inbox:dismiss-selected', dismissal))[0]).to.equal('f-1 unchanged');
    expect([await statusOf('f-1'), await statusOf('p-1')]).to.deep.equal(['dismissed', 'processed']);
    const [entry] = await backend.db('audit_log').where({ object_id: 'f-1', action: 'event.dismiss' });
    expect(entry.after).to.deep.equal({ status: 'dismissed', reason: 'Known to the platform' });
    const replayed = { eventIds: ['f-2', 'f-1', 'p-1'] };
    expect(await outcomes('/event-inbox:replay-selected', replayed)).to.deep.equal([
      'f-2 done',
      'f-1 done',
      'p-1 refused invalid_state',
    ]);
    expect((await outcomes('/event-inbox:replay-selected', replayed)).slice(0, 2)).to.deep.equal([
      'f-2 unchanged',
      'f-1 unchanged',
    ]);
    expect(await audited('f-1', 'event.replay')).to.equal(1);
    expect((await batch('/event-inbox:dismiss-selected', { eventIds: ['f-1'], reason: ' ' })).status).to.equal(400);
  });

  it('take 1 to 200 ids, from those who may write', async () => {
    const viewer = await backend.token('a', 'viewer', 'v');
    for (const [path, name] of [
      ['/tags:archive', 'tagIds'],
      ['/smart-tag-rules:remove', 'ruleIds'],
      ['/campaigns:close', 'campaignIds'],
      ['/event-inbox:replay-selected', 'eventIds'],
    ] as const) {
      expect((await batch(path, { [name]: [UNKNOWN] }, viewer)).status, path).to.equal(403);
      expect((await batch(path, { [name]: [] })).status, path).to.equal(400);
      const many = Array.from({ length: 201 }, (_, n) => `id-${n}`);
      expect((await batch(path, { [name]: many })).status, path).to.equal(400);
      expect(await outcomes(path, { [name]: many.slice(1) }), path).to.have.length(200);
    }
  });
});
