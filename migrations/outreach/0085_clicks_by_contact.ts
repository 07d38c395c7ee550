import type { Knex } from 'knex';

/**
 * A contact's clicks, however many the planner takes there to be: the offset keeps it from joining them in another order,
 * and so from reading all of them for each batch.
 */
const lookedUp = (condition = '') => `cross join lateral (
        select * from click_attribution k where k.tenant_id = w.of_tenant and k.contact_id = w.of_contact${condition} offset 0) k`;

const changes = [
  {
    name: 'roll_up_clicks',
    from: 'from contacts join click_attribution k using (tenant_id, contact_id)',
    to: `from contacts as w (of_tenant, of_contact) ${lookedUp()}`,
  },
  {
    name: 'roll_up_campaign_clicks',
    from: `from contacts w join click_attribution k using (tenant_id, contact_id) where k.campaign_id || '' = w.campaign_id`,
    to: `from contacts as w (of_tenant, of_campaign, of_contact) ${lookedUp(` and k.campaign_id || '' = w.of_campaign`)}`,
  },
];

/** Changes how two roll-ups find the earlier clicks of contacts. Functions alone change; no table is locked. */
export async function up(knex: Knex): Promise<void> {
  for (const { name, from, to } of changes)
    // What has changed already stays as it is.
    await knex.raw(`
      do $migration$
      declare definition text := pg_get_functiondef('${name}'::regproc);
      begin
        if strpos(definition, $text$${from}$text$) + strpos(definition, $text$${to}$text$) = 0 then raise exception '${name} is not as it was'; end if;
        execute replace(definition, $text$${from}$text$, $text$${to}$text$);
        alter function ${name}() set enable_seqscan = off;
      end $migration$`);
}
