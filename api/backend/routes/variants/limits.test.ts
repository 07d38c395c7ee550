import { expect } from 'chai';
import { rejectPending } from '#commands/outreach/sends/ledger/evidence.ts';
import { against, card, sentBy } from '#test/support/outreach/variant-sends.ts';
import { HOUR, MINUTE, useVariantTests } from '#test/support/outreach/variant-tests.ts';

describe('what a test of variants goes through', () => {
  const { added, auditOf, backend, choose, clock, contactsOf, draft, pass, post, running, send, site } =
    useVariantTests();

  const swept = async (id: string) => {
    const launcher = site.deps.launcher as typeof site.deps.launcher & { asked: string[] };
    launcher.asked.length = 0;
    await site.run(() => site.activities.sweepOutreachRows());
    return launcher.asked.filter((one) => one.includes(id));
  };

  it('is paused with its campaign, and ends with it', async () => {
    const id = await running(against([20, 20], { decide: 'automatic', afterHours: 1 }));
    await post(`/campaigns/${id}:pause`);
    await site.click('B', 60);
    pass(2 * HOUR);
    expect(await site.look(id)).to.deep.include({ state: 'paused', chosen: null });
    await site.submit(id);
    expect(site.platform.of('A1')).to.have.length(2);
    await post(`/campaigns/${id}:resume`);
    expect(backend.flows.tested.filter((one) => one === id).length).to.be.above(1);
    await post(`/campaigns/${id}:cancel`);
    const last = await site.look(id);
    expect([last.state, last.nextLookAt]).to.deep.equal(['ended', null]);
    expect(await site.test(id)).to.include({ state: 'ended', reason: 'cancelled' });
    expect((await choose(id, 'B')).status).to.equal(409);
    await site.submit(id);
    expect(site.platform.of('A1')).to.have.length(2);
    expect((await added(id)).state).to.equal('ended');
  });

  it('is looked at once an hour before its campaign starts and while that is paused, then ever less often until it runs', async () => {
    const at = (ms: number) => new Date(clock.now.getTime() + ms).toISOString();
    const startsIn = (ms: number) => ({ type: 'scheduled' as const, at: at(ms), audience: 'at_start' as const });
    const id = await send(against([20, 20]), { schedule: startsIn(48 * HOUR) });
    expect(await site.look(id)).to.deep.include({ state: 'waiting', nextLookAt: at(HOUR) });
    const looked = () => backend.flows.tested.filter((one) => one === id).length;
    const before = looked();
    const moved = await site.call('PATCH', `/campaigns/${id}`, {
      body: { schedule: startsIn(10 * MINUTE) },
      headers: { 'If-Match': '*' },
    });
    expect(moved.status, JSON.stringify(moved.body)).to.equal(200);
    expect(looked(), 'whoever moves it has it looked at').to.equal(before + 1);
    expect((await site.look(id)).nextLookAt).to.equal(at(10 * MINUTE));
    pass(10 * MINUTE);
    expect((await site.look(id)).nextLookAt).to.equal(at(30_000));
    pass(2 * HOUR);
    expect((await site.look(id)).nextLookAt).to.equal(at(6 * MINUTE));
    await post(`/campaigns/${id}:pause`);
    expect(await site.look(id)).to.deep.include({ state: 'paused', nextLookAt: at(HOUR) });
  });

  it('is found by the sweep when nobody looks any more, until it has ended', async () => {
    const id = await running(against([20, 20], { decide: 'automatic' }));
    await site.look(id);
    expect(await swept(id)).to.not.include(`variants:${id}`);
    pass(5 * MINUTE);
    expect(await swept(id)).to.include(`variants:${id}`);
    expect(await swept(id)).to.not.include(`dispatch:${id}:1`);
    await choose(id, 'B');
    pass(5 * MINUTE);
    const after = await swept(id);
    expect(after).to.include(`dispatch:${id}:1`);
    expect(after).to.not.include(`variants:${id}`);
  });

  it('is not looked at again once its campaign is cancelled, though it was due', async () => {
    const id = await running();
    await site.look(id);
    pass(5 * MINUTE);
    expect(await swept(id)).to.include(`variants:${id}`);
    // As an uninstallation leaves it, which ends what would have looked.
    await backend.db('campaign').where({ campaign_id: id }).update({ status: 'cancelled', cancel_requested: true });
    expect(await swept(id)).to.not.include(`variants:${id}`);
  });

  it('goes on after everything was refused and is sent again', async () => {
    const id = await send(against([20, 20], { decide: 'automatic', afterHours: 1 }));
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: id }).first();
    const refusal = { now: clock.now, code: 'invalid_source', message: 'no' };
    await rejectPending(backend.db, { tenantId: 'a', campaignId: id, dispatchId, ...refusal });
    expect((await site.look(id)).nextLookAt).to.equal(null);
    expect(await site.test(id)).to.include({ state: 'asking', reason: 'arms_refused', mayChoose: false });
    await post(`/campaigns/${id}:retry-failed`);
    expect(await swept(id)).to.include(`variants:${id}`);
    expect((await site.test(id)).state).to.equal('waiting');
    await site.submit(id);
    await site.poll(id);
    pass(MINUTE);
    await site.look(id);
    expect((await site.test(id)).state).to.equal('running');
    pass(HOUR);
    await site.look(id);
    expect(await added(id)).to.include({ state: 'decided', reason: 'best' });
    await site.submit(id);
    const all = site.platform.of('A1').flatMap((call) => sentBy(call).contactIds);
    expect([all.length, new Set(all).size]).to.deep.equal([2000, 2000]);
  });

  it('asks at once where the platform refuses a variant, which cannot be chosen until it is sent', async () => {
    const id = await send(against([20, 20], { decide: 'automatic', afterHours: 1 }));
    let refuses = true;
    site.platform.behave((call) =>
      call.route === 'A1' && refuses && sentBy(call).title === 'A'
        ? { status: 422, body: { code: 'invalid_content', message: 'no' } }
        : null,
    );
    await site.submit(id);
    await site.poll(id);
    expect(await site.test(id)).to.include({ state: 'asking', reason: 'arms_refused', decidesAt: null });
    pass(2 * HOUR);
    expect(await site.look(id)).to.include({ state: 'asking', chosen: null });
    const refused = await choose(id, 'A');
    expect([refused.status, refused.body.errors[0].path]).to.deep.equal([422, '/name']);
    refuses = false;
    await post(`/campaigns/${id}:retry-failed`);
    await site.submit(id);
    await site.poll(id);
    pass(MINUTE);
    expect((await site.test(id)).state).to.equal('running');
    expect((await choose(id, 'A')).status).to.equal(200);
    expect(await added(id)).to.include({ state: 'decided', reason: 'chosen' });
  });

  it('is kept back at the deadline of the pace while the rest waits', async () => {
    const deadline = new Date(clock.now.getTime() + 2 * HOUR).toISOString();
    const id = await send(against([20, 20]), { pace: { deadline } });
    await site.submit(id);
    await site.poll(id);
    expect((await site.call('GET', `/campaigns/${id}`)).body.status).to.equal('sending');
    await swept(id);
    pass(2 * HOUR);
    await swept(id);
    expect((await site.call('GET', `/campaigns/${id}`)).body).to.include({ status: 'paused', pauseReason: 'deadline' });
    await post(`/campaigns/${id}:resume`);
    await swept(id);
    expect((await site.call('GET', `/campaigns/${id}`)).body.status, 'once').to.equal('sending');
    await choose(id, 'B');
    await site.submit(id);
    expect(site.platform.of('A1').flatMap((call) => sentBy(call).contactIds)).to.have.length(2000);
  });

  it('keeps the variant of a sub-task that failed, was split or was retried', async () => {
    const id = await send();
    const listOf = async (arm: number): Promise<string[]> => {
      const [task] = await backend.db('broadcast_task').where({ campaign_id: id, arm }).orderBy('chunk');
      const { dispatch_id, chunk } = { dispatch_id: task.dispatchId, chunk: task.chunk };
      return (await backend.db('dispatch_chunk').where({ dispatch_id, chunk }).first()).contactIds;
    };
    const [[unknown = '', ...known], ofB] = [await listOf(0), await listOf(1)];
    let refuses = true;
    site.platform.behave((call) => {
      if (call.route !== 'A1') return null;
      const { title, contactIds } = sentBy(call);
      if (contactIds.includes(unknown)) {
        const body = {
          code: 'contact_not_found',
          message: 'unknown',
          details: { contactIds: [unknown] },
          contactIds: [unknown],
        };
        return { status: 422, body };
      }
      return title === 'B' && refuses ? { status: 422, body: { code: 'invalid_content', message: 'no' } } : null;
    });
    await site.submit(id);
    await site.submit(id);
    const accepted = await backend.db('broadcast_task').where({ campaign_id: id }).whereNotNull('task_id');
    expect(accepted.map(({ arm, variant, contactCount }) => [arm, variant, contactCount])).to.deep.equal([
      [0, 0, known.length],
    ]);
    refuses = false;
    site.platform.calls.length = 0;
    await post(`/campaigns/${id}:retry-failed`);
    await site.submit(id);
    expect(contactsOf('B')).to.deep.equal(ofB);
    const arms = await backend.db('broadcast_task').where({ campaign_id: id }).whereNot('arm', 5);
    expect(arms.length).to.be.above(3);
    expect(arms.map(({ variant }) => variant)).to.deep.equal(arms.map(({ arm }) => arm));
    await added(id);
  });

  it('is decided by operators of the tenant alone, for a variant that there is, while somebody waits', async () => {
    const id = await running();
    const as = (token: string) => site.call('POST', `/campaigns/${id}/variants:choose`, { token, body: { name: 'A' } });
    expect((await as(await backend.token('b'))).status).to.equal(404);
    expect((await as(await backend.token('a', 'viewer'))).status).to.equal(403);
    const wrong = await choose(id, 'C');
    expect([wrong.status, wrong.body.errors[0].path]).to.deep.equal([422, '/name']);
    const unsent = await draft({ variants: against([10, 10]) });
    expect((await choose(unsent, 'A')).status).to.equal(409);
    const plain = await draft();
    expect((await choose(plain, 'A')).status).to.equal(422);
    expect((await site.call('GET', `/campaigns/${plain}/variants`)).status).to.equal(404);
    expect((await site.test(unsent)).state).to.equal('waiting');
    const answers = await Promise.all([choose(id, 'A'), choose(id, 'B'), choose(id, 'B')]);
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409]);
    expect(await auditOf(id)).to.have.length(1);
  });

  it('is written into drafts alone, with shares and names that make sense', async () => {
    const id = await draft();
    const change = (variants: unknown) =>
      site.call('PATCH', `/campaigns/${id}`, { body: { variants }, headers: { 'If-Match': '*' } });
    const good = against([50, 50]);
    const [other] = good.others;
    expect((await change(good)).body.variants).to.deep.equal(good);
    const pathsOf = async (variants: unknown) => {
      const { status, body } = await change(variants);
      return [status, ...body.errors.map((error: { path: string }) => error.path)];
    };
    expect(await pathsOf(against([50, 51]))).to.deep.equal([400, '/variants']);
    expect(await pathsOf({ ...good, name: 'B' })).to.deep.equal([400, '/variants']);
    expect(await pathsOf({ ...good, others: [] })).to.deep.equal([400, '/variants/others']);
    expect(await pathsOf(against([50, 50], { by: { type: 'tag', tagId: 'none' } }))).to.deep.equal([
      422,
      '/variants/winner/by/tagId',
    ]);
    const broken = { ...card('B'), actions: [{ type: 'Postback', label: 'B', data: 'no json' }] };
    expect(await pathsOf({ ...good, others: [{ ...other, messages: [broken] }] })).to.deep.equal([
      422,
      '/variants/others/0/messages/0/actions/0/data',
    ]);
    expect((await change(null)).body.variants).to.equal(null);
    const sent = await send();
    const late = await site.call('PATCH', `/campaigns/${sent}`, {
      body: { variants: null },
      headers: { 'If-Match': '*' },
    });
    expect([late.status, late.body.errors[0].path]).to.deep.equal([409, '/variants']);
  });
});
