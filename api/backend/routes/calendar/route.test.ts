import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { campaignBody } from '#test/support/services/backend.ts';

describe('the calendar', () => {
  const backend = useTwoTenants({ contacts: 3 });
  const start = new Date('2026-11-26T12:00:00Z');
  let [token, foreign] = ['', ''];
  before(async () => {
    backend.setNow(start);
    [token, foreign] = [await backend.token('a'), await backend.token('b')];
  });
  after(() => backend.setNow(null));

  const post = async (path: string, body: object = {}, caller = token) => {
    const response = await backend.call('POST', path, { body, token: caller });
    expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
    return response.body;
  };
  const create = (more: object, caller = token) => post('/campaigns', { ...campaignBody(), ...more }, caller);
  const scheduled = (at: string) => ({ schedule: { type: 'scheduled', at, audience: 'at_start' } });
  const ask = (query: string, caller = token) => backend.call('GET', `/calendar?${query}`, { token: caller });
  const shown = async (query: string, caller = token) =>
    (await ask(query, caller)).body.items.map(({ name, at }: { name: string; at: string }) => [name, at]);

  it('has what was sent and what is scheduled, by when it begins, and no draft', async () => {
    const later = await create({ name: 'Later', labels: ['vip'], ...scheduled('2026-12-03T09:00:00+08:00') });
    const now = await create({ name: 'Now', endsAt: '2026-12-24T00:00:00Z' });
    await create({ name: 'Draft', ...scheduled('2026-12-01T00:00:00Z') });
    for (const { id } of [later, now]) await post(`/campaigns/${id}:send`);
    const other = await create({ name: 'Other', ...scheduled('2026-12-01T00:00:00Z') }, foreign);
    await backend.db('campaign').where({ campaignId: other.id }).update({ status: 'scheduled' });
    const { body } = await ask('from=2026-11-01&to=2027-01-01');
    const common = { kind: 'campaign', serviceNumberId: 'sn-1' };
    expect(body).to.deep.equal({
      items: [
        {
          ...common,
          id: now.id,
          name: 'Now',
          at: start.toISOString(),
          until: '2026-12-24T00:00:00.000Z',
          status: 'sending',
          labels: [],
        },
        {
          ...common,
          id: later.id,
          name: 'Later',
          at: '2026-12-03T01:00:00.000Z',
          until: null,
          status: 'scheduled',
          labels: ['vip'],
        },
      ],
      hasMore: false,
    });
    const day = 'from=2026-12-03T00:00:00%2B08:00&to=2026-12-04T00:00:00%2B08:00';
    expect(await shown(day)).to.deep.equal([['Later', '2026-12-03T01:00:00.000Z']]);
    expect(await shown('from=2026-12-03T01:00:00Z&to=2026-12-03T01:00:01Z')).to.have.length(1);
    expect(await shown('from=2026-12-02T01:00:00Z&to=2026-12-03T01:00:00Z'), 'the end is not in it').to.deep.equal([]);
    expect(await shown('from=2026-11-01&to=2027-01-01&serviceNumberId=sn-2')).to.deep.equal([]);
    expect(await shown('from=2026-11-01&to=2027-01-01', foreign)).to.deep.equal([
      ['Other', '2026-12-01T00:00:00.000Z'],
    ]);
  });

  it('has the coming runs of active repeats, as far as they go', async () => {
    const template = await create({ name: 'Template', labels: ['weekly'] });
    const repeat = (more: object) =>
      post('/repeats', {
        name: 'Runs',
        campaignId: template.id,
        calendar: { type: 'daily', at: '09:00' },
        zone: 'Asia/Taipei',
        ...more,
      });
    const endless = await repeat({ name: 'Endless' });
    await repeat({ name: 'Three', maxRuns: 3 });
    await repeat({ name: 'Until', until: '2026-11-28T00:00:00Z' });
    const paused = await repeat({ name: 'Paused' });
    await post(`/repeats/${paused.repeatId}:pause`);
    const runs = async (query: string) =>
      (await ask(query)).body.items.filter(({ kind }: { kind: string }) => kind === 'run');
    const found = await runs('from=2026-11-26&to=2026-12-01');
    expect(found[0]).to.deep.equal({
      kind: 'run',
      id: endless.repeatId,
      name: 'Endless',
      serviceNumberId: 'sn-1',
      at: '2026-11-27T01:00:00.000Z',
      until: null,
      status: 'active',
      labels: ['weekly'],
    });
    const daysOf = (name: string) =>
      found
        .filter((run: { name: string }) => run.name === name)
        .map(({ at }: { at: string }) => Number(at.slice(8, 10)));
    expect(['Endless', 'Three', 'Until', 'Paused'].map(daysOf)).to.deep.equal([
      [27, 28, 29, 30],
      [27, 28, 29],
      [27],
      [],
    ]);
    const far = await runs('from=2099-01-01&to=2099-01-03');
    expect(far.map(({ name }: { name: string }) => name)).to.deep.equal(['Endless', 'Endless']);
  });

  it('shows at most 62 days, which have to be named', async () => {
    expect((await ask('from=2026-11-01&to=2027-01-02')).status).to.equal(200);
    for (const [query, code] of [
      ['from=2026-11-01&to=2027-01-03', 'calendar_too_long'],
      ['from=2026-11-01&to=2026-11-01', 'before_from'],
      ['from=2026-11-02T00:00:00Z&to=2026-11-01', 'before_from'],
      ['from=1900-01-01&to=1900-01-02', 'year_out_of_range'],
    ]) {
      const { status, body } = await ask(String(query));
      expect([status, body.errors?.[0].path, body.errors?.[0].code], query).to.deep.equal([422, 'query/to', code]);
    }
    for (const query of [
      '',
      'from=2026-11-01',
      'to=2026-11-01',
      'from=2026-02-30&to=2026-03-03',
      'from=x&to=2026-11-01',
    ])
      expect((await ask(query)).status, query).to.equal(400);
  });
});
