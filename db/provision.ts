import { setTimeout } from 'node:timers/promises';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { DatabaseAddress } from '../domain/settings/settings.ts';
import type { Schema } from './connection.ts';

/** The owner's address and that of each service. */
export type DatabaseUrls = Record<DatabaseAddress, string>;

interface ServiceRole {
  schema: Schema;
  name: string;
  password: string;
  /** The role that the service takes for those whose rights are limited. Nobody signs in as it. */
  limited?: string;
}

/** SQL: the same, of the role that has signed in. */
export const LIMITED_ROLE = `session_user || '_limited'`;

/** Arbitrary constant: everyone who provisions or migrates waits for this lock. */
const PROVISION_LOCK = 5_108_001;

/** The role of each service, as named in its address. */
export function serviceRoles(urls: DatabaseUrls): ServiceRole[] {
  const role = (schema: Schema, url: string): ServiceRole => {
    const { username, password } = new URL(url);
    return { schema, name: decodeURIComponent(username), password: decodeURIComponent(password) };
  };
  const withLimited = (own: ServiceRole): ServiceRole => ({ ...own, limited: `${own.name}_limited` });
  return [
    role('bff', urls.DATABASE_URL_BFF),
    withLimited(role('outreach', urls.DATABASE_URL_BACKEND)),
    role('orders', urls.DATABASE_URL_ORDERS),
  ];
}

const rolesOf = ({ name, limited }: ServiceRole): string[] => (limited === undefined ? [name] : [name, limited]);

const LOCK_AGAIN_MS = 100;

async function tryLock(client: Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lock]);
  return rows[0]?.locked === true;
}

/**
 * Runs `work` on a dedicated connection that holds the lock until it ends; a process that dies releases the lock. Whoever waits
 * asks again and again: a statement that waits has a snapshot, which an index that is built concurrently would wait for.
 */
export async function withLock<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  lock = PROVISION_LOCK,
): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'provision' });
  // A connection that is cut while idle must not end the process; the next query reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    while (!(await tryLock(client, lock))) await setTimeout(LOCK_AGAIN_MS);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The address of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${encodeURIComponent(database)}`;
  return address.toString();
}

/** The database name in an address. */
function databaseName(url: string): string {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  if (name === '') throw new Error('DATABASE_URL has no database name');
  return name;
}

async function createDatabase(client: Client, name: string): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (found.rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`);
}

/**
 * Whether a role has more than its schema's rights, and whether the owner may change it (since version 16, only as
 * its administrator).
 */
const existingRole = `select role.rolsuper or role.rolbypassrls as privileged,
    me.rolsuper or (me.rolcreaterole and (current_setting('server_version_num')::int < 160000
      or pg_has_role(me.oid, role.oid, 'MEMBER WITH ADMIN OPTION'))) as changeable
  from pg_roles role, pg_roles me where role.rolname = $1 and me.rolname = current_user`;

/** An existing role keeps its password if the owner may not change it (managed server). */
async function createRole(client: Client, role: ServiceRole): Promise<void> {
  const name = escapeIdentifier(role.name);
  const login = `login password ${escapeLiteral(role.password)}`;
  const { rows } = await client.query<{ privileged: boolean; changeable: boolean }>(existingRole, [role.name]);
  const [existing] = rows;
  // Only a superuser may even name these rights for an existing role.
  const without = existing?.privileged === false ? '' : 'nosuperuser nobypassrls';
  if (!existing) await client.query(`create role ${name} ${login} ${without}`);
  else if (existing.changeable) await client.query(`alter role ${name} ${login} ${without}`);
}

/** The service may become the limited role, and has none of its rights, so none of its limits, until it does. */
async function createLimitedRole(client: Client, service: string, limited: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; member: boolean; since16: boolean }>(
    `select exists (select from pg_roles where rolname = $2) as exists,
       exists (select from pg_auth_members m where m.member = s.oid
         and m.roleid = (select oid from pg_roles where rolname = $2)) as member,
       current_setting('server_version_num')::int >= 160000 as since16
     from pg_roles s where s.rolname = $1`,
    [service, limited],
  );
  const [found] = rows;
  if (!found?.exists) await client.query(`create role ${escapeIdentifier(limited)} nologin`);
  if (found?.member) return;
  // Before version 16 it is the member that does not inherit.
  if (!found?.since16) await client.query(`alter role ${escapeIdentifier(service)} noinherit`);
  await client.query(
    `grant ${escapeIdentifier(limited)} to ${escapeIdentifier(service)} ${found?.since16 ? 'with inherit false' : ''}`,
  );
}

/** Only the owner records which migrations ran; a service may read that. */
const migrationTables = ['knex_migrations', 'knex_migrations_lock'];

/** What happened: a service adds rows, and can neither change nor delete them. */
const appendOnlyTables: Record<Schema, string[]> = {
  bff: [],
  outreach: ['audit_log'],
  orders: [
    'ledger_entry',
    'order_transition',
    'audit_entry',
    'cash_entry',
    'order_note',
    'dispute_note',
    'order_origin',
  ],
};

/** What only functions of the owner write. */
const chainTables = ['audit_unsealed', 'audit_seal', 'audit_chain'];

const partitionsOf = `select i.inhrelid::regclass::text as name from pg_inherits i where i.inhparent = to_regclass($1)`;

async function revokeRights(client: Client, schema: Schema, roleName: string): Promise<void> {
  const role = escapeIdentifier(roleName);
  const revoke = async (rights: string, table: string) => {
    const found = await client.query('select to_regclass($1) is not null as exists', [`${schema}.${table}`]);
    if (found.rows[0].exists) await client.query(`revoke ${rights} on ${schema}.${table} from ${role}`);
  };
  for (const table of [...migrationTables, ...chainTables]) await revoke('insert, update, delete', table);
  for (const table of appendOnlyTables[schema]) {
    await revoke('update, delete', table);
    // Rights on a partition would be a way around those of the whole table, which are enough.
    const partitions = await client.query<{ name: string }>(partitionsOf, [`${schema}.${table}`]);
    for (const { name } of partitions.rows) await client.query(`revoke all on ${name} from ${role}`);
  }
}

const policiesOf = `select tablename as name from pg_policies
  where schemaname = $1 and policyname = 'own_service_numbers' and roles <> array[$2::name]`;

/**
 * Revokes what a service may not do with tables that get every right by default, and limits what its limited role sees.
 * A table that does not exist yet is protected when this runs after the migrations.
 */
export async function protectTables(client: Client, service: ServiceRole): Promise<void> {
  const { schema, limited } = service;
  for (const name of rolesOf(service)) await revokeRights(client, schema, name);
  if (limited === undefined) return;
  const tables = await client.query<{ name: string }>(policiesOf, [schema, limited]);
  for (const { name } of tables.rows)
    await client.query(
      `alter policy own_service_numbers on ${schema}.${escapeIdentifier(name)} to ${escapeIdentifier(limited)}`,
    );
}

/**
 * Rows and sequences of its own schema, and nothing else: no other schema, no table definitions, no public schema.
 */
async function grantSchema(client: Client, service: ServiceRole): Promise<void> {
  const { schema } = service;
  const roles = rolesOf(service)
    .map((name) => escapeIdentifier(name))
    .join(', ');
  // In one transaction, so that there is no moment in which a protected table has every right.
  await client.query('begin');
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`revoke all on schema ${schema} from public`);
  await client.query(`grant usage on schema ${schema} to ${roles}`);
  for (const [what, rights] of [
    ['tables', 'select, insert, update, delete'],
    ['sequences', 'usage, select'],
  ]) {
    await client.query(`grant ${rights} on all ${what} in schema ${schema} to ${roles}`);
    await client.query(`alter default privileges in schema ${schema} grant ${rights} on ${what} to ${roles}`);
  }
  await protectTables(client, service);
  await client.query('commit');
}

/** Only the services may connect to the database. */
export async function grantConnections(client: Client, database: string, roles: ServiceRole[]): Promise<void> {
  const name = escapeIdentifier(database);
  await client.query(`revoke all on database ${name} from public`);
  const services = roles
    .flatMap(rolesOf)
    .map((role) => escapeIdentifier(role))
    .join(', ');
  await client.query(`grant connect, temporary on database ${name} to ${services}`);
}

async function grantDatabase(client: Client, database: string, roles: ServiceRole[]): Promise<void> {
  await grantConnections(client, database, roles);
  await client.query('revoke all on schema public from public');
  for (const role of roles) await grantSchema(client, role);
}

/**
 * As the owner, creates whatever is missing: the database, the services' roles, their schemas and rights. Safe to
 * repeat and to run concurrently. The owner needs the right to connect to the database `postgres`.
 */
export async function provision(urls: DatabaseUrls): Promise<void> {
  const database = databaseName(urls.DATABASE_URL);
  const roles = serviceRoles(urls);
  await withLock(withDatabase(urls.DATABASE_URL, 'postgres'), async (maintenance) => {
    await createDatabase(maintenance, database);
    for (const role of roles) {
      await createRole(maintenance, role);
      if (role.limited !== undefined) await createLimitedRole(maintenance, role.name, role.limited);
    }
    await withLock(urls.DATABASE_URL, (client) => grantDatabase(client, database, roles));
  });
}
