import type { Client } from '@temporalio/client';
import { jsonClient } from '../scripts/demo/client.ts';
import { type Database, rows } from '../db/database.ts';
import { runCost } from '../test/support/servers/actions.ts';
import { startStack } from '../test/support/services/stack.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { importContacts } from './growth/contacts.ts';
import { click, createScene, send, startPlatform } from './growth/growth.ts';

/** What a number of things took, in all. */
interface Footprint {
  count: number;
  /** Of tables with their indexes, of both schemas. */
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

const DONE = 30;

type Shop = Record<'orders' | 'sandbox', ReturnType<typeof jsonClient>>;

/** An order for cash, from its creation to the callback that completes it. */
async function buy({ orders, sandbox }: Shop, tenantId: string): Promise<void> {
  interface Order {
    orderId: string;
    orderNo: string;
    orderStatus: number;
  }
  const order = { tenantId, grossMoneyAmount: 10, moneyAmount: 10 };
  const { data } = await orders.post<{ data: Order }>('/user/order/create', order);
  await orders.post(`/user/order/${data.orderId}/pay`, { tenantId });
  const { items } = await sandbox.get<{ items: { chargeId: string }[] }>(`/sandbox/charges?orderNo=${data.orderNo}`);
  await sandbox.post(`/sandbox/charges/${items[0]?.chargeId}:pay`, {});
  await eventually(`${data.orderId} is paid`, async () => {
    const read = await orders.post<{ data: Order }>('/user/order/item', { tenantId, orderId: data.orderId });
    return read.data.orderStatus === DONE;
  });
}

async function openShop(addresses: Record<'orders' | 'sandbox', string>, tenantId: string): Promise<Shop> {
  const sandbox = jsonClient(addresses.sandbox);
  const tokenOf = async (sub: string, roles: string[]) =>
    (await sandbox.post<{ token: string }>('/sandbox/tokens', { sub, name: sub, tenantId, roles })).token;
  const base = `${addresses.orders}/transaction/v1`;
  const admin = jsonClient(`${base}/admin`, await tokenOf('staff', ['order_admin']));
  await admin.put(`/tenants/${tenantId}`, { name: 'Footprint', businessType: 0, PAYGW_shopId: 'shop' });
  return { orders: jsonClient(base, await tokenOf('payer', [])), sandbox };
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
    const shop = await openShop(stack.addresses, scene.tenant.tenantId);
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
      for (let number = 0; number < orders; number += 1) await buy(shop, scene.tenant.tenantId);
    });
    return { contact, recipient, click: clicked, order };
  } finally {
    await stack.stop();
    await platform.close();
  }
}
