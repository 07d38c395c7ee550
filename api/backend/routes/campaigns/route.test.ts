import { expect } from 'chai';
import type { CampaignBody } from '#domain/api/campaign.ts';
import { campaignBody, contactId, startBackend } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('campaigns', () => {
  const backend = useTwoTenants({ contacts: 20 });

  const create = (more: Partial<CampaignBody> = {}) => backend.call('POST', '/campaigns', { body: campaignBody(more) });
  const patch = (id: string, body: unknown, ifMatch?: string) =>
    backend.call('PATCH', `/campaigns/${id}`, {
      body,
      ...(ifMatch === undefined ? {} : { headers: { 'If-Match': ifMatch } }),
    });
  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

  it('creates a draft with defaults, its ETag and an audit row', async () => {
    const { channels: _, ...body } = campaignBody({ note: 'n', endsAt: later(3600) });
    const response = await backend.call('POST', '/campaigns', { body });
    expect(response.status).to.equal(201);
    expect(response.headers.get('etag'))
      .to.match(/^"\d+"$/)
      .and.equal(response.body.etag);
    expect(response.body).to.include({ status: 'draft', audienceCount: null, note: 'n', createdBy: 'user-of-a' });
    expect(response.body.channels).to.deep.equal(['default']);
    expect(response.body.summary).to.deep.equal({ sent: 0, delivered: 0, failed: 0, read: 0 });
    const read = await backend.call('GET', `/campaigns/${response.body.id}`);
    expect(read.body).to.deep.equal(response.body);
    const audit = await backend.db('audit_log').where({ object_id: response.body.id });
    expect(audit.map((row) => [row.actor, row.action, row.tenantId])).to.deep.equal([
      ['user-of-a', 'campaign.create', 'a'],
    ]);
    expect(audit[0].requestId).to.equal(response.headers.get('x-request-id'));
  });

  it('rejects times that the database cannot store, in every field', async () => {
    for (const instant of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00']) {
      expect((await create({ endsAt: instant })).status).to.equal(400);
      expect((await backend.call('GET', `/campaigns?from=${instant}`)).status).to.equal(400);
    }
  });

  const refusals: [string, Partial<CampaignBody> | Record<string, unknown>, string][] = [
    ['a scheduled time in the past', { schedule: { type: 'scheduled', at: '2020-01-01T00:00:00Z' } }, '/schedule/at'],
    ['an end in the past', { endsAt: '2020-01-01T00:00:00Z' }, '/endsAt'],
    ['ai_query', { audience: { type: 'ai_query' } }, '/audience/type'],
    ['an unknown service number', { serviceNumberId: 'nope' }, '/serviceNumberId'],
    [
      'an unknown tag',
      { audience: { type: 'app_tags', appTagIds: ['no'], tagOperator: 'OR' } },
      '/audience/appTagIds/0',
    ],
    ['an unknown list', { audience: { type: 'contacts', audienceId: 'no' } }, '/audience/audienceId'],
    [
      'Postback data that is not JSON',
      {
        messages: [
          { type: 'text', text: 'x' },
          { type: 'buttons', title: 't', text: 't', actions: [{ type: 'Postback', label: 'l', data: '{' }] },
        ],
      },
      '/messages/1/actions/0/data',
    ],
  ];
  for (const [what, more, path] of refusals) {
    it(`rejects ${what} with 422 at ${path}`, async () => {
      const response = await create(more as Partial<CampaignBody>);
      expect([response.status, response.body.code]).to.deep.equal([422, 'invalid_content']);
      expect(response.body.errors.map((error: { path: string }) => error.path)).to.deep.equal([path]);
    });
  }

  it('rejects an archived tag, and a tag of another service number', async () => {
    const tag = await backend.call('POST', '/tags', {
      body: { name: 'Old', serviceNumberId: 'sn-1', kind: 'permanent' },
    });
    const audience = { type: 'app_tags' as const, appTagIds: [tag.body.tagId], tagOperator: 'AND' as const };
    expect((await create({ audience })).status).to.equal(201);
    expect((await create({ audience, serviceNumberId: 'sn-2' })).status).to.equal(422);
    await backend.call('DELETE', `/tags/${tag.body.tagId}`);
    expect((await create({ audience })).status).to.equal(422);
  });

  it('checks in order: 401, 403, 404, 400, 428, 409, 412, 422', async () => {
    const { id, etag } = (await create()).body;
    const viewer = await backend.token('a', 'viewer', 'v');
    const at = (options: object, target = id) => backend.call('PATCH', `/campaigns/${target}`, options);
    const bad = { body: { name: '' } };
    expect((await at({ ...bad, token: null })).status).to.equal(401);
    expect((await at({ ...bad, token: `${backend.operator}x` })).status).to.equal(401);
    expect((await at({ ...bad, token: viewer })).status).to.equal(403);
    expect((await at({ ...bad, token: backend.foreign })).status).to.equal(404);
    expect((await at(bad, 'no')).status).to.equal(404);
    expect((await at(bad)).status).to.equal(400);
    expect((await at({ body: { endsAt: '2020-01-01T00:00:00Z' } })).status).to.equal(428);
    await backend.act(id, 'send');
    const stale = { 'If-Match': etag };
    const sent = await at({ body: { messages: [{ type: 'text', text: 'Other' }] }, headers: stale });
    expect([sent.status, sent.body.code]).to.deep.equal([409, 'invalid_state']);
    const old = await at({ body: { endsAt: '2020-01-01T00:00:00Z' }, headers: stale });
    expect([old.status, old.body.code]).to.deep.equal([412, 'stale']);
    const fresh = { 'If-Match': (await backend.call('GET', `/campaigns/${id}`)).body.etag };
    expect((await at({ body: { endsAt: '2020-01-01T00:00:00Z' }, headers: fresh })).status).to.equal(422);
  });

  it('returns the author of exactly the version that was read', async () => {
    const { id, etag, editedBy } = (await create()).body;
    expect(editedBy).to.equal('user-of-a');
    const people = await Promise.all(
      ['ada', 'bob', 'cyd'].map(async (name) => [name, await backend.token('a', 'marketing_operator', name)] as const),
    );
    const call = (token: string, method: string, action: string, body: unknown, ifMatch: string) =>
      backend.call(method, `/campaigns/${id}${action}`, { token, body, headers: { 'If-Match': ifMatch } });
    await Promise.all(people.map(([name, token]) => call(token, 'PATCH', '', { name }, etag)));
    const won = (await backend.call('GET', `/campaigns/${id}`)).body;
    expect(people.map(([name]) => name)).to.include(won.name);
    expect(won.editedBy, 'the name belongs to the author of the version').to.equal(won.name);
    const [, other] = people.find(([name]) => name !== won.name) ?? [];
    expect((await call(other ?? '', 'POST', ':send', {}, '*')).status).to.equal(202);
    const sent = await backend.call('GET', `/campaigns/${id}`);
    expect(sent.headers.get('etag'), 'another version').to.not.be.oneOf([etag, won.etag]);
    expect(sent.body.editedBy, 'with the same content').to.equal(won.name);
  });

  it('accepts one of two concurrent edits of the same draft', async () => {
    const { id, etag } = (await create()).body;
    const responses = await Promise.all(['Ada', 'Bob', 'Cyd'].map((name) => patch(id, { name }, etag)));
    expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([200, 412, 412]);
    const winner = responses.find(({ status }) => status === 200);
    const read = await backend.call('GET', `/campaigns/${id}`);
    const now = String(read.headers.get('etag'));
    expect([read.body.name, now]).to.deep.equal([winner?.body.name, winner?.body.etag]);
    for (const wrong of ['2', '', '"2', '"1" "2"', 'w/"2"']) {
      const { status, body } = await patch(id, { name: 'x' }, wrong);
      expect([status, body.code, body.errors?.[0].path], wrong).to.deep.equal([
        400,
        'invalid_request',
        'header/if-match',
      ]);
    }
    expect((await patch(id, { name: 'x' }, `W/${etag}`)).status).to.equal(412);
    const changed = await patch(id, { name: 'x' }, `W/${now}`);
    expect(changed.status, 'as a compressing proxy writes it').to.equal(200);
    expect((await patch(id, { name: 'z' }, `${etag}, ${changed.body.etag}`)).status).to.equal(200);
    expect((await patch(id, { name: 'y' }, '*')).body.name).to.equal('y');
  });

  it('changes everything in a draft but its service number, and only name, note and endsAt of a sent campaign', async () => {
    const { id, etag } = (await create()).body;
    expect((await patch(id, { serviceNumberId: 'sn-2' }, etag)).status).to.equal(422);
    let now = etag;
    const change = async (body: object) => {
      const { status, body: changed } = await patch(id, body, now);
      expect(status).to.equal(200);
      now = changed.etag;
      return changed;
    };
    await change({ serviceNumberId: 'sn-1', schedule: { type: 'scheduled', at: later(60) } });
    await change({ schedule: { type: 'immediate' }, endsAt: later(60) });
    expect((await change({ endsAt: null, note: 'draft' })).endsAt).to.equal(null);
    const { body: whole } = await backend.call('GET', `/campaigns/${id}`);
    expect(await change({ ...whole, note: null })).to.include({ name: whole.name, note: null });
    await backend.act(id, 'send');
    const changed = await patch(id, { name: 'New', note: 'why', endsAt: later(90) }, '*');
    expect(changed.status).to.equal(200);
    expect(changed.body).to.include({ name: 'New', note: 'why', status: 'sending' });
    expect((await patch(id, { channels: ['line'] }, '*')).status).to.equal(409);
  });

  it('sends, tries and rehearses the version that the caller saw, and no other', async () => {
    const { id, etag: seen } = (await create()).body;
    const act = (action: string, tag: string, key?: string) =>
      backend.act(id, action, {
        body: action === 'test-send' ? { contactIds: [contactId(1)], variant: undefined } : {},
        headers: { 'If-Match': tag, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
      });
    const { etag } = (await patch(id, { name: 'Changed' }, seen)).body;
    const [tests, sends] = [backend.flows.tests.length, backend.flows.sends.length];
    for (const action of ['send', 'test-send', 'dry-run']) {
      const { status, body } = await act(action, seen, action === 'send' ? 'one-key' : `stale ${action}`);
      expect([status, body.code], action).to.deep.equal([412, 'stale']);
      expect((await act(action, '2')).body.errors[0].path, action).to.equal('header/if-match');
    }
    for (const table of ['dispatch', 'dry_run', 'test_send'])
      expect(await backend.db(table).where({ campaignId: id }), table).to.deep.equal([]);
    expect([backend.flows.tests.length, backend.flows.sends.length]).to.deep.equal([tests, sends]);

    expect((await act('dry-run', `W/${etag}`)).status).to.equal(200);
    const tried = await act('test-send', etag, 'one-key');
    expect(tried.status).to.equal(200);
    expect((await act('test-send', seen, 'one-key')).body, 'the first answer').to.deep.equal(tried.body);
    expect(backend.flows.tests).to.have.length(tests + 1);
    const sent = await act('send', etag, 'one-key');
    expect(sent.status).to.equal(202);
    expect(sent.headers.get('etag')).to.not.be.oneOf([seen, etag, null]);
    expect((await act('send', etag, 'one-key')).status, 'its repetition').to.equal(202);
    expect((await act('send', seen)).body.code).to.equal('invalid_state');
    expect(await backend.db('dispatch').where({ campaignId: id })).to.have.length(1);
  });

  it('sends one of several at once that saw the same version', async () => {
    const { id, etag } = (await create()).body;
    const at = { headers: { 'If-Match': etag } };
    const all = await Promise.all([
      backend.act(id, 'send', at),
      patch(id, { name: 'Other' }, etag),
      backend.act(id, 'send', at),
    ]);
    expect(all.filter(({ status }) => status < 300)).to.have.length(1);
    const sent = await backend.db('dispatch').where({ campaignId: id });
    expect(sent).to.have.length(all[1]?.status === 200 ? 0 : 1);
  });

  it('deletes drafts only', async () => {
    const draft = (await create()).body.id;
    const remove = (id: string, headers: Record<string, string> = { 'If-Match': '*' }) =>
      backend.call('DELETE', `/campaigns/${id}`, { headers });
    expect((await remove(draft, {})).status).to.equal(428);
    expect((await remove(draft, { 'If-Match': '"9"' })).status).to.equal(412);
    expect((await remove(draft)).status).to.equal(204);
    expect((await remove(draft)).status).to.equal(404);
    const sent = (await create()).body.id;
    await backend.act(sent, 'send');
    expect((await remove(sent)).status).to.equal(409);
  });

  it('duplicates content into a new draft, without times that have passed', async () => {
    const { id } = (await create({ schedule: { type: 'scheduled', at: later(60) }, endsAt: later(90) })).body;
    backend.setNow(new Date(Date.now() + 120_000));
    const copy = await backend.act(id, 'duplicate');
    backend.setNow(null);
    expect(copy.status).to.equal(201);
    expect(copy.body).to.deep.include({ status: 'draft', schedule: { type: 'immediate' }, endsAt: null });
    expect(copy.body.id).not.to.equal(id);
    expect(copy.body.audience).to.deep.equal({ type: 'contacts', contactIds: [contactId(1), contactId(2)] });
  });

  it('lists newest first with a cursor and filters, separately for each tenant', async () => {
    const fresh = await startBackend();
    try {
      await fresh.install('a');
      await fresh.install('b');
      const mine = await fresh.token('a');
      const made: string[] = [];
      for (let n = 0; n < 7; n += 1) {
        const name = n % 2 === 0 ? `Even 50% ${n}` : `Odd ${n}`;
        made.unshift((await fresh.call('POST', '/campaigns', { token: mine, body: campaignBody({ name }) })).body.id);
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await fresh.call('GET', `/campaigns?limit=2${query}`, { token: mine });
        expect(page.status).to.equal(200);
        seen.push(...page.body.items.map((item: { id: string }) => item.id));
        cursor = page.body.nextCursor;
      }
      expect(seen).to.deep.equal(made);
      const found = await fresh.call('GET', '/campaigns?q=50%25&status=draft&serviceNumberId=sn-1', { token: mine });
      expect(found.body.items).to.have.length(4);
      expect((await fresh.call('GET', '/campaigns?q=_', { token: mine })).body.items).to.have.length(0);
      const other = await fresh.call('GET', '/campaigns', { token: await fresh.token('b') });
      expect(other.body).to.deep.equal({ items: [], nextCursor: null });
      for (const broken of ['x', 'W10', Buffer.from('["a","b"]').toString('base64url'), 'e30%00']) {
        const response = await fresh.call('GET', `/campaigns?cursor=${broken}`, { token: mine });
        expect([response.status, response.body.code], broken).to.deep.equal([400, 'invalid_request']);
      }
    } finally {
      await fresh.close();
    }
  });

  it('responds 404 for another tenant’s campaign on every operation', async () => {
    const { id } = (await create()).body;
    const operations: [string, string][] = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ...[':send', ':pause', ':resume', ':cancel', ':duplicate', '/tasks/k:resolve'].map((end): [string, string] => [
        'POST',
        end,
      ]),
      ...['/progress', '/results', '/tasks', '/clicks', '/stream'].map((end): [string, string] => ['GET', end]),
    ];
    for (const [method, end] of operations) {
      const response = await backend.call(method, `/campaigns/${id}${end}`, {
        token: backend.foreign,
        headers: { 'If-Match': '*' },
      });
      expect([response.status, response.body.code], `${method} ${end}`).to.deep.equal([404, 'not_found']);
    }
  });
});
