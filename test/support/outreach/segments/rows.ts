import { type Database, rows } from '#db/database.ts';
import { buildReach, sendsWithoutReach } from '#db/outreach/audiences/segments/reach-blocks.ts';
import { deleteProfiles, deleteTags } from '#commands/outreach/erasure/profile.ts';
import { renameInClicks, renameInSends } from '#db/outreach/erasure/sends.ts';
import { deleteExpiredRows } from '#commands/outreach/retention/delete-expired-rows.ts';
import { newPseudonym } from '#domain/contacts/pseudonym.ts';
import { campaigns, type Change, now, type Profile, type SubTask, type World } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const at = (days: number) => new Date(now.getTime() - days * DAY_MS);
const tenant = { tenant_id: 't' };

/** Contacts are so far apart that they are in several blocks; nobody gets the ordinal of another. */
const APART = 1500;
let ordinals = 0;

/** The tenant, its tag and its campaigns, which every world has. */
export async function storeFrame(db: Database): Promise<void> {
  await db('tenant').insert({ ...tenant, external_tenant_id: 'x', name: 'T', type: 'shop', status: 'active' });
  const tag = { ...tenant, tag_id: 'tag', service_number_id: 'sn', name: 'Tag', source: 'app_manual' };
  await db('tag').insert({ ...tag, kind: 'permanent', status: 'active' });
  const list = { ...tenant, audience_id: 'list', service_number_id: 'sn', name: 'List', type: 'contacts' };
  await db('audience').insert({ ...list, created_by: 'u' });
  for (const name of campaigns)
    await db('campaign').insert({
      ...tenant,
      campaign_id: name,
      service_number_id: name === 'elsewhere' ? 'other' : 'sn',
      name,
      channels: ['line'],
      messages: '[]',
      audience: '{}',
      schedule: '{}',
      status: 'completed',
      created_by: 'u',
    });
}

/** The contact's ordinal stored beside every other of its clicks and conversations, as beside what precedes its profile none is. */
const ordinalBeside = (db: Database, who: number, n: number) =>
  n % 2 === 0
    ? null
    : db('contact_profile')
        .where({ ...tenant, contact_id: `c${who}` })
        .select('ordinal');

async function storeProfile(db: Database, who: number, { reach, language, born, entered }: Profile): Promise<void> {
  await db('contact_profile').insert({
    ...tenant,
    service_number_id: 'sn',
    contact_id: `c${who}`,
    language,
    attributes: JSON.stringify(born === null ? {} : { born }),
    follow_state: reach === 'unreachable' ? 'unfollowed' : 'following',
    unsubscribed: reach === 'unsubscribed',
    entered_at: entered === null ? null : at(entered / 24),
    last_event_at: now,
    ordinal: (ordinals += APART),
  });
}

const sendOf = ({ campaign, send }: SubTask) => `${campaign}-${send}`;

const reported = ({ state, daysAgo }: Pick<SubTask, 'state' | 'daysAgo'>, dispatchId: string) => ({
  status: state === 'rejected' ? state : 'completed',
  delivered: { delivered: null, partly: 1, none: 0, rejected: 0, replaced: null }[state],
  superseded_by: state === 'replaced' ? dispatchId : null,
  finished_at: at(daysAgo),
});

/** Each send is large enough for a set, however few contacts it has. */
async function storeSend(db: Database, dispatchId: string, { campaign, send }: SubTask): Promise<void> {
  const ids = { ...tenant, dispatch_id: dispatchId, campaign_id: campaign };
  await db('dispatch').insert({
    ...ids,
    number: send + 1,
    audience_count: 1,
    audience_hash: '',
    excluded: '{}',
    created_by: 'u',
    created_at: now,
  });
  const serviceNumber = { service_number_id: campaign === 'elsewhere' ? 'other' : 'sn' };
  await db('dispatch_reach').insert({ ...ids, ...serviceNumber, due_at: now });
}

async function storeSends(db: Database, { tasks }: World): Promise<void> {
  const stored = new Set<string>();
  for (const [chunk, task] of tasks.entries()) {
    const dispatchId = sendOf(task);
    if (!stored.has(dispatchId)) await storeSend(db, dispatchId, task);
    stored.add(dispatchId);
    const contactIds = task.contacts.map((who) => `c${who}`);
    await db('dispatch_chunk').insert({ dispatch_id: dispatchId, chunk, contact_ids: contactIds });
    await db('broadcast_task').insert({
      ...tenant,
      key: `task-${chunk}`,
      campaign_id: task.campaign,
      dispatch_id: dispatchId,
      chunk,
      contact_count: task.contacts.length,
      ...reported(task, dispatchId),
    });
  }
}

/** Stores a world in place of the one before. */
export async function store(db: Database, given: World): Promise<void> {
  await db.raw(`delete from conversation; delete from click_attribution; delete from broadcast_task; delete from dispatch_chunk;
    delete from dispatch; delete from tag_assignment; delete from audience_member; delete from contact_profile`);
  await db('tag').update({ status: given.isExpired ? 'expired' : 'active', contact_count: given.tagged.length });
  for (const who of given.tagged)
    await db('tag_assignment').insert({ ...tenant, tag_id: 'tag', contact_id: `c${who}` });
  for (const who of given.listed) await db('audience_member').insert({ audience_id: 'list', contact_id: `c${who}` });
  for (const [who, profile] of given.contacts.entries()) if (profile) await storeProfile(db, who, profile);
  await storeSends(db, given);
  for (const [n, click] of given.clicks.entries())
    await db('click_attribution').insert({
      ...tenant,
      task_id: 'task',
      contact_id: `c${click.contact}`,
      notice_id: `n${n}`,
      message_index: 0,
      action_index: click.action,
      campaign_id: click.campaign,
      biz_event_code: click.code,
      event_id: `click-${n}`,
      clicked_at: at(click.daysAgo),
      contact_ordinal: ordinalBeside(db, click.contact, n),
    });
  for (const [n, one] of given.conversations.entries())
    await db('conversation').insert({
      ...tenant,
      session_id: `session-${n}`,
      campaign_id: one.campaign,
      contact_id: `c${one.contact}`,
      opened_at: at(one.daysAgo),
      contact_ordinal: ordinalBeside(db, one.contact, n),
    });
}

let minutes = 0;

/** Builds the sets that are due a while after whatever was built before. */
async function build(db: Database): Promise<void> {
  minutes += 60;
  const later = new Date(now.getTime() + minutes * MINUTE_MS);
  for (const dispatchId of await sendsWithoutReach(db, { now: later, limit: 20 }))
    await buildReach(db, dispatchId, later);
}

async function erase(db: Database, contact: number): Promise<void> {
  const erasure = { erasureId: 'e', tenantId: 't', contactId: `c${contact}`, pseudonym: newPseudonym() };
  for (const step of [deleteProfiles, deleteTags, renameInClicks, renameInSends]) await step(db, erasure);
}

const KEPT_DAYS = 10_000;
const retention = { events: KEPT_DAYS, timeline: KEPT_DAYS, audit: KEPT_DAYS, recipients: 1, uninstalled: null };

async function expire(db: Database, dispatchId: string): Promise<void> {
  await rows(db, 'update dispatch set created_at = :old where dispatch_id = :dispatchId', {
    dispatchId,
    old: at(1000),
  });
  while ((await deleteExpiredRows(db, retention, now)) > 0);
}

/** Stores what a change changes. */
export async function storeChange(db: Database, given: World, change: Change): Promise<void> {
  if (change.kind === 'build') return build(db);
  if (change.kind === 'erase') return erase(db, change.contact);
  if (change.kind === 'enter') {
    if (given.contacts[change.contact] === null) await storeProfile(db, change.contact, change.profile);
    return;
  }
  const task = given.tasks[change.task];
  if (!task) return;
  if (change.kind === 'expire') return expire(db, sendOf(task));
  await db('broadcast_task')
    .where({ key: `task-${change.task}` })
    .update(reported(change, sendOf(task)));
}
