import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import type { ApiResponse } from '#test/support/services/backend.ts';

describe('templates', () => {
  const backend = useTwoTenants({ contacts: 1 });

  const card = {
    type: 'buttons',
    title: '{{season}} menu',
    text: 'Until {{until}}',
    actions: [{ type: 'Url', label: 'See it', url: 'https://shop.example/menu?code={{code}}#top' }],
  };
  const content = { campaignName: '{{season}} campaign', note: null, messages: [card] };
  const variables = [{ name: 'season', label: 'Season' }, { name: 'until', default: 'Sunday' }, { name: 'code' }];
  let n = 0;
  const body = (more: object = {}) => ({ name: `Template ${(n += 1)}`, kind: 'campaign', content, variables, ...more });
  const call = (method: string, path: string, sent?: object): Promise<ApiResponse> =>
    backend.call(method, path, sent ? { body: sent } : {});
  const created = async (more: object = {}) => {
    const response = await call('POST', '/templates', body(more));
    expect(response.status, JSON.stringify(response.body)).to.equal(201);
    return response.body;
  };
  const use = (templateId: string, values: object, more: object = {}) =>
    call('POST', `/templates/${templateId}:use`, { serviceNumberId: 'sn-1', values, ...more });
  const problems = ({ body: { errors } }: ApiResponse) =>
    errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);

  it('make a draft with a value for each variable, which says which version it is from', async () => {
    const { templateId } = await created();
    const { status, body: campaign } = await use(templateId, { season: 'Spring & tea', code: 'A/B' });
    expect(status, JSON.stringify(campaign)).to.equal(201);
    expect(campaign).to.deep.include({ status: 'draft', name: 'Spring & tea campaign' });
    expect(campaign.template).to.deep.equal({ templateId, version: 1 });
    const [message] = campaign.messages;
    expect(message).to.include({ title: 'Spring & tea menu', text: 'Until Sunday' });
    expect(message.actions[0].url).to.equal('https://shop.example/menu?code=A%2FB#top');
    const read = await call('GET', `/campaigns/${campaign.id}`);
    expect(read.body.template).to.deep.equal({ templateId, version: 1 });
  });

  it('add UTM parameters to links, with the campaign, its variables and what a link has already', async () => {
    const links = [
      { type: 'Url', label: 'A', url: 'https://shop.example/{{season}}?a=1#top' },
      { type: 'Url', label: 'B', url: 'https://shop.example/?utm_source=own' },
    ];
    const utm = { source: 'harbor', medium: '{{season}}', campaign: '{campaign}', content: 'b{button}' };
    const { templateId } = await created({
      content: { ...content, messages: [{ ...card, actions: links }], utm },
      variables: [...variables, { name: 'unused', default: 'x' }],
    });
    const { body: campaign } = await use(templateId, { season: 'Late spring', code: 'x' }, { name: 'A & B' });
    expect(campaign.messages[0].actions.map(({ url }: { url: string }) => url)).to.deep.equal([
      'https://shop.example/Late%20spring?a=1&utm_source=harbor&utm_medium=Late%20spring&utm_campaign=A%20%26%20B&utm_content=b1#top',
      'https://shop.example/?utm_source=own&utm_medium=Late%20spring&utm_campaign=A%20%26%20B&utm_content=b2',
    ]);
    const undeclared = await call(
      'POST',
      '/templates',
      body({ content: { ...content, utm: { source: '{{where}}' } } }),
    );
    expect(problems(undeclared)).to.deep.equal(['/variables variable_undeclared']);
  });

  it('keep the test of a whole campaign and what follows it, filled and with parameters in their links, too', async () => {
    const other = { name: 'B', sharePercent: 20, messages: [{ ...card, title: '{{season}} drinks' }] };
    const winner = { by: { type: 'clicks' }, decide: 'hand', afterHours: 24, otherwise: 'hand', minimum: 0 };
    const variants = { name: 'A', sharePercent: 20, others: [other], winner };
    const step = {
      after: { amount: 2, unit: 'hours' },
      condition: { outcome: 'not_clicked' },
      messages: [{ ...card, title: 'Still {{season}}' }],
    };
    const whole = { ...content, variants, steps: [step], utm: { source: 'harbor' } };
    const { templateId, content: kept } = await created({ content: whole });
    const none = { messagesBy: null };
    expect(kept).to.deep.equal({ ...whole, ...none, steps: [{ ...step, ...none }] });
    const { body: campaign } = await use(templateId, { season: 'Spring', code: 'x' });
    expect(campaign.variants).to.deep.include({ name: 'A', sharePercent: 20, winner });
    const link = 'https://shop.example/menu?code=x&utm_source=harbor#top';
    const read = ({ messages: [message] }: typeof step) => [message?.title, message?.actions[0]?.url];
    expect([campaign, campaign.variants.others[0], campaign.steps[0]].map(read)).to.deep.equal([
      ['Spring menu', link],
      ['Spring drinks', link],
      ['Still Spring', link],
    ]);
    expect(campaign.steps[0]).to.deep.include({ after: step.after, condition: step.condition });
    const hidden = { ...content, steps: [{ ...step, messages: [{ type: 'text', text: '{{undeclared}}' }] }] };
    expect(problems(await call('POST', '/templates', body({ content: hidden })))).to.deep.equal([
      '/variables variable_undeclared',
    ]);
    const one = { ...content, variants };
    expect(problems(await call('POST', '/templates', body({ kind: 'card', content: one })))).to.deep.equal([
      '/content/messages one_card',
    ]);
  });

  it('a change is a version of its own: earlier ones stay, campaigns too, and one is restored as the newest', async () => {
    const { templateId } = await created();
    const values = { season: 'Spring', code: 'x' };
    const first = (await use(templateId, values)).body;
    const second = { ...content, messages: [{ type: 'text', text: 'Now {{season}}' }] };
    const change = { content: second, variables: [{ name: 'season' }], basedOn: 1 };
    const changed = await call('PATCH', `/templates/${templateId}`, change);
    expect(changed.body).to.include({ version: 2 });
    expect((await call('PATCH', `/templates/${templateId}`, change)).body.code).to.equal('conflict');
    expect((await use(templateId, { season: 'Autumn' })).body.messages).to.deep.equal([
      { type: 'text', text: 'Now Autumn' },
    ]);
    expect((await call('GET', `/campaigns/${first.id}`)).body.messages[0].title).to.equal('Spring menu');
    const renamed = await call('PATCH', `/templates/${templateId}`, { name: 'Another name', basedOn: 2 });
    expect(renamed.body).to.include({ version: 2, name: 'Another name' });

    const restored = await call('POST', `/templates/${templateId}:restore`, { version: 1, basedOn: 2 });
    expect(restored.body).to.deep.include({ version: 3, content: { ...content, messagesBy: null }, variables });
    const { items } = (await call('GET', `/templates/${templateId}/versions`)).body;
    expect(
      items.map((one: { version: number; restoredFrom: number | null }) => [one.version, one.restoredFrom]),
    ).to.deep.equal([
      [3, 1],
      [2, null],
      [1, null],
    ]);
    expect(items[1].content).to.deep.equal({ ...second, messagesBy: null });
    expect((await use(templateId, values)).body.template).to.deep.equal({ templateId, version: 3 });
    expect((await call('POST', `/templates/${templateId}:restore`, { version: 9, basedOn: 3 })).status).to.equal(404);
  });

  it('refuse variables that are not declared, values that do not fit and a card that is none, by place', async () => {
    const undeclared = await call('POST', '/templates', body({ variables: [{ name: 'season' }] }));
    expect(undeclared.status).to.equal(422);
    expect(problems(undeclared)).to.deep.equal(['/variables variable_undeclared', '/variables variable_undeclared']);
    const { templateId } = await created();
    const unfit = await use(templateId, { season: 'Spring', other: 'x' });
    expect(problems(unfit)).to.deep.equal(['/values/other variable_unknown', '/values/code variable_missing']);
    const long = await use(templateId, { season: 'x'.repeat(999), code: 'x' });
    expect(problems(long)).to.include('/name filled_too_long');
    const noCard = { ...content, messages: [{ type: 'text', text: 'Hello' }] };
    expect(problems(await call('POST', '/templates', body({ kind: 'card', content: noCard })))).to.deep.equal([
      '/content/messages one_card',
    ]);
    const twice = await call('POST', '/templates', body({ variables: [...variables, { name: 'code' }] }));
    expect(twice.status).to.equal(400);
  });

  it('are snippets, too: one message of any type, listed by kind, with versions as the others have', async () => {
    const note = { type: 'text', text: 'Open from {{opens}}' };
    const words = { campaignName: null, note: null };
    const snippet = { kind: 'message', content: { ...words, messages: [note] }, variables: [{ name: 'opens' }] };
    const { templateId } = await created(snippet);
    const two = { ...words, messages: [note, note] };
    const refused = await call('POST', '/templates', body({ ...snippet, content: two }));
    expect(problems(refused)).to.deep.equal(['/content/messages one_message']);
    const change = { content: { ...words, messages: [{ type: 'image', url: 'https://shop.example/a.png' }] } };
    const changed = await call('PATCH', `/templates/${templateId}`, { ...change, variables: [], basedOn: 1 });
    expect(changed.body).to.include({ version: 2, kind: 'message' });
    const widened = await call('PATCH', `/templates/${templateId}`, { content: two, basedOn: 2 });
    expect(problems(widened)).to.deep.equal(['/content/messages one_message']);
    expect((await call('POST', `/templates/${templateId}:restore`, { version: 1, basedOn: 2 })).body.version).to.equal(
      3,
    );
    const { items } = (await call('GET', '/templates?kind=message')).body;
    expect(items.map((one: { templateId: string }) => one.templateId)).to.deep.equal([templateId]);
    const { body: campaign } = await use(templateId, { opens: '7' });
    expect(campaign.messages).to.deep.equal([{ type: 'text', text: 'Open from 7' }]);
  });

  it('have names of their own in a tenant, and belong to one service number or all', async () => {
    const { name } = await created({ serviceNumberId: 'sn-2', kind: 'card' });
    expect(problems(await call('POST', '/templates', body({ name })))).to.deep.equal(['/name name_taken']);
    const listed = async (query: string) =>
      (await call('GET', `/templates?${query}`)).body.items.map((one: { name: string }) => one.name);
    expect(await listed('serviceNumberId=sn-2')).to.include(name);
    expect(await listed('serviceNumberId=sn-1')).to.not.include(name);
    expect(await listed('kind=campaign')).to.not.include(name);
    expect(await listed(`q=${name.toLowerCase()}`)).to.deep.equal([name]);
    expect(await listed('q=_emplate')).to.deep.equal([]);
    const [, second] = await listed('limit=200');
    const { nextCursor } = (await call('GET', '/templates?limit=1')).body;
    expect((await call('GET', `/templates?limit=1&cursor=${nextCursor}`)).body.items[0].name).to.equal(second);
    const { templateId } = (await call('GET', '/templates?kind=card')).body.items[0];
    const elsewhere = await use(templateId, { season: 'x', code: 'x' });
    expect(problems(elsewhere)).to.deep.equal(['/serviceNumberId unknown_service_number']);
  });

  it('are of one tenant; viewers read and do not write; every change is in the audit log', async () => {
    const { templateId } = await created();
    const foreign = await backend.token('b', 'tenant_admin');
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/versions'],
      ['DELETE', ''],
    ] as const)
      expect((await backend.call(method, `/templates/${templateId}${path}`, { token: foreign })).status).to.equal(404);
    const viewer = await backend.token('a', 'viewer');
    expect((await backend.call('GET', `/templates/${templateId}`, { token: viewer })).status).to.equal(200);
    expect((await backend.call('DELETE', `/templates/${templateId}`, { token: viewer })).status).to.equal(403);
    await call('POST', `/templates/${templateId}:restore`, { version: 1, basedOn: 1 });
    expect((await call('DELETE', `/templates/${templateId}`)).status).to.equal(204);
    const { items } = (await call('GET', `/audit-log?objectType=template&objectId=${templateId}`)).body;
    expect(items.map(({ action }: { action: string }) => action)).to.deep.equal([
      'template.delete',
      'template.restore',
      'template.create',
    ]);
    expect((await use(templateId, {})).status).to.equal(404);
  });
});
