import { expect } from 'chai';
import { useBackend } from '#test/support/fixtures/services.ts';

interface Entry {
  auditId: string;
  at: string;
  actor: string;
  action: string;
  objectType: string;
  objectId: string;
}

describe('the audit log and its people', () => {
  const backend = useBackend();
  let ada: string;
  let bob: string;
  let foreign: string;
  before(async () => {
    await backend.install('a');
    await backend.install('b');
    ada = await backend.token('a', 'tenant_admin', 'ada');
    bob = await backend.token('a', 'marketing_operator', 'bob');
    foreign = await backend.token('b');
  });

  const tag = (name: string) => ({ name, serviceNumberId: 'sn-1', kind: 'permanent' });
  const list = async (query = '', token = ada) => await backend.call('GET', `/audit-log${query}`, { token });

  async function all(query: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(`?limit=3${query}${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.status, JSON.stringify(page.body)).to.equal(200);
      entries.push(...page.body.items);
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    return entries;
  }

  it('shows who did what, before and after, newest first and filtered', async () => {
    const made = await backend.call('POST', '/tags', { token: ada, body: tag('First') });
    const { tagId } = made.body;
    await backend.call('PATCH', `/tags/${tagId}`, { token: bob, body: { name: 'Renamed' } });
    for (const n of [1, 2, 3, 4, 5]) await backend.call('POST', '/tags', { token: bob, body: tag(`More ${n}`) });
    await backend.call('POST', '/tags', { token: foreign, body: tag('Theirs') });

    const stored: { auditId: string; actor: string; objectId: string }[] = await backend
      .db('audit_log')
      .where({ tenant_id: 'a' })
      .orderBy([
        { column: 'at', order: 'desc' },
        { column: 'audit_id', order: 'desc' },
      ]);
    const idsOf = (rows: typeof stored) => rows.map((row) => row.auditId);
    const listed = (entries: Entry[]) => entries.map((entry) => entry.auditId);
    expect(listed(await all(''))).to.deep.equal(idsOf(stored));
    expect(listed(await all('&actor=bob'))).to.deep.equal(idsOf(stored.filter(({ actor }) => actor === 'bob')));
    const [renamed, created] = (await list(`?objectType=tag&objectId=${tagId}`)).body.items;
    expect([renamed.actor, renamed.action]).to.deep.equal(['bob', 'tag.update']);
    expect([renamed.before.name, renamed.after.name]).to.deep.equal(['First', 'Renamed']);
    expect([renamed.objectName, created.objectName]).to.deep.equal(['Renamed', 'Renamed']);
    expect([created.actor, created.action, created.before, created.complete]).to.deep.equal([
      'ada',
      'tag.create',
      null,
      true,
    ]);
    expect((await list(`?objectId=${tagId}`, foreign)).body.items).to.have.length(0);
  });

  it('filters by a period that excludes its end', async () => {
    const at = (hour: number) => `2026-03-01T0${hour}:00:00.000Z`;
    for (const hour of [1, 2, 3])
      await backend.db('audit_log').insert({
        audit_id: `p-${hour}`,
        tenant_id: 'a',
        actor: 'bob',
        action: 'tag.update',
        object_type: 'tag',
        object_id: 'period',
        at: at(hour),
      });
    const ids = async (from: string, to: string) =>
      (await all(`&objectId=period&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)).map(
        ({ auditId }) => auditId,
      );
    expect(await ids(at(1), at(3))).to.deep.equal(['p-2', 'p-1']);
    expect(await ids('2026-03-01T10:00:00+08:00', at(9))).to.deep.equal(['p-3', 'p-2']);
    expect((await list('?from=yesterday')).body.code).to.equal('invalid_request');
  });

  it('shows a long change only in the entry itself', async () => {
    const contactIds = Array.from({ length: 10_000 }, (_, n) => `contact-${n}-${Math.random()}`);
    await backend.db('audit_log').insert({
      audit_id: 'long',
      tenant_id: 'a',
      actor: 'bob',
      action: 'tag.assign',
      object_type: 'tag',
      object_id: 'long-tag',
      after: { contactIds },
    });
    const [listed] = (await list('?objectId=long-tag')).body.items;
    expect([listed.after, listed.complete]).to.deep.equal([null, false]);
    const whole = await backend.call('GET', '/audit-log/long', { token: ada });
    expect(whole.body.after).to.deep.equal({ contactIds });
    expect((await backend.call('GET', '/audit-log/long', { token: foreign })).status).to.equal(404);
  });

  it('rejects an invalid cursor or filter, and callers without a token', async () => {
    for (const query of ['?cursor=x', '?objectType=secret', '?limit=0'])
      expect((await list(query)).body.code, query).to.equal('invalid_request');
    expect((await backend.call('GET', '/audit-log')).status).to.equal(401);
  });

  it('lists the tenant’s people with their highest role', async () => {
    await backend.token('a', 'viewer', 'cleo');
    const first = await backend.call('GET', '/users?limit=2', { token: ada });
    const second = await backend.call('GET', `/users?limit=2&cursor=${first.body.nextCursor}`, { token: ada });
    const people = [...first.body.items, ...second.body.items];
    expect(people.map(({ userId, role }) => [userId, role])).to.deep.equal([
      ['ada', 'tenant_admin'],
      ['bob', 'marketing_operator'],
      ['cleo', 'viewer'],
    ]);
    expect(people[0]).to.include({ platformUserId: 'ada', name: 'Ada' });
    const theirs = await backend.call('GET', '/users', { token: foreign });
    expect(theirs.body.items.map(({ userId }: { userId: string }) => userId)).to.deep.equal(['user-of-b']);
  });
});
