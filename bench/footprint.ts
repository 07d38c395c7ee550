import type { Client } from '@temporalio/client';
import type { JsonClient } from '../scripts/demo/client.ts';
import { type Database, rows } from '../db/database.ts';
import { runCost } from '../test/support/servers/actions.ts';
import { openShop, type Shop } from '../test/support/services/shop.ts';
import { startStack } from '../test/support/services/stack.ts';
import { importContacts } from './growth/contacts.ts';
import { click, createScene, send, startPlatform } from './growth/growth.ts';

/** What a number of things took, in all. */
interface Footprint {
  count: number;
  /** Of tables with their indexes, of all schemas. */
  tableBytes: number;
  walBytes: number;
  /** Of every workflow that was started meanwhile. */
  workflows: number;
  actions: number;
  historyBytes: number;
}

const storedBytes = `
  select sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('outreach', 'orders', 'bff') and c.relkind in ('r', 'm')`;

interface Reading {
  bytes: number;
  wal: string;
  runs: Set<string>;
}

const keyOf = ({ workflowId, runId }: { workflowId: string; runId: string }) => `${workflowId}\0${runId}`;

async function runsOf(client: Client): Promise<Set<string>> {
  const runs = new Set<string>();
  for await (const run of client.workflow.list()) runs.add(keyOf(run));
  return runs;
}

async function read(database: Database, client: Client): Promise<Reading> {
  const [size] = await rows<{ bytes: number }>(database, storedBytes, {});
  const [log] = await rows<{ wal: string }>(database, 'select pg_current_wal_insert_lsn()::text as wal', {});
  return { bytes: size?.bytes ?? 0, wal: log?.wal ?? '0/0', runs: await runsOf(client) };
}

/** Runs `work`, which does something `count` times, and reads what grew meanwhile. */
async function footprintOf(
  { database, client }: { database: Database; client: Client },
  count: number,
  work: () => Promise<unknown>,
): Promise<Footprint> {
  const before = await read(database, client);
  await work();
  const after = await read(database, client);
  const [difference] = await rows<{ bytes: number }>(
    database,
    'select pg_wal_lsn_diff(:after::pg_lsn, :before::pg_lsn)::float8 as bytes',
    { after: after.wal, before: before.wal },
  );
  const begun = [...after.runs].filter((run) => !before.runs.has(run));
  let actions = 0;
  let historyBytes = 0;
  for (const run of begun) {
    const [workflowId = '', runId] = run.split('\0');
    const cost = await runCost(client, workflowId, runId);
    actions += cost.actions + cost.localBatches;
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
    historyBytes += Number(raw.workflowExecutionInfo?.historySizeBytes ?? 0);
  }
  return {
    count,
    tableBytes: after.bytes - before.bytes,
    walBytes: difference?.bytes ?? 0,
    workflows: begun.length,
    actions,
    historyBytes,
  };
}

/** An order for cash, from its creation to the callback that completes it. */
async function buy(shop: Shop, sandbox: JsonClient, tenantId: string): Promise<void> {
  const { orderId, orderNo } = await shop.create({ grossMoneyAmount: 10, moneyAmount: 10 });
  await shop.post(`/user/order/${orderId}/pay`, { tenantId });
  const [charge] = await shop.charges(orderNo);
  await sandbox.post(`/sandbox/charges/${charge?.chargeId}:pay`, {});
  await shop.becomes(orderId, '30/30/30');
}

/**
 * What a contact with a tag, a recipient of a send, a click and a paid order leave behind: bytes of tables and of WAL,
 * workflows, their actions as Temporal Cloud bills them, and bytes of their histories.
 */
export async function footprint({ contacts = 100_000, orders = 100 }: Partial<Record<'contacts' | 'orders', number>>) {
  const platform = await startPlatform();
  const env = { PLATFORM_CALLS_PER_SECOND: '10000', PLATFORM_BASE_URL: platform.baseUrl };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff', 'orders'], env });
  try {
    const scene = await createScene(stack);
    const { tenantId, serviceNumberId, sandbox } = scene.tenant;
    const payer = { sub: 'payer', name: 'Payer', tenantId, serviceNumberId, roles: ['order_admin'] };
    const shop = await openShop(stack, payer);
    const on = { database: scene.owner, client: stack.temporal.client };
    const contact = await footprintOf(on, contacts, () =>
      importContacts(scene.owner, { ...scene.tenant, tagId: scene.tagId }, 1, contacts),
    );
    let campaignId = '';
    const recipient = await footprintOf(on, contacts, async () => {
      campaignId = (await send(scene, contacts)).id;
    });
    const clicked = await footprintOf(on, contacts / 10, () => click(scene, campaignId, contacts));
    const order = await footprintOf(on, orders, async () => {
      for (let number = 0; number < orders; number += 1) await buy(shop, sandbox, tenantId);
    });
    return { contact, recipient, click: clicked, order };
  } finally {
    await stack.stop();
    await platform.close();
  }
}
