import { expect } from 'chai';
import type { Progress } from '#domain/api/campaign.ts';
import { against, sentBy } from '#test/support/outreach/variant-sends.ts';
import { HOUR, MINUTE, useVariantTests } from '#test/support/outreach/variant-tests.ts';

describe('the test of a campaign’s variants', () => {
  const { added, auditOf, backend, choose, clock, contactsOf, everyone, pass, post, running, send, site } =
    useVariantTests();

  it('sends each variant to its share, and the rest only what is chosen, nobody twice', async () => {
    const id = await running();
    const [first, second] = [contactsOf('A'), contactsOf('B')];
    expect(first.length).to.be.within(330, 470);
    expect(second.length).to.be.within(330, 470);
    await site.submit(id);
    expect(site.platform.of('A1')).to.have.length(2);
    const { status, outcomes } = (await site.call('GET', `/campaigns/${id}/progress`)).body as Progress;
    expect([status, outcomes.notYet]).to.deep.equal(['sending', 2000 - first.length - second.length]);

    await site.click('A', 10);
    await site.click('B', 45);
    pass(HOUR);
    const before = await added(id);
    expect(before).to.deep.include({ state: 'asking', reason: 'by_hand', mayChoose: true, choice: null });
    expect(before.verdict).to.include({ verdict: 'proven', leader: 'B' });
    const chosen = await choose(id, 'A');
    expect(chosen.status, JSON.stringify(chosen.body)).to.equal(200);
    expect(chosen.body.choice).to.deep.equal({
      name: 'A',
      at: clock.now.toISOString(),
      by: 'user-of-a',
      proven: false,
    });
    await site.submit(id);
    await site.poll(id);
    expect(
      site.platform
        .of('A1')
        .map((call) => sentBy(call).title)
        .toSorted(),
    ).to.deep.equal(['A', 'A', 'A', 'B']);
    const all = site.platform.of('A1').flatMap((call) => sentBy(call).contactIds);
    expect(all.toSorted()).to.deep.equal(everyone);
    await site.click('A', 500);
    const after = await added(id);
    expect([after.state, after.mayChoose]).to.deep.equal(['decided', false]);
    expect(after.rest?.clicks.uniqueContacts).to.be.above(0);
    expect((await site.results(id)).clicks.byAction).to.deep.equal([
      { messageIndex: 0, actionIndex: 0, label: 'Order A', clicks: 500, uniqueContacts: 500 },
      { messageIndex: 5, actionIndex: 0, label: 'Order B', clicks: 45, uniqueContacts: 45 },
    ]);
    const [entry] = await auditOf(id);
    expect(entry?.after).to.deep.include({
      variant: 'A',
      proven: false,
      contacts: 2000 - first.length - second.length,
    });
  });

  it('decides by itself once a variant is proven, and only once', async () => {
    const id = await running(against([20, 20], { decide: 'automatic', minimum: 20 }));
    expect(await site.look(id)).to.deep.include({ state: 'running', verdict: 'too_few', chosen: null });
    await site.click('A', 8);
    await site.click('B', 11);
    pass(10 * MINUTE);
    expect(await site.look(id)).to.deep.include({ state: 'running', verdict: 'too_few', leader: 1 });
    await site.click('B', 40);
    pass(10 * MINUTE);
    const looks = await Promise.all([site.look(id), site.look(id)]);
    expect(looks.map(({ state, chosen }) => [state, chosen])).to.deep.equal([
      ['decided', 1],
      ['decided', 1],
    ]);
    expect(await auditOf(id)).to.have.length(1);
    const { choice } = await added(id);
    expect(choice).to.deep.include({ name: 'B', by: 'service:variants', proven: true });
    await site.submit(id);
    expect(new Set([...contactsOf('A'), ...contactsOf('B')]).size).to.equal(2000);
    expect(contactsOf('B').length).to.be.above(1500);
    expect((await choose(id, 'A')).status).to.equal(409);
  });

  it('takes the one that is ahead after its time, and says that nothing was proven', async () => {
    const id = await running(against([20, 20], { decide: 'automatic', afterHours: 2 }));
    await site.click('A', 12);
    await site.click('B', 10);
    pass(HOUR);
    const early = await site.look(id);
    expect([early.state, early.verdict, early.leader]).to.deep.equal(['running', 'undecided', 0]);
    pass(HOUR);
    expect(await site.look(id)).to.deep.include({ state: 'decided', chosen: 0 });
    expect((await site.test(id)).choice).to.deep.include({ name: 'A', proven: false });
  });

  it('asks an operator instead if the campaign says so, whose campaign stands still meanwhile', async () => {
    const id = await running(against([20, 20], { decide: 'automatic', afterHours: 1, otherwise: 'hand' }));
    pass(HOUR);
    expect((await site.look(id)).state).to.equal('asking');
    expect(
      (await backend.db('broadcast_task').where({ campaign_id: id, arm: 5 }).whereNull('variant')).length,
    ).to.be.above(0);
    pass(61 * MINUTE);
    const { items } = (await site.call('GET', `/standing-campaigns?campaignId=${id}`)).body;
    expect(items).to.have.length(1);
    expect(items[0]).to.include({ phase: 'choice', reason: 'choice' });
    await choose(id, 'B');
    expect((await site.call('GET', `/standing-campaigns?campaignId=${id}`)).body.items).to.deep.equal([]);
  });

  it('compares by an event code or a tag, and does not count who is in the rest', async () => {
    const byCode = await running(against([20, 20], { by: { type: 'eventCode', bizEventCode: 'later' } }));
    await site.click('A', 20);
    await site.click('B', 9);
    pass(HOUR);
    expect((await site.test(byCode)).variants.map(({ compared }) => compared.converted)).to.deep.equal([0, 9]);

    site.platform.calls.length = 0;
    const { tagId } = await post('/tags', { name: 'Bought', serviceNumberId: 'sn-1', kind: 'permanent' });
    const byTag = await running(against([20, 20], { by: { type: 'tag', tagId } }));
    const rest = everyone.filter((one) => !contactsOf('A').includes(one) && !contactsOf('B').includes(one));
    const tagged = [...contactsOf('A').slice(0, 3), ...contactsOf('B').slice(0, 7), ...rest.slice(0, 50)];
    await backend.db.batchInsert(
      'tag_assignment',
      tagged.map((contact) => ({
        tenant_id: 'a',
        tag_id: tagId,
        contact_id: contact,
        assigned_at: new Date(clock.now.getTime() + 1000),
      })),
    );
    pass(HOUR);
    expect((await site.test(byTag)).variants.map(({ compared }) => compared.converted)).to.deep.equal([3, 7]);
  });

  it('gives each variant the same time: what came in before the other one was sent is not ahead', async () => {
    const id = await send();
    // The other variant comes hours later.
    await backend
      .db('broadcast_task')
      .where({ campaign_id: id, arm: 1 })
      .update({ next_attempt_at: new Date(clock.now.getTime() + 3 * HOUR) });
    await site.submit(id);
    await site.poll(id);
    expect((await site.test(id)).state).to.equal('waiting');
    const sentAt = clock.now;
    pass(HOUR);
    await site.click('A', 40, sentAt);
    pass(2 * HOUR);
    expect((await site.look(id)).state).to.equal('waiting');
    await site.submit(id);
    await site.poll(id);
    await site.click('B', 5);
    pass(10_000);
    const { compared } = (await site.test(id)).variants[0] ?? {};
    expect(compared?.converted).to.be.within(5, 12);
  });
});
