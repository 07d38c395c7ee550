import { type Database, rows } from '#db/database.ts';

interface Column {
  table: string;
  name: string;
  type: string;
}

/** Values that a check asks for; other columns get one by their type. */
const checked: Record<string, Record<string, string>> = {
  audience: { type: 'contacts' },
  audience_drift: { change: 'added' },
  automation: { trigger: '{"event":"contact.followed"}' },
  automation_step: { step: '0' },
  broadcast_task: { status: 'pending' },
  campaign: { status: 'draft', messages: '[]' },
  campaign_repeat: { status: 'paused', pause_reason: 'operator' },
  campaign_step: { state: 'waiting', pause_reason: 'restored' },
  contact_profile: { follow_state: 'following' },
  contact_revenue_entry: { kind: 'payment' },
  ending_workflow: { kind: 'poll' },
  erased_contact: { contact_encrypted: 'x', pseudonym: 'x' },
  inbox_lease: { state: 'free' },
  repeat_run: { outcome: 'missed' },
  revenue_entry: { kind: 'payment' },
  send_approval: { asked_for: 'contacts' },
  service_number_catalog: { status: 'active' },
  smart_tag_rule: { trigger_event: 'notice.clicked', status: 'active' },
  tag: { source: 'app_manual', kind: 'permanent', status: 'active' },
  template: { kind: 'card' },
  tenant: { status: 'active' },
  tenant_integration: { status: 'ACTIVE', secret_encrypted: 'x' },
};

const byType: Record<string, (id: string) => unknown> = {
  text: (id) => id,
  'text[]': (id) => [id],
  integer: () => 1,
  smallint: () => 1,
  bigint: () => 1,
  oid: () => 1,
  bytea: () => Buffer.alloc(32),
  boolean: () => false,
  'bit(4096)': () => '0'.repeat(4096),
  jsonb: () => '{}',
  date: () => '2026-01-01',
  uuid: () => '00000000-0000-7000-8000-000000000000',
  'timestamp with time zone': () => '2026-01-01T00:00:00Z',
};

const tablesOf = `c.relnamespace = 'outreach'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname not like 'knex%'`;

const requiredColumns = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where ${tablesOf} and a.attnotnull and not a.atthasdef and a.attidentity = '' order by c.relname, a.attnum`;

function valueOf({ table, name, type }: Column, id: string): unknown {
  const make = byType[type];
  if (!make) throw new Error(`no value for ${table}.${name}, which is ${type}`);
  return make(id);
}

/**
 * Stores one row in every table of the backend, also in those that are yet to come: each of its texts is `id`, so that
 * all belong to the tenant `id`. As the owner, who may do without foreign keys.
 */
export async function insertRowOfEveryTable(owner: Database, id: string): Promise<void> {
  const columns = await rows<Column>(owner, requiredColumns, {});
  await owner.transaction(async (transaction) => {
    await rows(transaction, 'set local session_replication_role = replica', {});
    for (const table of new Set(columns.map((column) => column.table))) {
      const own = columns.filter((column) => column.table === table);
      const required = Object.fromEntries(own.map((column) => [column.name, valueOf(column, id)]));
      await transaction(table).insert({ ...required, ...checked[table] });
    }
  });
}

/** How many rows each table has, by name; those without any are left out. */
export async function countRows(database: Database): Promise<Record<string, number>> {
  const tables = await rows<{ name: string }>(
    database,
    `select c.relname as name from pg_class c where ${tablesOf}`,
    {},
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await rows<{ count: number }>(database, `select count(*) as count from ${name}`, {});
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}
