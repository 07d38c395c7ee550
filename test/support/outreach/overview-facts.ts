import { insertContacts, type TestBackend } from '../services/backend.ts';
import { numbers } from '../numbers.ts';
import { seedSend, type TestSend } from './rows.ts';

const HOUR = 3_600_000;

/** One row that a figure of the overview counts. */
export interface Fact {
  tenant: string;
  sn: string;
  campaignId: string;
  at: number;
  contact: string;
  delivered: number;
}

export interface OverviewFacts {
  sends: (TestSend & { sn: string })[];
  facts: Record<'tasks' | 'clicks' | 'sessions' | 'conversions', Fact[]>;
}

type Random = (below: number) => number;
type Sent = OverviewFacts['sends'][number];

interface Seeding extends OverviewFacts {
  backend: TestBackend;
  /** The period, in milliseconds since 1970. */
  from: number;
  to: number;
}

const factOf = ({ tenantId, sn, campaignId }: Sent, at: number, contact = '', delivered = 0): Fact => ({
  tenant: tenantId,
  sn,
  campaignId,
  at,
  contact,
  delivered,
});

/** A click and a conversation in the period, in the previous one, or beyond both, edges included. */
async function insertResponse({ backend, facts, from, to }: Seeding, random: Random, send: Sent, n: number) {
  const edges = [from - 7 * 24 * HOUR, from - 7 * 24 * HOUR - 1, from - 1, from, to - 1, to];
  const at = n < edges.length ? (edges[n] ?? 0) : from - 10 * 24 * HOUR + random(20 * 24 * 60) * 60_000;
  const contact = `c-${random(12)}`;
  const shared = { tenant_id: send.tenantId, campaign_id: send.campaignId, contact_id: contact };
  await backend.db('click_attribution').insert({
    ...shared,
    task_id: `t-${send.campaignId}`,
    notice_id: `n-${n}`,
    action_index: 0,
    event_id: `e-${n}`,
    clicked_at: new Date(at),
  });
  await backend
    .db('conversation')
    .insert({ ...shared, session_id: `${send.campaignId}-${n}`, opened_at: new Date(at) });
  facts.clicks.push(factOf(send, at, contact));
  facts.sessions.push(factOf(send, at, contact));
}

async function completeTasks({ backend, facts, from }: Seeding, random: Random, send: Sent) {
  for (const key of send.keys) {
    const at = from - 9 * 24 * HOUR + random(18 * 24) * HOUR;
    const delivered = random(500);
    await backend
      .db('broadcast_task')
      .where({ key })
      .update({ status: 'completed', started_at: new Date(at), delivered, sent: 500, read: 1 });
    facts.tasks.push(factOf(send, at, '', delivered));
  }
}

/** A tag that each campaign gave one contact, and that one contact was given manually. */
async function insertConversions({ backend, sends, facts, from }: Seeding, tenant: string) {
  const body = { name: 'Won', serviceNumberId: 'sn-1', kind: 'permanent' };
  const { tagId } = (await backend.call('POST', '/tags', { token: await backend.token(tenant), body })).body;
  const given = { tenant_id: tenant, tag_id: tagId };
  for (const [n, send] of sends.filter(({ tenantId }) => tenantId === tenant).entries()) {
    const at = from - 3 * HOUR + n * 2 * HOUR;
    await backend.db('tag_assignment').insert({
      ...given,
      contact_id: `c-${n}`,
      assigned_at: new Date(at),
      source_campaign_id: send.campaignId,
    });
    facts.conversions.push(factOf(send, at, `c-${n}`));
  }
  await backend.db('tag_assignment').insert({ ...given, contact_id: 'by-hand', assigned_at: new Date(from) });
}

/** Campaigns of installed tenants with their effects around a period; the same in every run. */
export async function insertOverviewFacts(
  backend: TestBackend,
  { tenants, from, to }: { tenants: string[]; from: number; to: number },
): Promise<OverviewFacts> {
  const random = numbers(7);
  const facts: OverviewFacts['facts'] = { tasks: [], clicks: [], sessions: [], conversions: [] };
  const seeding: Seeding = { backend, from, to, sends: [], facts };
  for (const tenant of tenants) {
    await insertContacts(backend.db, tenant, 1);
    for (const sn of ['sn-1', 'sn-1', 'sn-2', 'sn-1']) {
      const send = { ...(await seedSend(backend.db, tenant, { chunks: [5, 5, 3], status: 'completed' })), sn };
      await backend.db('campaign').where({ campaign_id: send.campaignId }).update({ service_number_id: sn });
      seeding.sends.push(send);
      await completeTasks(seeding, random, send);
      for (let n = 0; n < 30; n += 1) await insertResponse(seeding, random, send, n);
    }
    await insertConversions(seeding, tenant);
  }
  return { sends: seeding.sends, facts };
}
