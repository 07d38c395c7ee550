import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { seedSend } from '#test/support/outreach/rows.ts';
import english from '#web/locales/en.json' with { type: 'json' };
import { differencesOf } from './difference.ts';

/** The parts of a path that are ours, as the page names them. */
function namesIn(path: string): string[] {
  const parts = path.split('.');
  const own = parts.indexOf('data');
  return parts.slice(0, own === -1 ? undefined : own).filter((part) => part !== '' && !/^\d+$/.test(part));
}

describe('the fields of the audit log', () => {
  const backend = useTwoTenants({ contacts: 5 });
  const post = async (path: string, body: object = {}) => {
    const response = await backend.call('POST', path, { body });
    expect(response.status, `${path}: ${JSON.stringify(response.body)}`).to.be.below(300);
    return response.body;
  };
  const patch = async (path: string, body: object) => {
    const { headers } = await backend.call('GET', path);
    const etag = headers.get('etag');
    return backend.call('PATCH', path, { body, headers: etag === null ? {} : { 'If-Match': etag } });
  };

  async function actOnCampaigns(): Promise<void> {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await backend.draft({ schedule: { type: 'scheduled', at, audience: 'at_start' }, note: 'n' });
    await patch(`/campaigns/${id}`, { name: 'Renamed', endsAt: new Date(Date.now() + 86_400_000).toISOString() });
    for (const action of [':dry-run', ':send', ':pause', ':resume', ':cancel', ':duplicate'])
      await post(`/campaigns/${id}${action}`);
    const { campaignId } = await seedSend(backend.db, 'a', { chunks: [2] });
    await rows(backend.db, `update campaign set status = 'completed' where campaign_id = :campaignId`, { campaignId });
    await post(`/campaigns/${campaignId}/clicks:save-audience`, { name: 'Clicked', messageIndex: 0, actionIndex: 0 });
    await post(`/campaigns/${campaignId}:follow-up`, { name: 'Again', audienceName: 'Silent' });
  }

  async function actOnTags(): Promise<string> {
    const kind = { serviceNumberId: 'sn-1', kind: 'temporary', expiresAt: '2099-01-01T00:00:00Z', color: '#112233' };
    const { tagId } = await post('/tags', { name: 'T', ...kind });
    await patch(`/tags/${tagId}`, { name: 'U' });
    await post(`/tags/${tagId}/assignments`, { contactIds: ['c-0000001'] });
    await backend.call('DELETE', `/tags/${tagId}/assignments`, { body: { contactIds: ['c-0000001'] } });
    const condition = { any: [{ field: 'bizEventCode', op: 'eq', value: 'x' }, { not: { all: [] } }] };
    const rule = { name: 'R', triggerEvent: 'notice.clicked', matchCondition: condition, targetTagId: tagId };
    const { ruleId } = await post('/smart-tag-rules', { ...rule, status: 'active' });
    await patch(`/smart-tag-rules/${ruleId}`, { status: 'paused' });
    await backend.call('DELETE', `/smart-tag-rules/${ruleId}`);
    return tagId;
  }

  async function actOnAudiences(tagId: string): Promise<void> {
    const of = { serviceNumberId: 'sn-1' };
    const { audienceId } = await post('/audiences', { ...of, name: 'L', type: 'contacts', contactIds: ['c-0000001'] });
    await patch(`/audiences/${audienceId}`, { name: 'M' });
    const filter = { type: 'app_tags', appTagIds: [tagId], tagOperator: 'AND', excludeTagIds: [tagId] };
    const saved = await post('/audiences', { ...of, name: 'F', ...filter });
    await backend.call('DELETE', `/audiences/${saved.audienceId}`);
    await backend.call('DELETE', `/tags/${tagId}`);
  }

  it('have a name each, whatever was done', async () => {
    await actOnCampaigns();
    await actOnAudiences(await actOnTags());
    const token = await backend.token('a', 'tenant_admin', 'tina');
    await backend.call('PATCH', '/tenant-settings', { body: { viewersSeeContactPanel: true }, token });
    const entries: { action: string; before: unknown; after: unknown }[] = await backend.db('audit_log').select();
    expect(new Set(entries.map(({ action }) => action)).size).to.be.above(15);
    const names = entries.flatMap(({ action, before, after }) =>
      [...differencesOf(before, {}), ...differencesOf({}, after)].flatMap(({ path }) =>
        namesIn(path).map((name) => ({ name, action })),
      ),
    );
    const missing = names.filter(({ name }) => !(name in english.field));
    expect(new Set(missing.map(({ name, action }) => `${action}: ${name}`))).to.deep.equal(new Set());
  });
});
