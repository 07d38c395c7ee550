import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { asViewer, forViewers } from './viewers.ts';

/** Whose rows are read only by the id of something that is limited itself. */
const parts = {
  audience_drift: 'dispatch',
  audience_member: 'audience',
  audience_replaced: 'audience',
  automation_member: 'automation',
  dispatch_chunk: 'dispatch',
  dispatch_control: 'dispatch',
  dry_run_part: 'dry_run',
  holdout_key: 'campaign',
  no_response_scan: 'smart_tag_rule',
  outgoing_event_part: 'outgoing_event',
  outgoing_sent: 'dispatch',
  reach_block: 'dispatch_reach',
  removed_assignment: 'tag',
  repeat_run: 'campaign_repeat',
  smart_tag_rule_version: 'smart_tag_rule',
  tag_block: 'tag',
  tag_past: 'tag',
  template_version: 'template',
};

/** What belongs to a tenant or to nobody, and what only administrators and the service itself read. */
const withoutNumber = [
  'app_user',
  'audit_chain',
  'audit_seal',
  'audit_unsealed',
  'copywriting',
  'database_place',
  'delivery',
  'ending_workflow',
  'erased_contact',
  'erasure_key',
  'event_reader',
  'idempotent_call',
  'inbox_lease',
  'notice_reader',
  'outbound_call',

  'platform_pace',
  'recurring_run',
  'revenue_position',
  'service_number_right',
  'tenant',
  'tenant_integration',
  'tool_token',
  'webhook',
];

describe('what somebody with a list of service numbers reads', () => {
  const database = useTestDatabase();
  const service = useDatabase('outreach', { on: database });
  const owner = useDatabase('outreach', { on: database, as: 'owner' });
  const viewers = () => forViewers(service);
  const names = async () =>
    (await viewers()('service_number_catalog').orderBy('serviceNumberId')).map(
      (row: { serviceNumberId: string }) => row.serviceNumberId,
    );

  before(async () => {
    await service('tenant').insert({ tenantId: 'a', externalTenantId: 'x', name: 'A', type: 'shop', status: 'active' });
    await service('service_number_catalog').insert(
      ['sn-1', 'sn-2', `o'{"`].map((serviceNumberId) => ({
        tenantId: 'a',
        serviceNumberId,
        name: 'N',
        status: 'active',
      })),
    );
  });

  it('has a policy for every table that is not named as one without a number, or as a part', async () => {
    const found = await rows<{ name: string; limited: boolean }>(
      owner,
      `select c.relname as name, exists (select from pg_policy p where p.polrelid = c.oid
           and p.polname = 'own_service_numbers' and p.polroles = array['outreach_limited'::regrole::oid]) as limited
       from pg_class c where c.relnamespace = 'outreach'::regnamespace and c.relkind in ('r', 'p')
         and not c.relispartition and c.relname not like 'knex%'`,
      {},
    );
    const open = found.filter(({ limited }) => !limited).map(({ name }) => name);
    expect(open.toSorted()).to.deep.equal([...Object.keys(parts), ...withoutNumber].toSorted());
    const limited = new Set(found.filter((table) => table.limited).map(({ name }) => name));
    for (const [part, whole] of Object.entries(parts)) expect(limited.has(whole), part).to.equal(true);
  });

  it('is what the list names, whatever else was read by the same connections', async () => {
    const all = [`o'{"`, 'sn-1', 'sn-2'];
    for (let round = 0; round < 10; round += 1) {
      const read = [null, ['sn-1'], [], [`o'{"`], ['sn-1', 'sn-2', 'sn-3']].map((list) => asViewer(list, names));
      expect(await Promise.all(read)).to.deep.equal([all, ['sn-1'], [], [`o'{"`], ['sn-1', 'sn-2']]);
      expect(await service('service_number_catalog')).to.have.length(3);
    }
  });

  it('holds in a transaction, also in one that fails, and not after it', async () => {
    const failing = asViewer(['sn-2'], () =>
      viewers().transaction(async (transaction) => {
        expect(await transaction('service_number_catalog')).to.have.length(1);
        await transaction.raw('select 1 / 0');
      }),
    );
    expect(await failing.catch((error: { code: string }) => error.code)).to.equal('22012');
    for (let n = 0; n < 5; n += 1) expect(await service('service_number_catalog')).to.have.length(3);
  });

  it('costs somebody without a list no statement, and is nothing where nobody is known', async () => {
    const counted = async (list: string[] | null) => {
      const [before] = await rows<{ role: string }>(service, 'select current_user as role', {});
      const seen: string[] = [];
      const listen = ({ sql }: { sql: string }) => void seen.push(sql);
      service.on('query', listen);
      await asViewer(list, names);
      service.off('query', listen);
      expect(before?.role).to.equal('outreach');
      return seen.length;
    };
    expect(await counted(null)).to.equal(1);
    expect(await counted(['sn-1'])).to.equal(1);
    expect(
      await names().then(
        () => 'read',
        (error: Error) => error.message,
      ),
    ).to.equal('nobody is known who reads');
  });
});
