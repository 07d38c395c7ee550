import type { Knex } from 'knex';

/** Columns that are null everywhere: nothing is rewritten or scanned. */
const utm = `
  alter table tenant add column utm jsonb;
  comment on column tenant.utm is 'parameters utm_… that the links of new campaigns get; null: none';
  alter table campaign add column utm jsonb, add column sent_name text;
  comment on column campaign.utm is 'patterns of parameters that its links get when they are sent; null: none';
  comment on column campaign.sent_name is 'its name when it was first sent, which those parameters keep; null until then';`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(utm);
}
