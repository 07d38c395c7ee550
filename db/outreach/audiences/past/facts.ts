import type { AudienceFact } from '#domain/api/audiences.ts';
import type { SegmentCampaigns, SegmentCondition } from '#domain/api/segments.ts';
import { rows, type Transaction } from '#db/database.ts';
import { clickConditions } from '#db/outreach/clicks/filter.ts';
import { hasContact } from '#db/outreach/sends/chunks.ts';
import { isoOf, messageOfClick } from '#db/outreach/sql-fragments.ts';
import type { AudienceOwner } from '../owner.ts';
import { pastRelations } from '../relations.ts';

/** Maximum facts per condition and contact. */
const FACTS = 3;

const DAY_MS = 24 * 60 * 60_000;

export interface Asked extends AudienceOwner {
  contactId: string;
  asOf: Date;
}

type Bindings = Record<string, unknown>;

const select = (columns: Record<Exclude<keyof AudienceFact, 'kind'>, string>, kind: AudienceFact['kind']) =>
  `select json_build_object('kind', '${kind}', ${Object.entries(columns)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ')}) as fact`;

/** SQL: those that count first, then the latest. */
const latest = (counts: string, at: string) => `order by ${counts} desc, ${at} desc nulls last limit ${FACTS}`;

/** SQL: whether a fact is of the campaigns at all, and whether it counts at the time. */
function campaignsOf(
  of: SegmentCampaigns,
  at: string,
  asOf: Date,
): { among: string; inTime: string; bindings: Bindings } {
  if ('campaignIds' in of)
    return { among: 'c.campaign_id = any(:campaignIds)', inTime: 'true', bindings: { campaignIds: of.campaignIds } };
  const since = new Date(asOf.getTime() - of.lastDays * DAY_MS);
  return {
    among: 'c.tenant_id = :tenantId and c.service_number_id = :serviceNumberId',
    inTime: `${at} >= :since`,
    bindings: { since },
  };
}

function clicks(
  { campaigns, times: _times, ...filter }: Extract<SegmentCondition, { clicked: unknown }>['clicked'],
  asOf: Date,
) {
  const { among, inTime, bindings } = campaignsOf(campaigns, 'k.clicked_at', asOf);
  const stored = 'coalesce(k.stored_at, k.clicked_at)';
  const counts = `(${inTime} and ${stored} <= :now)`;
  const label = `${messageOfClick('c', 'k')} -> 'actions' -> k.action_index ->> 'label'`;
  const columns = {
    counts,
    at: isoOf('k.clicked_at'),
    until: 'null',
    knownAt: isoOf(stored),
    name: 'c.name',
    value: label,
  };
  return {
    sql: `${select(columns, 'clicked')} from click_attribution k join campaign c using (tenant_id, campaign_id)
      where tenant_id = :tenantId and k.contact_id = :contactId and ${among} ${clickConditions(filter, '')}
      ${latest(counts, 'k.clicked_at')}`,
    bindings: { ...bindings, ...filter },
  };
}

function conversations(of: SegmentCampaigns, asOf: Date) {
  const { among, inTime, bindings } = campaignsOf(of, 'v.opened_at', asOf);
  const stored = 'coalesce(v.stored_at, v.opened_at)';
  const counts = `(${inTime} and ${stored} <= :now)`;
  const columns = {
    counts,
    at: isoOf('v.opened_at'),
    until: 'null',
    knownAt: isoOf(stored),
    name: 'c.name',
    value: 'null',
  };
  return {
    sql: `${select(columns, 'conversed')} from conversation v join campaign c using (tenant_id, campaign_id)
      where tenant_id = :tenantId and v.contact_id = :contactId and ${among} ${latest(counts, 'v.opened_at')}`,
    bindings,
  };
}

/** Every sub-task of the contact, also one that was never delivered. */
function reached(of: SegmentCampaigns, asOf: Date) {
  const { among, inTime, bindings } = campaignsOf(of, 'y.finished_at', asOf);
  const counts = `(y.dispatch_id is not null and coalesce(${inTime}, false))`;
  const columns = {
    counts,
    at: isoOf('coalesce(y.finished_at, t.finished_at)'),
    until: 'null',
    knownAt: isoOf('t.delivered_since'),
    name: 'c.name',
    value: 't.status',
  };
  return {
    sql: `${select(columns, 'reached')} from campaign c join dispatch d on d.campaign_id = c.campaign_id
      join dispatch_chunk r on r.dispatch_id = d.dispatch_id and ${hasContact('r', ':contactId')}
      join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk
      left join ${pastRelations.delivery('y')} on y.dispatch_id = t.dispatch_id and y.chunk = t.chunk
      where c.tenant_id = :tenantId and ${among} ${latest(counts, 't.finished_at')}`,
    bindings,
  };
}

/** What the contact had of the tag last, and when it got it afterwards. */
function assignments(tagId: string) {
  const columns = {
    counts: '(x.since <= :now and coalesce(x.until > :now, true) and coalesce(g.expires_at > :now, true))',
    at: isoOf('x.since'),
    until: isoOf('least(x.until, g.expires_at)'),
    knownAt: 'null',
    name: 'g.name',
    value: 'null',
  };
  return {
    sql: `${select(columns, 'tag')} from ${pastRelations.tag('g')} join lateral (
        select assigned_at as since, null::timestamptz as until from tag_assignment
        where tag_id = :tagId and contact_id = :contactId
        union all select since, until from tag_assignment_past where tag_id = :tagId and contact_id = :contactId) x on true
      where g.tenant_id = :tenantId and g.tag_id = :tagId ${latest('x.since <= :now', 'x.since')}`,
    bindings: { tagId },
  };
}

/** Lists have no times. */
function membership(audienceId: string) {
  const columns = { counts: 'true', at: 'null', until: 'null', knownAt: 'null', name: 'a.name', value: 'null' };
  return {
    sql: `${select(columns, 'inList')} from audience a join audience_member m using (audience_id)
      where a.tenant_id = :tenantId and a.audience_id = :audienceId and m.contact_id = :contactId`,
    bindings: { audienceId },
  };
}

function entry() {
  const columns = {
    counts: 'true',
    at: isoOf('p.entered_at'),
    until: 'null',
    knownAt: 'null',
    name: 'null',
    value: 'null',
  };
  return {
    sql: `${select(columns, 'entered')} from ${pastRelations.profile('p')}
      where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.contact_id = :contactId
        and p.entered_at is not null`,
    bindings: {},
  };
}

function profile({ field, name }: Extract<SegmentCondition, { profile: unknown }>['profile']) {
  const value = field === 'attribute' ? 'p.attributes ->> :attribute' : `p.${field}`;
  const columns = {
    counts: 'true',
    at: isoOf('p.since'),
    until: isoOf('p.until'),
    knownAt: 'null',
    name: field === 'attribute' ? ':attribute::text' : `'${field}'`,
    value,
  };
  return {
    sql: `${select(columns, 'profile')} from ${pastRelations.profile('p')}
      where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.contact_id = :contactId`,
    bindings: field === 'attribute' ? { attribute: name } : {},
  };
}

function statementOf(condition: SegmentCondition, asOf: Date): { sql: string; bindings: Bindings } {
  if ('tag' in condition) return assignments(condition.tag);
  if ('reached' in condition) return reached(condition.reached, asOf);
  if ('clicked' in condition) return clicks(condition.clicked, asOf);
  if ('conversed' in condition) return conversations(condition.conversed, asOf);
  if ('inList' in condition) return membership(condition.inList.audienceId);
  return 'entered' in condition ? entry() : profile(condition.profile);
}

/** What a condition rests on for one contact, at most three facts: those that count at the time first, then the latest. */
export async function factsOf(
  transaction: Transaction,
  condition: SegmentCondition,
  { asOf, ...contact }: Asked,
): Promise<AudienceFact[]> {
  const { sql, bindings } = statementOf(condition, asOf);
  const found = await rows<{ fact: AudienceFact }>(transaction, sql, { ...contact, now: asOf, ...bindings });
  return found.map(({ fact }) => fact);
}
