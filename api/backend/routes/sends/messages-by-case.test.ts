import { expect } from 'chai';
import * as fc from 'fast-check';
import { rows } from '#db/database.ts';
import type { CampaignBody, Results, ResultsByCase } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { MessagesBy } from '#domain/api/messages-by.ts';
import { campaignBody } from '#test/support/services/backend.ts';
import { against, card, sentBy } from '#test/support/outreach/variant-sends.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { HOUR, useVariantTests } from '#test/support/outreach/variant-tests.ts';

const inEnglish = [card('Coffee')];
const inChinese = [card('咖啡')];
const inJapanese = [card('コーヒー')];

/** Three languages: two cases and everybody else. */
const byLanguage = (more: Partial<MessagesBy> = {}): MessagesBy => ({
  field: 'language',
  cases: [
    { values: ['zh-Hant', 'zh-TW'], messages: inChinese },
    { values: ['ja'], messages: inJapanese },
  ],
  otherwise: inEnglish,
  ...more,
});

describe('messages by case', () => {
  const { backend, everyone, pass, post, site, clock } = useVariantTests();
  const languages: Record<number, string | null> = { 0: 'zh-hant', 1: 'JA', 2: 'en', 3: null, 4: 'zh-TW', 5: 'ja-JP' };
  const languageOf = (contact: string) => languages[Number(contact.slice(2)) % 6] ?? null;
  const speaking = (...some: (string | null)[]) => everyone.filter((one) => some.includes(languageOf(one)));

  before(async () => {
    await rows(
      backend.db,
      `update contact_profile p set language = g.language, attributes = jsonb_build_object('plan', n % 2)
       from unnest(:ids::text[], :languages::text[]) with ordinality as g (contact_id, language, n)
       where p.tenant_id = 'a' and p.contact_id = g.contact_id`,
      { ids: everyone, languages: everyone.map(languageOf) },
    );
  });

  type Draft = Partial<Omit<CampaignBody, 'messages'>>;
  const bodyOf = (
    messagesBy: MessagesBy | null,
    { messages, ...more }: Draft & { messages?: Message[] | null } = {},
  ) => {
    const { messages: _, ...rest } = campaignBody(more as Partial<CampaignBody>);
    return {
      ...rest,
      audience: more.audience ?? { type: 'contacts' as const, contactIds: everyone.slice(0, 60) },
      ...(messages === undefined ? {} : { messages }),
      ...(messagesBy && { messagesBy }),
    };
  };
  const draft = async (messagesBy = byLanguage(), more: Draft = {}): Promise<string> =>
    (await post('/campaigns', bodyOf(messagesBy, more))).id;
  const read = async (id: string) => (await site.call('GET', `/campaigns/${id}`)).body;
  const patch = (id: string, body: object) =>
    site.call('PATCH', `/campaigns/${id}`, { body, headers: { 'If-Match': '*' } });
  const refusals = ({ status, body }: { status: number; body: { errors?: { path: string; code?: string }[] } }) => [
    status,
    ...(body.errors ?? []).map(({ path }) => path),
  ];
  async function sent(messagesBy = byLanguage(), more: Draft = {}): Promise<string> {
    const id = await draft(messagesBy, more);
    await post(`/campaigns/${id}:send`);
    await site.submit(id);
    return id;
  }
  /** Whom the platform was given for each card. */
  const received = (): Record<string, string[]> => {
    const calls = site.platform.of('A1').map(sentBy);
    const titles = [...new Set(calls.map(({ title }) => title))];
    const to = (title: string) => calls.flatMap((call) => (call.title === title ? call.contactIds : [])).toSorted();
    return Object.fromEntries(titles.map((title) => [title, to(title)]));
  };
  const among = (ids: string[], chosen: string[]) => ids.filter((one) => chosen.includes(one));

  /** The figures of all cases together are those of the whole. */
  function expectSums(results: Results): ResultsByCase {
    const { byCase, clicks, summary, audienceCount } = results;
    if (byCase === null) throw new Error('no figures by case');
    const sum = (of: (one: ResultsByCase[number]) => number) => byCase.reduce((total, one) => total + of(one), 0);
    expect(sum(({ contacts }) => contacts) + results.preparing.contacts).to.equal(audienceCount);
    for (const name of ['sent', 'delivered', 'failed', 'read'] as const)
      expect(
        sum((one) => one.summary[name]),
        name,
      ).to.equal(summary[name]);
    for (const name of ['total', 'repeats', 'uniqueContacts'] as const)
      expect(
        sum((one) => one.clicks[name]),
        name,
      ).to.equal(clicks[name]);
    for (const whole of clicks.byAction) {
      const parts = byCase.flatMap((one) =>
        one.clicks.byAction.filter(
          ({ messageIndex, actionIndex }) => messageIndex === whole.messageIndex && actionIndex === whole.actionIndex,
        ),
      );
      const total = (of: 'clicks' | 'uniqueContacts') => parts.reduce((all, one) => all + one[of], 0);
      expect([total('clicks'), total('uniqueContacts')]).to.deep.equal([whole.clicks, whole.uniqueContacts]);
    }
    return byCase;
  }

  describe('what is written', () => {
    const create = (body: object) => site.call('POST', '/campaigns', { body });

    it('is messages or messages by case, and never both, beside variants or with a value twice', async () => {
      const messages = [card('Both')];
      expect(refusals(await create(bodyOf(byLanguage(), { messages })))).to.deep.equal([422, '/messagesBy']);
      expect(refusals(await create(bodyOf(byLanguage(), { variants: against([50, 50]) })))).to.deep.equal([
        422,
        '/messagesBy',
      ]);
      expect(refusals(await create(bodyOf(null)))).to.deep.equal([400, '/messages']);
      expect(refusals(await create(bodyOf(null, { messages: null })))).to.deep.equal([400, '/messages']);
      const twice = byLanguage({
        cases: [
          { values: ['zh', 'ja'], messages: inChinese },
          { values: ['JA'], messages: inJapanese },
        ],
      });
      expect(refusals(await create(bodyOf(twice)))).to.deep.equal([422, '/messagesBy/cases/1/values/0']);
      const cases = Array.from({ length: 21 }, (_, n) => ({ values: [`v${n}`], messages: inEnglish }));
      for (const [body, path] of [
        [byLanguage({ cases: [] }), '/messagesBy/cases'],
        [byLanguage({ cases }), '/messagesBy/cases'],
        [byLanguage({ cases: [{ values: [], messages: inEnglish }] }), '/messagesBy/cases/0/values'],
        [byLanguage({ field: 'name' as never }), '/messagesBy/field'],
      ] as const)
        expect(refusals(await create(bodyOf(body)))).to.deep.equal([400, path]);
    });

    it('has a place in each case, also in steps', async () => {
      const wrong: Message[] = [
        { ...inJapanese[0], actions: [{ type: 'Postback', label: 'x', data: 'no' }] } as Message,
      ];
      const messagesBy = byLanguage({ cases: [{ values: ['ja'], messages: wrong }], otherwise: wrong });
      const data = '0/actions/0/data';
      expect(refusals(await create(bodyOf(messagesBy)))).to.deep.equal([
        422,
        `/messagesBy/cases/0/messages/${data}`,
        `/messagesBy/otherwise/${data}`,
      ]);
      const after = { amount: 1, unit: 'hours' };
      const condition = { outcome: 'clicked' };
      const both = [{ after, condition, messages: inEnglish, messagesBy }];
      expect(refusals(await create({ ...bodyOf(byLanguage()), steps: both }))[1]).to.equal('/steps/0/messagesBy');
      const none = [{ after, condition }];
      expect(refusals(await create({ ...bodyOf(byLanguage()), steps: none }))).to.deep.equal([
        400,
        '/steps/0/messages',
      ]);
    });

    it('replaces the other kind, which is null then', async () => {
      const id = await draft();
      expect(await read(id)).to.deep.include({ messages: null, messagesBy: byLanguage(), skippedByCase: null });
      expect((await patch(id, { messages: inEnglish })).body).to.deep.include({
        messages: inEnglish,
        messagesBy: null,
      });
      expect((await patch(id, { messagesBy: byLanguage() })).body).to.deep.include({
        messages: null,
        messagesBy: byLanguage(),
      });
      expect(refusals(await patch(id, { messages: inEnglish, messagesBy: byLanguage() }))).to.deep.equal([
        422,
        '/messagesBy',
      ]);
      expect(
        refusals(await patch(id, { messages: inEnglish, messagesBy: byLanguage({ otherwise: 'skip' }) })),
      ).to.deep.equal([422, '/messagesBy']);
      expect(refusals(await patch(id, { messagesBy: null }))).to.deep.equal([400, '/messages']);
      const shown = await read(id);
      const again = await patch(id, shown);
      expect([again.status, again.body.etag]).to.deep.equal([200, shown.etag]);
      expect((await patch(id, { messages: inEnglish, messagesBy: null })).body.messagesBy).to.equal(null);
    });
  });

  describe('who gets which', () => {
    it('is decided by the whole value without case, in sub-tasks of one case each', async () => {
      const chosen = everyone.slice(0, 60);
      const id = await sent();
      expect(received()).to.deep.equal({
        Coffee: among(chosen, speaking('en', null, 'ja-JP')),
        コーヒー: among(chosen, speaking('JA')),
        咖啡: among(chosen, speaking('zh-hant', 'zh-TW')),
      });
      await site.poll(id);
      await site.click('咖啡', 5);
      await site.click('コーヒー', 3);
      await site.click('コーヒー', 1);
      const byCase = expectSums(await site.results(id));
      expect(byCase.map((one) => [one.case, one.values, one.contacts, one.clicks.uniqueContacts])).to.deep.equal([
        [0, ['zh-Hant', 'zh-TW'], 20, 5],
        [1, ['ja'], 10, 3],
        ['otherwise', [], 30, 0],
      ]);
      expect(byCase[1]?.clicks).to.deep.equal({
        total: 3,
        repeats: 1,
        uniqueContacts: 3,
        byAction: [{ messageIndex: 0, actionIndex: 0, label: 'Order コーヒー', clicks: 3, uniqueContacts: 3 }],
      });
      const clicks = (await site.call('GET', `/campaigns/${id}/clicks`)).body.items as { label: string }[];
      expect([...new Set(clicks.map(({ label }) => label))].toSorted()).to.deep.equal(['Order コーヒー', 'Order 咖啡']);
      const csv = await site.call('GET', `/campaigns/${id}/clicks.csv`);
      expect(String(csv.body)).to.include('Order コーヒー');
      const [first = ''] = among(chosen, speaking('JA'));
      const timeline = (await site.call('GET', `/contacts/sn-1/${first}/timeline`)).body.items as object[];
      expect(JSON.stringify(timeline)).to.include('Order コーヒー');
    });

    it('can be an attribute, and the other reasons stay as they are: refused sub-tasks are retried in their case', async () => {
      site.platform.behave(({ route }) =>
        route === 'A1' ? { status: 422, body: { code: 'invalid_content', message: 'no' } } : null,
      );
      const id = await sent({
        field: { attribute: 'plan' },
        cases: [{ values: ['1'], messages: inChinese }],
        otherwise: inEnglish,
      });
      site.platform.behave(() => null);
      const before = received();
      site.platform.calls.length = 0;
      await post(`/campaigns/${id}:retry-failed`);
      await site.submit(id);
      expect(received()).to.deep.equal(before);
      expect(Object.values(received()).map(({ length }) => length)).to.deep.equal([30, 30]);
      await site.poll(id);
      expect(expectSums(await site.results(id)).map(({ contacts }) => contacts)).to.deep.equal([30, 30]);
    });

    it('is that of the profile when the contact is put into a sub-task', async () => {
      const [mover = ''] = speaking('en');
      const speak = (language: string) =>
        rows(
          backend.db,
          `update contact_profile set language = :language where contact_id = :mover and tenant_id = 'a'`,
          {
            language,
            mover,
          },
        );
      const at = new Date(clock.now.getTime() + HOUR).toISOString();
      const audience = { type: 'contacts' as const, contactIds: [mover] };
      const id = await draft(byLanguage(), { audience, schedule: { type: 'scheduled', at, audience: 'at_start' } });
      await post(`/campaigns/${id}:send`);
      await speak('ja');
      pass(HOUR);
      await site.submit(id);
      await speak('en');
      expect(received()).to.deep.equal({ コーヒー: [mover] });
    });
  });

  describe('otherwise skip', () => {
    const skipping = () => byLanguage({ otherwise: 'skip' });

    it('leaves out whoever is in no case, before the holdout is drawn', async () => {
      const id = await draft(skipping(), { holdoutPercent: 50 });
      const run = await post(`/campaigns/${id}:dry-run`);
      const { audienceCount, controlCount } = run;
      expect(run).to.deep.include({ skippedByCase: 30 });
      expect(audienceCount + controlCount).to.equal(30);
      expect(controlCount).to.be.within(4, 26);
      expect(run.cases.map((one: { case: number }) => one.case)).to.deep.equal([0, 1]);
      expect(
        run.requests.map(({ messages: [first] }: { messages: { title: string }[] }) => first?.title),
      ).to.deep.equal(['咖啡', 'コーヒー']);
      const wrong = await site.call('POST', `/campaigns/${id}:send`, { body: { expectedReachableCount: 30 } });
      expect([wrong.status, wrong.body.code]).to.deep.equal([409, 'audience_changed']);
      expect(await post(`/campaigns/${id}:send`, { expectedReachableCount: 60 })).to.deep.include({
        audienceCount,
        controlCount,
        skippedByCase: 30,
      });
      await site.submit(id);
      const all = Object.values(received()).flat();
      expect(all).to.have.length(audienceCount);
      expect(all.filter((one) => !speaking('zh-hant', 'zh-TW', 'JA').includes(one))).to.deep.equal([]);
      expect(expectSums(await site.results(id)).map((one) => one.case)).to.deep.equal([0, 1]);
    });

    it('is drawn after the sample', async () => {
      const audience = { type: 'contacts' as const, contactIds: everyone.slice(0, 600), take: { atMost: 60 } };
      const id = await draft(skipping(), { audience });
      await post(`/campaigns/${id}:send`, { expectedReachableCount: 600 });
      const { audienceCount, skippedByCase } = await read(id);
      expect(audienceCount + skippedByCase).to.equal(60);
      expect(skippedByCase).to.be.within(10, 50);
    });

    it('is refused where everybody is skipped', async () => {
      const audience = { type: 'contacts' as const, contactIds: speaking('en', null).slice(0, 5) };
      const id = await draft(skipping(), { audience });
      const refused = await site.call('POST', `/campaigns/${id}:send`, { body: {} });
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'audience_empty']);
      const run = await post(`/campaigns/${id}:dry-run`);
      const codes = run.warnings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`);
      expect(codes).to.include.members([
        'case_empty /messagesBy/cases/0/messages',
        'case_empty /messagesBy/cases/1/messages',
        'audience_empty /audience',
      ]);
    });
  });

  describe('a scheduled campaign', () => {
    const scheduled = async (messagesBy: MessagesBy) => {
      const at = new Date(clock.now.getTime() + HOUR).toISOString();
      const id = await sent(messagesBy, { schedule: { type: 'scheduled', at } });
      site.platform.calls.length = 0;
      return id;
    };
    const openEdits = (id: string) =>
      backend.db('campaign_edit').where({ campaign_id: id }).orderBy('edit_id', 'desc').pluck('edit_id');
    const edited = async (id: string, body: object) => {
      const [before] = await openEdits(id);
      const answer = patch(id, body);
      await eventually('the change is stored', async () => (await openEdits(id))[0] !== before);
      await site.poll(id);
      await site.poll(id);
      await site.submit(id);
      return (await answer).status;
    };

    it('is sent with new texts, and divided anew by other cases', async () => {
      const chosen = everyone.slice(0, 60);
      const id = await scheduled(byLanguage());
      const messagesBy = byLanguage({
        cases: [{ values: ['en', 'ja-jp'], messages: [card('Tea')] }],
        otherwise: [card('茶')],
      });
      expect(await edited(id, { messagesBy })).to.be.within(200, 202);
      expect(received()).to.deep.equal({
        Tea: among(chosen, speaking('en', 'ja-JP')),
        茶: among(chosen, speaking('zh-hant', 'zh-TW', 'JA', null)),
      });
      expect(expectSums(await site.results(id)).map(({ contacts }) => contacts)).to.deep.equal([20, 40]);
      site.platform.calls.length = 0;
      expect(await edited(id, { messages: [card('All')] })).to.be.within(200, 202);
      expect(received()).to.deep.equal({ All: chosen });
      expect(await read(id)).to.deep.include({ messagesBy: null });
    });

    it('keeps those that are skipped', async () => {
      const id = await scheduled(byLanguage({ otherwise: 'skip' }));
      expect(refusals(await patch(id, { messagesBy: byLanguage() }))).to.deep.equal([422, '/messagesBy']);
      const [first, second] = byLanguage().cases;
      if (!first || !second) throw new Error('no cases');
      const cases = [first, { ...second, messages: [card('茶')] }];
      expect(await edited(id, { messagesBy: byLanguage({ cases, otherwise: 'skip' }) })).to.be.within(200, 202);
      expect(Object.keys(received()).toSorted()).to.deep.equal(['咖啡', '茶'].toSorted());
      expect(expectSums(await site.results(id)).map(({ contacts }) => contacts)).to.deep.equal([20, 10]);
    });
  });

  it('goes along with copies, templates and steps', async () => {
    const id = await draft();
    const copy = await post(`/campaigns/${id}:duplicate`);
    expect(copy).to.deep.include({ messages: null, messagesBy: byLanguage() });
    const variable = byLanguage({ otherwise: [{ type: 'text', text: 'Hello {{name}}' }] });
    const step = { after: { amount: 1, unit: 'hours' }, condition: { outcome: 'not_clicked' }, messagesBy: variable };
    const content = { campaignName: null, note: null, messagesBy: variable, steps: [step] };
    const template = { name: 'Menu', kind: 'campaign', content, variables: [{ name: 'name' }] };
    const { templateId, content: shown } = await post('/templates', template);
    expect(shown).to.deep.include({ messages: null, messagesBy: variable });
    const used = await post(`/templates/${templateId}:use`, { serviceNumberId: 'sn-1', values: { name: 'Ada' } });
    const filled = { ...variable, otherwise: [{ type: 'text', text: 'Hello Ada' }] };
    expect(used).to.deep.include({ messages: null, messagesBy: filled });
    expect(used.steps[0]).to.deep.include({ messages: null, messagesBy: filled });
    const both = { ...template, name: 'Both', content: { ...content, messages: inEnglish } };
    expect(refusals(await site.call('POST', '/templates', { body: both }))[1]).to.equal('/content/messagesBy');
    const none = { ...template, name: 'None', content: { campaignName: null, note: null } };
    expect(refusals(await site.call('POST', '/templates', { body: none }))).to.deep.equal([400, '/content/messages']);
  });

  it('test sends take the contact’s case, and nobody gets what is skipped', async () => {
    const [ja = '', zh = '', en = ''] = ['JA', 'zh-TW', 'en'].map((language) => speaking(language)[0]);
    const id = await draft();
    backend.flows.tests.length = 0;
    const tested = await post(`/campaigns/${id}:test-send`, { contactIds: [ja, zh, ja, en] });
    const calls = backend.flows.tests.map(({ broadcast }) => [
      (broadcast.messages[0] as { title: string }).title,
      broadcast.audience.contactIds,
    ]);
    expect(Object.fromEntries(calls)).to.deep.equal({ コーヒー: [ja], 咖啡: [zh], Coffee: [en] });
    expect(tested).to.deep.include({ contactCount: 3, taskId: tested.taskIds[0] });
    expect(tested.taskIds).to.have.length(3);
    const skipping = await draft(byLanguage({ otherwise: 'skip' }));
    const refused = await site.call('POST', `/campaigns/${skipping}:test-send`, { body: { contactIds: [ja, en] } });
    expect(refusals(refused)).to.deep.equal([422, '/contactIds/1']);
    expect(backend.flows.tests).to.have.length(3);
  });

  it('figures of cases add up whatever is sent, refused, retried and clicked', async () => {
    const titles = ['咖啡', 'コーヒー', 'Coffee'];
    const drawn = fc.record({
      size: fc.integer({ min: 10, max: 100 }),
      skips: fc.boolean(),
      refused: fc.subarray(titles),
      pressed: fc.array(
        fc.record({ title: fc.constantFrom(...titles), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
        {
          maxLength: 5,
        },
      ),
    });
    const oneSend = async ({
      size,
      skips,
      refused,
      pressed,
    }: typeof drawn extends fc.Arbitrary<infer One> ? One : never) => {
      site.platform.calls.length = 0;
      site.platform.behave(({ route, body }) =>
        route === 'A1' && refused.includes((body['messages'] as { title: string }[])[0]?.title ?? '')
          ? { status: 422, body: { code: 'invalid_content', message: 'no' } }
          : null,
      );
      const audience = { type: 'contacts' as const, contactIds: everyone.slice(0, size) };
      const id = await draft(byLanguage(skips ? { otherwise: 'skip' } : {}), { audience });
      const added = async () => expectSums(await site.results(id));
      await post(`/campaigns/${id}:send`);
      await added();
      await site.submit(id);
      await site.poll(id);
      await added();
      for (const { title, share } of pressed.filter((one) => !refused.includes(one.title)))
        await site.click(title, Math.floor(share * (received()[title] ?? []).length));
      await added();
      site.platform.behave(() => null);
      await site.call('POST', `/campaigns/${id}:retry-failed`, { body: {} });
      await site.submit(id);
      await site.poll(id);
      await added();
    };
    await fc.assert(fc.asyncProperty(drawn, oneSend), { numRuns: 8, seed: 20261128, endOnFailure: true });
  });
});
