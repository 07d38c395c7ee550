import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { AudienceContact } from '#domain/api/audiences.ts';
import type { FieldError } from '#domain/api/problem.ts';
import { contactId } from '#test/support/services/backend.ts';
import type { TwoTenants } from '#test/support/services/two-tenants.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('audiences', () => {
  const backend = useTwoTenants({ contacts: 5 });

  const post = (body: object) =>
    backend.call('POST', '/audiences', { body: { serviceNumberId: 'sn-1', name: 'L', ...body } });
  const list = async (contactIds?: string[]): Promise<string> =>
    (await post({ type: 'contacts', contactIds })).body.audienceId;
  const put = (id: string, raw: string | Buffer | ReadableStream<Uint8Array>, contentType = 'text/csv') =>
    backend.call('PUT', `/audiences/${id}/contacts`, { raw, contentType });
  const members = async (id: string) =>
    (await backend.db('audience_member').where({ audience_id: id }).orderBy('contact_id')).map(
      ({ contactId }) => contactId,
    );
  const preview = (audience: object, more: object = {}) =>
    backend.call('POST', '/audiences:preview', { body: { serviceNumberId: 'sn-1', audience, ...more } });

  it('previews a list: duplicate ids count once, only the first reason is reported', async () => {
    await backend
      .db('contact_profile')
      .where({ tenant_id: 'a', contact_id: contactId(4) })
      .update({ unsubscribed: true, follow_state: 'unfollowed' });
    await backend
      .db('contact_profile')
      .where({ tenant_id: 'a', contact_id: contactId(5) })
      .update({ follow_state: 'unfollowed' });
    const contactIds = [1, 1, 2, 4, 5].map(contactId).concat('ghost');
    expect((await preview({ type: 'contacts', contactIds })).body).to.deep.equal({
      hitCount: 5,
      reachableCount: 2,
      excluded: { expiredTags: 0, unsubscribed: 1, unreachable: 2, controlGroup: 0 },
    });
    const audienceId = await list(contactIds);
    expect((await preview({ type: 'contacts', audienceId })).body.reachableCount).to.equal(2);
    expect((await preview({ type: 'contacts', audienceId }, { serviceNumberId: 'sn-2' })).status).to.equal(422);
    expect((await preview({ type: 'contacts', contactIds, audienceId })).status).to.equal(400);
    expect((await preview({ type: 'ai_query', prompt: 'x' })).status).to.equal(422);
  });

  it('lists the contacts of a saved list or tag filter by id, with whether each is reachable', async () => {
    const contactIds = [1, 4, 5].map(contactId).concat('ghost');
    const audienceId = await list(contactIds);
    const contacts = async (query: string, id = audienceId) => {
      const response = await backend.call('GET', `/audiences/${id}/contacts${query}`);
      expect(response.status, JSON.stringify(response.body)).to.equal(200);
      return response.body;
    };
    const reaches = (items: AudienceContact[]) => items.map((item) => [item.contactId, item.reach, item.known]);
    const all = [
      [contactId(1), 'reachable', true],
      [contactId(4), 'unsubscribed', true],
      [contactId(5), 'unreachable', true],
      ['ghost', 'unreachable', false],
    ];
    const first = await contacts('?limit=2');
    const rest = await contacts(`?limit=2&cursor=${first.nextCursor}`);
    expect([...reaches(first.items), ...reaches(rest.items)]).to.deep.equal(all);
    expect(rest.nextCursor).to.equal(null);
    const unreached = await contacts('?reach=unreachable&limit=1');
    expect(reaches(unreached.items)).to.deep.equal([all[2]]);
    const others = await contacts(`?reach=unreachable&cursor=${unreached.nextCursor}`);
    expect(reaches(others.items)).to.deep.equal([all[3]]);

    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const tag = { name: 'For a while', serviceNumberId: 'sn-1', kind: 'temporary', expiresAt };
    const { tagId } = (await backend.call('POST', '/tags', { body: tag })).body;
    await backend.call('POST', `/tags/${tagId}/assignments`, { body: { contactIds: [contactId(1)] } });
    const filter = (await post({ type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' })).body.audienceId;
    expect(reaches((await contacts('', filter)).items)).to.deep.equal([all[0]]);
    await backend
      .db('tag')
      .where({ tag_id: tagId })
      .update({ expires_at: new Date(Date.now() - 1000) });
    expect(reaches((await contacts('', filter)).items)).to.deep.equal([[contactId(1), 'expiredTags', true]]);
    expect((await backend.call('GET', `/audiences/${filter}/contacts?cursor=broken`)).status).to.equal(400);
    await backend.call('DELETE', `/tags/${tagId}`);
    expect((await backend.call('GET', `/audiences/${filter}/contacts`)).status).to.equal(422);
  });

  it('reads CRLF, a BOM, blank lines and quotes, and counts duplicates', async () => {
    const id = await list(['old']);
    const response = await put(id, '\uFEFFc1\r\n\r\n"c2"\r\n  \r\nc1\r\n"a ""b"""\r\nlast', 'text/csv; charset=utf-8');
    expect([response.status, response.body]).to.deep.equal([
      200,
      { memberCount: 4, duplicates: 1, unknown: 4, skipped: 0 },
    ]);
    expect(await members(id)).to.deep.equal(['a "b"', 'c1', 'c2', 'last'].toSorted());
    const read = await backend.call('GET', `/audiences/${id}`);
    expect(read.body).to.include({ memberCount: 4, type: 'contacts' });
    const empty = await put(id, '');
    expect([empty.status, empty.body.code, empty.body.counts]).to.deep.equal([
      422,
      'invalid_content',
      { valid: 0, invalid: 0 },
    ]);
    expect(await members(id)).to.have.length(4);
  });

  it('takes the column that is asked for or named, leaves the header out, and skips invalid lines only if told to', async () => {
    const id = await list(['old']);
    const read = (raw: string, query = '') =>
      backend.call('PUT', `/audiences/${id}/contacts${query}`, { raw, contentType: 'text/csv' });
    const named = await read(`name,contactId\r\nAnn,${contactId(1)}\r\n"Lee, Bo",ghost\r\n`);
    expect(named.body).to.deep.equal({ memberCount: 2, duplicates: 0, unknown: 1, skipped: 0 });
    expect(await members(id)).to.deep.equal([contactId(1), 'ghost'].toSorted());
    expect((await read('contactId\nc9\n')).body).to.include({ memberCount: 1 });
    expect(await members(id)).to.deep.equal(['c9']);
    await read('c8\nc9\n', '?header=present');
    expect(await members(id)).to.deep.equal(['c9']);
    await read('Ann;c1\nBo;c2', '?separator=semicolon&column=2&header=absent');
    expect(await members(id)).to.deep.equal(['c1', 'c2']);
    const holes = 'Ann;c1\nBo;\nCy\n"Di;c4\nEd;c5';
    const refused = await read(holes, '?separator=semicolon&column=2&header=absent');
    expect(refused.body.errors.map(({ path, code }: FieldError) => [path, code])).to.deep.equal([
      ['/2', 'line_without_column'],
      ['/3', 'line_without_column'],
      ['/4', 'line_not_csv'],
    ]);
    expect(await members(id)).to.deep.equal(['c1', 'c2']);
    const skipped = await read(holes, '?separator=semicolon&column=2&header=absent&invalidLines=skip');
    expect(skipped.body).to.deep.equal({ memberCount: 2, duplicates: 0, unknown: 2, skipped: 3 });
    expect(await members(id)).to.deep.equal(['c1', 'c5']);
  });

  it('puts back the list that a file replaced, and that file’s once more, for 30 days', async () => {
    const id = await list(['old', 'other']);
    const restore = (headers = {}) => backend.call('POST', `/audiences/${id}/contacts:restore`, { headers });
    expect((await restore()).body.code).to.equal('invalid_state');
    await put(id, 'c1\nc2\nc3\n');
    const read = await backend.call('GET', `/audiences/${id}`);
    expect(Date.parse(read.body.restorableUntil) - Date.parse(read.body.updatedAt)).to.equal(30 * 86_400_000);
    expect((await restore({ 'if-match': '"other"' })).status).to.equal(412);
    expect(await members(id)).to.deep.equal(['c1', 'c2', 'c3']);
    const restored = await restore({ 'if-match': read.headers.get('etag') });
    expect([restored.status, restored.body.memberCount]).to.deep.equal([200, 2]);
    expect(restored.headers.get('etag')).to.equal(restored.body.etag).and.to.not.equal(read.body.etag);
    expect(await members(id)).to.deep.equal(['old', 'other']);
    expect((await restore()).body.memberCount).to.equal(3);
    expect(await members(id)).to.deep.equal(['c1', 'c2', 'c3']);
    const actions = await backend.db('audit_log').where({ object_id: id }).orderBy('audit_id').pluck('action');
    expect(actions.slice(-3)).to.deep.equal(['audience.replace', 'audience.restore', 'audience.restore']);

    await backend
      .db('audience')
      .where({ audience_id: id })
      .update({ replaced_at: new Date(Date.now() - 30 * 86_400_000) });
    expect((await restore()).body.code).to.equal('invalid_state');
    expect((await backend.call('DELETE', `/audiences/${id}`)).status).to.equal(204);
    expect(await backend.db('audience_replaced').where({ audience_id: id })).to.deep.equal([]);
  });

  it('rejects the whole upload for one invalid line, reports the lines, and keeps the old list', async () => {
    const id = await list(['old']);
    const bad = Buffer.concat([
      Buffer.from(`ok\na,b\n${'x'.repeat(769)}\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`nul\u0000\n"open\n${'y'.repeat(5000)}\nok2`),
    ]);
    const response = await put(id, bad);
    expect([response.status, response.body.code]).to.deep.equal([422, 'invalid_content']);
    expect(response.body.errors.map(({ path, code }: FieldError) => [path, code])).to.deep.equal([
      ['/2', 'line_not_one_id'],
      ['/3', 'id_wrong_length'],
      ['/4', 'line_not_utf8'],
      ['/5', 'id_with_nul'],
      ['/6', 'line_not_one_id'],
      ['/7', 'line_too_long'],
    ]);
    expect(response.body.errors[0].message).to.contain('line 2');
    expect(response.body.errors[0].params).to.deep.equal({ text: 'a,b' });
    expect(response.body.errors[1].params.text).to.equal('x'.repeat(80));
    expect(response.body.counts).to.deep.equal({ valid: 2, invalid: 6 });
    expect(await members(id)).to.deep.equal(['old']);
    expect((await put(id, '{}', 'application/json')).body.code).to.equal('unsupported_media_type');
    const filter = await backend.call('POST', '/tags', {
      body: { name: 'F', serviceNumberId: 'sn-1', kind: 'permanent' },
    });
    const saved = await post({ type: 'app_tags', appTagIds: [filter.body.tagId], tagOperator: 'OR' });
    expect((await put(saved.body.audienceId, 'c1')).status).to.equal(422);
  });

  it('takes a packed list, and no other coding of anything', async () => {
    const id = await list(['old']);
    const packed = gzipSync('c1\nc2\nc2\n');
    const send = async (raw: Buffer, coding: string, path = `/audiences/${id}/contacts`, method = 'PUT') => {
      const contentType = method === 'PUT' ? 'text/csv' : 'application/json';
      const headers = { 'content-encoding': coding };
      const { status, body, headers: answered } = await backend.call(method, path, { raw, contentType, headers });
      return [status, body?.code ?? body, answered.get('accept-encoding')];
    };
    expect(await send(packed, 'br')).to.deep.equal([415, 'unsupported_media_type', 'gzip, identity']);
    expect(await send(packed, 'gzip, gzip')).to.deep.equal([415, 'unsupported_media_type', 'gzip, identity']);
    for (const broken of [packed.subarray(0, -1), Buffer.concat([packed, packed.subarray(0, 5)]), Buffer.from('c1')])
      expect(await send(broken, 'gzip')).to.deep.equal([400, 'invalid_request', null]);
    const name = Buffer.from('{"name":"New"}');
    const path = `/audiences/${id}`;
    for (const method of ['PATCH', 'DELETE'])
      expect(await send(name, 'gzip', path, method)).to.deep.equal([415, 'unsupported_media_type', 'identity']);
    expect([await members(id), (await backend.call('GET', path)).body.name]).to.deep.equal([['old'], 'L']);
    const taken = { memberCount: 2, duplicates: 1, unknown: 2, skipped: 0 };
    expect(await send(packed, 'GZIP')).to.deep.equal([200, taken, null]);
    expect(await members(id)).to.deep.equal(['c1', 'c2']);
  });

  it('streams in 30,000 ids', async () => {
    const id = await list();
    let n = 0;
    const csv = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (n === 30_000) return controller.close();
        controller.enqueue(Buffer.from(Array.from({ length: 5000 }, () => `id-${n++}\r\n`).join('')));
      },
    });
    expect((await put(id, csv)).body).to.deep.include({ memberCount: 30_000, duplicates: 0 });
    expect((await backend.call('GET', `/audiences/${id}`)).body.memberCount).to.equal(30_000);
  });

  it('creates, changes and deletes saved audiences', async () => {
    const id = await list([contactId(1)]);
    const patch = (body: object) => backend.call('PATCH', `/audiences/${id}`, { body });
    expect((await patch({ name: 'New' })).body).to.include({ name: 'New', memberCount: 1 });
    expect((await patch({ contactIds: [contactId(1), contactId(2), contactId(2)] })).body.memberCount).to.equal(2);
    expect((await patch({ type: 'app_tags' })).status).to.equal(422);
    expect((await patch({ serviceNumberId: 'sn-2' })).status).to.equal(422);
    expect((await patch({ tagOperator: 'OR' })).status).to.equal(422);
    const sent = await draftOf(id);
    expect((await backend.act(sent, 'send')).body.audienceCount).to.equal(2);
    expect((await backend.call('DELETE', `/audiences/${id}`)).status).to.equal(204);
    expect((await backend.call('GET', `/audiences/${id}`)).status).to.equal(404);
  });

  const draftOf = (audienceId: string, more: Parameters<TwoTenants['draft']>[0] = {}) =>
    backend.draft({ audience: { type: 'contacts', audienceId }, ...more });
  const inUse = async (audienceId: string) => {
    const { status, body } = await backend.call('DELETE', `/audiences/${audienceId}`);
    return { status, code: body?.code, paths: body?.errors?.map(({ path }: FieldError) => path) };
  };
  const usedBy = (campaignId: string) => ({ status: 409, code: 'in_use', paths: [`campaign/${campaignId}`] });
  const free = { status: 204, code: undefined, paths: undefined };

  it('keeps an audience whose send is still to read it', async () => {
    const audienceId = await list([contactId(1)]);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await draftOf(audienceId, { schedule: { type: 'scheduled', at, audience: 'at_start' } });
    expect((await backend.act(id, 'send')).status).to.equal(202);
    expect(await inUse(audienceId)).to.deep.equal(usedBy(id));
    // What it contains is up to its start.
    expect((await put(audienceId, contactId(2))).status).to.equal(200);
    await backend.act(id, 'cancel');
    expect(await inUse(audienceId)).to.deep.equal(free);
  });

  it('keeps an audience whose send waits for approval, or is repeated', async () => {
    const audienceId = await list([contactId(1), contactId(2)]);
    const admin = await backend.token('a', 'tenant_admin', 'ada');
    const limit = (sendsNeedApproval: number | null) =>
      backend.call('PATCH', '/tenant-settings', { token: admin, body: { sendsNeedApproval } });
    await limit(1);
    const asked = await draftOf(audienceId);
    const { approval } = (await backend.act(asked, 'send')).body;
    expect(await inUse(audienceId)).to.deep.equal(usedBy(asked));
    expect((await backend.act(asked, 'withdraw', { body: { approvalId: approval.approvalId } })).status).to.equal(200);
    await limit(null);

    const template = await draftOf(audienceId);
    const repeat = { name: 'Daily', campaignId: template, calendar: { type: 'daily', at: '09:00' }, zone: 'UTC' };
    const { body: created } = await backend.call('POST', '/repeats', { body: repeat });
    expect(await inUse(audienceId)).to.deep.equal(usedBy(template));
    await backend.call('POST', `/repeats/${created.repeatId}:end`);
    expect(await inUse(audienceId)).to.deep.equal(free);
  });

  it('lets a draft’s audience go, which then cannot be sent', async () => {
    const audienceId = await list([contactId(1)]);
    const id = await draftOf(audienceId);
    expect(await inUse(audienceId)).to.deep.equal(free);
    const { status, body } = await backend.act(id, 'send');
    expect([status, body.errors.map(({ path }: FieldError) => path)]).to.deep.equal([422, ['/audience/audienceId']]);
  });

  it('rejects invalid filters', async () => {
    const rejectedIn = async (body: object) => {
      const { errors } = (await post(body)).body;
      return errors.map(({ path, code }: FieldError) => `${path} ${code}`);
    };
    expect(await rejectedIn({ type: 'ai_query' })).to.deep.equal(['/type later_phase']);
    expect(await rejectedIn({ type: 'app_tags' })).to.deep.equal(['/appTagIds needed_for_tags']);
    expect(await rejectedIn({ type: 'contacts', tagOperator: 'OR' })).to.deep.equal(['/tagOperator of_tags_only']);
    const byTags = { type: 'app_tags', appTagIds: ['no'], contactIds: ['c1'] };
    expect(await rejectedIn(byTags)).to.deep.equal(['/contactIds of_lists_only']);
    expect(
      (await post({ type: 'app_tags', appTagIds: ['no'], tagOperator: 'OR', excludeTagIds: ['no'] })).body.errors,
    ).to.have.length(2);
    expect((await post({ type: 'contacts', serviceNumberId: 'no' })).status).to.equal(422);
  });

  it('lists newest first, separately for each tenant', async () => {
    const newest = await list([]);
    const page = await backend.call('GET', '/audiences?limit=1');
    expect(page.body.items[0].audienceId).to.equal(newest);
    const next = await backend.call('GET', `/audiences?limit=200&cursor=${page.body.nextCursor}`);
    expect(next.body.items.map((item: { audienceId: string }) => item.audienceId)).not.to.include(newest);
    expect(next.body.items.length + 1).to.equal((await backend.db('audience').where({ tenant_id: 'a' })).length);
    expect((await backend.call('GET', '/audiences', { token: backend.foreign })).body.items).to.deep.equal([]);
    for (const [method, path, more] of [
      ['GET', '', {}],
      ['PATCH', '', { body: { name: 'x' } }],
      ['DELETE', '', {}],
      ['GET', '/contacts', {}],
      ['PUT', '/contacts', { raw: 'x', contentType: 'text/csv' }],
    ] as const) {
      expect(
        (await backend.call(method, `/audiences/${newest}${path}`, { token: backend.foreign, ...more })).status,
      ).to.equal(404);
    }
  });
});
