import { expect } from 'chai';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('tags', () => {
  const backend = useTwoTenants({ contacts: 10 });

  const create = (name: string, more: object = {}) =>
    backend.call('POST', '/tags', { body: { name, serviceNumberId: 'sn-1', kind: 'permanent', ...more } });
  const get = async (tagId: string) => (await backend.call('GET', `/tags/${tagId}`)).body;
  const assign = (tagId: string, contactIds: string[], method = 'POST') =>
    backend.call(method, `/tags/${tagId}/assignments`, { body: { contactIds } });
  const rowsOf = async (tagId: string) => (await backend.db('tag_assignment').where({ tag_id: tagId })).length;

  it('keeps contactCount correct under repeated, parallel and overlapping assignments', async () => {
    const { tagId } = (await create('Count')).body;
    const ids = [1, 2, 3, 3, 2].map(contactId);
    expect((await assign(tagId, ids)).body).to.deep.equal({ assigned: 3, alreadyAssigned: 0 });
    expect((await assign(tagId, ids)).body).to.deep.equal({ assigned: 0, alreadyAssigned: 3 });
    await Promise.all([
      ...[3, 4, 5].map((n) => assign(tagId, [n, n + 1, n + 2].map(contactId))),
      assign(tagId, [1, 2].map(contactId), 'DELETE'),
    ]);
    expect((await get(tagId)).contactCount).to.equal(await rowsOf(tagId));
    expect(await rowsOf(tagId)).to.equal(5);
    expect((await assign(tagId, ['nobody'], 'DELETE')).status).to.equal(204);
  });

  it('lists contacts that the service number does not have, and assigns none', async () => {
    const { tagId } = (await create('Unknown')).body;
    const response = await assign(tagId, [contactId(1), 'ghost', contactId(2), 'ghost', 'spook']);
    expect(response.status).to.equal(422);
    expect(response.body.errors.map((error: { path: string }) => error.path)).to.deep.equal([
      '/contactIds/1',
      '/contactIds/4',
    ]);
    expect(response.body.errors[0].message).to.contain('ghost');
    expect(response.body.errors[0]).to.deep.include({ code: 'foreign_contact', params: { contactId: 'ghost' } });
    expect(await rowsOf(tagId)).to.equal(0);
  });

  it('rejects a name in use, ignoring case, until its tag is archived', async () => {
    const { tagId } = (await create('Gold')).body;
    const taken = await create('gOLD');
    expect([taken.status, taken.body.code]).to.deep.equal([409, 'conflict']);
    expect(taken.body.errors).to.deep.equal([{ path: '/name', message: 'is taken', code: 'name_taken' }]);
    expect((await create('Gold', { serviceNumberId: 'sn-2' })).status).to.equal(201);
    expect((await backend.call('DELETE', `/tags/${tagId}`)).status).to.equal(204);
    expect((await backend.call('DELETE', `/tags/${tagId}`)).status).to.equal(204);
    expect((await create('gold')).status).to.equal(201);
    expect((await assign(tagId, [contactId(1)])).body.code).to.equal('invalid_state');
    expect((await assign(tagId, [contactId(1)], 'DELETE')).body.code).to.equal('invalid_state');
    expect((await backend.call('PATCH', `/tags/${tagId}`, { body: { name: 'x' } })).body.code).to.equal(
      'invalid_state',
    );
    const shown = (await backend.call('GET', '/tags?limit=200')).body.items;
    expect(shown.some((tag: { tagId: string }) => tag.tagId === tagId)).to.equal(false);
    const archived = (await backend.call('GET', '/tags?status=archived')).body.items;
    expect(archived.map((tag: { tagId: string }) => tag.tagId)).to.deep.equal([tagId]);
  });

  it('shows a tag as expired once its time has passed, and revives it with a later one', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    expect((await create('Temp', { kind: 'temporary' })).status).to.equal(400);
    const { tagId } = (await create('Temp', { kind: 'temporary', expiresAt })).body;
    expect((await get(tagId)).status).to.equal('active');
    backend.setNow(new Date(Date.now() + 120_000));
    try {
      expect((await get(tagId)).status).to.equal('expired');
      const listed = await backend.call('GET', '/tags?status=expired');
      expect(listed.body.items.map((tag: { tagId: string }) => tag.tagId)).to.include(tagId);
      const later = new Date(Date.now() + 600_000).toISOString();
      const revived = await backend.call('PATCH', `/tags/${tagId}`, {
        token: await backend.token('a'),
        body: { expiresAt: later },
      });
      expect(revived.body).to.include({ status: 'active', expiresAt: later });
      const without = await backend.call('PATCH', `/tags/${tagId}`, {
        token: await backend.token('a'),
        body: { expiresAt: null },
      });
      expect(without.status).to.equal(422);
    } finally {
      backend.setNow(null);
    }
  });

  it('returns the unchanged tag for an empty PATCH', async () => {
    const tag = (await create('Same')).body;
    const response = await backend.call('PATCH', `/tags/${tag.tagId}`, { body: {} });
    expect([response.status, response.body]).to.deep.equal([200, tag]);
  });

  it('lists assignments newest first and a contact’s tags, each with its origin', async () => {
    const { tagId } = (await create('Origin')).body;
    await assign(tagId, [contactId(7)]);
    await assign(tagId, [contactId(8)]);
    await backend
      .db('tag_assignment')
      .where({ tag_id: tagId, contact_id: contactId(8) })
      .update({
        assigned_by: null,
        source_rule_id: 'r',
        source_rule_version: 2,
        source_campaign_id: 'k',
        source_task_id: 't',
        source_action_index: 0,
        source_biz_event_code: 'B',
        source_event_id: 'e',
      });
    const first = await backend.call('GET', `/tags/${tagId}/assignments?limit=1`);
    expect(first.body.items).to.have.length(1);
    const { displayName } = (await backend.call('GET', `/contacts/sn-1/${contactId(8)}`)).body;
    expect(first.body.items[0]).to.include({ contactId: contactId(8), displayName });
    const { nextCursor } = first.body;
    const second = await backend.call('GET', `/tags/${tagId}/assignments?limit=1&cursor=${nextCursor}`);
    expect([...first.body.items, ...second.body.items].map((item) => item.contactId)).to.have.members([
      contactId(7),
      contactId(8),
    ]);
    expect(second.body.nextCursor).to.equal(null);
    const tags = await backend.call('GET', `/contacts/sn-1/${contactId(8)}/tags`);
    const found = tags.body.items.find((tag: { tagId: string }) => tag.tagId === tagId);
    expect(found).to.deep.include({ name: 'Origin', kind: 'permanent', color: null, expiresAt: null });
    expect(found.origin).to.deep.equal({
      ruleId: 'r',
      ruleVersion: 2,
      ruleName: null,
      campaignId: 'k',
      campaignName: null,
      taskId: 't',
      actionIndex: 0,
      buttonLabel: null,
      bizEventCode: 'B',
      eventId: 'e',
      eventType: null,
      occurredAt: null,
      assignedBy: null,
      assignedByName: null,
    });
    const byHand = [...first.body.items, ...second.body.items].find((item) => item.contactId === contactId(7));
    expect(byHand.origin).to.include({ assignedBy: 'user-of-a', assignedByName: 'Ada' });
  });

  it('pages by name without losing or duplicating a tag', async () => {
    for (const name of ['ä', 'Z', 'a', 'B', 'z1']) await create(`page ${name}`);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await backend.call('GET', `/tags?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.body.items.map((tag: { tagId: string }) => tag.tagId));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    const all = await backend.db('tag').where({ tenant_id: 'a' }).whereNot({ status: 'archived' }).select('tag_id');
    expect(seen.toSorted()).to.deep.equal(all.map(({ tagId }) => tagId).toSorted());
  });

  it('responds 404 to another tenant, and writes an audit row for each change', async () => {
    const { tagId } = (await create('Private')).body;
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/assignments', { contactIds: ['x'] }],
      ['DELETE', '/assignments', { contactIds: ['x'] }],
      ['GET', '/assignments'],
    ] as const) {
      const response = await backend.call(method, `/tags/${tagId}${path}`, { token: backend.foreign, body });
      expect(response.status, `${method} ${path}`).to.equal(404);
    }
    await assign(tagId, [contactId(1)]);
    await assign(tagId, [contactId(1)], 'DELETE');
    await backend.call('PATCH', `/tags/${tagId}`, { body: { color: '#00ff00' } });
    await backend.call('DELETE', `/tags/${tagId}`);
    const audit = await backend.db('audit_log').where({ object_id: tagId }).orderBy('audit_id');
    expect(audit.map(({ action }) => action)).to.deep.equal([
      'tag.create',
      'tag.assign',
      'tag.unassign',
      'tag.update',
      'tag.archive',
    ]);
  });
});
