import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { campaignBody } from '#test/support/services/backend.ts';

describe('quiet hours of a tenant', () => {
  const backend = useTwoTenants({ contacts: 3 });
  const nights = { from: '21:00', to: '08:00', zone: 'Asia/Taipei' };
  const lunch = { from: '12:00', to: '13:00', zone: 'Europe/Paris' };
  const post = async (path: string, body: object) => {
    const response = await backend.call('POST', path, { body });
    expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
    return response.body;
  };
  const create = (more: object = {}) => post('/campaigns', { ...campaignBody(), ...more });
  const patch = async (id: string, body: object) => {
    const changed = await backend.call('PATCH', `/campaigns/${id}`, { body, headers: { 'If-Match': '*' } });
    expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
    return changed.body;
  };
  const set = async (quietHours: unknown) => {
    const token = await backend.token('a', 'tenant_admin', 'ada');
    return await backend.call('PATCH', '/tenant-settings', { token, body: { quietHours } });
  };

  it('change nothing until an administrator sets them, and then new campaigns only', async () => {
    const before = await create();
    expect(before.pace).to.equal(null);
    expect((await backend.call('PATCH', '/tenant-settings', { body: { quietHours: nights } })).status).to.equal(403);
    for (const wrong of [{ ...nights, to: '21:00' }, { ...nights, zone: 'Nowhere' }, { from: '21:00' }, 'none'])
      expect((await set(wrong)).status, JSON.stringify(wrong)).to.equal(400);
    expect((await set(nights)).body.quietHours).to.deep.equal(nights);
    for (const body of [{}, { pace: null }, { pace: { quietHours: null } }])
      expect((await create(body)).pace, JSON.stringify(body)).to.deep.equal({ quietHours: nights });
    expect((await create({ pace: { perMinute: 60 } })).pace).to.deep.equal({ perMinute: 60, quietHours: nights });
    expect((await backend.call('GET', `/campaigns/${before.id}`)).body.pace).to.equal(null);
    expect((await backend.call('GET', '/tenant-settings', { token: backend.foreign })).body.quietHours).to.equal(null);
    const content = { campaignName: null, note: null, messages: campaignBody().messages };
    const { templateId } = await post('/templates', { name: 'Menu', kind: 'campaign', content });
    const used = await post(`/templates/${templateId}:use`, { serviceNumberId: 'sn-1' });
    expect(used.pace).to.deep.equal({ quietHours: nights });
  });

  it('give way to what a campaign says itself: its own, or none', async () => {
    await set(nights);
    expect((await create({ pace: { quietHours: lunch } })).pace).to.deep.equal({ quietHours: lunch });
    const none = await create({ pace: { perMinute: 60, quietHours: 'none' } });
    expect(none.pace).to.deep.equal({ perMinute: 60 });
    expect((await create({ pace: { quietHours: 'none' } })).pace).to.deep.equal({});
    expect((await patch(none.id, { note: 'x' })).pace, 'a change of something else adds none').to.deep.equal({
      perMinute: 60,
    });
    expect((await patch(none.id, { pace: { perMinute: 90 } })).pace).to.deep.equal({ perMinute: 90 });
    const { id } = await create();
    expect((await patch(id, { pace: { perMinute: 70, quietHours: 'none' } })).pace).to.deep.equal({ perMinute: 70 });
    const wrong = await backend.call('POST', '/campaigns', {
      body: { ...campaignBody(), pace: { quietHours: { ...lunch, to: lunch.from } } },
    });
    expect(wrong.status).to.equal(400);
    expect(wrong.body.errors[0]).to.deep.include({ path: '/pace/quietHours', code: 'no_quiet_hours' });
  });

  it('stay as they are in copies, whatever the settings say by then', async () => {
    await set(nights);
    const [quiet, none] = [await create(), await create({ pace: { quietHours: 'none' } })];
    await set(lunch);
    expect((await backend.act(quiet.id, 'duplicate')).body.pace).to.deep.equal({ quietHours: nights });
    expect((await backend.act(none.id, 'duplicate')).body.pace).to.equal(null);
  });
});
