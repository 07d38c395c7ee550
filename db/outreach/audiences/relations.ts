import { wasDelivered } from '../sends/ledger/conditions.ts';

/** SQL: a relation under its own name, or as this one. */
type Relation = (as?: string) => string;

const table =
  (name: string): Relation =>
  (as) =>
    as === undefined ? name : `${name} ${as}`;

const query =
  (name: string, sql: string): Relation =>
  (as = name) =>
    `(${sql}) ${as}`;

/** What audiences are evaluated over: the same columns now and at an earlier time, so that one statement is both. */
interface Relations {
  profile: Relation;
  assignment: Relation;
  tag: Relation;
  click: Relation;
  conversation: Relation;
}

/** The present has sets of bits besides (tags, large sends), of which no past is kept. */
type Present = Relations & { isPast: false };

/** State as of `:now`, with the sub-tasks that counted as delivered. */
type Past = Relations & { isPast: true; delivery: Relation };

export type AudienceRelations = Present | Past;

export const presentRelations: Present = {
  isPast: false,
  profile: table('contact_profile'),
  assignment: table('tag_assignment'),
  tag: table('tag'),
  click: table('click_attribution'),
  conversation: table('conversation'),
};

const then = ':now::timestamptz';

/** SQL: a row that began at `since`, or before anything was kept. */
const hadBegun = (since: string) => `coalesce(${since} <= ${then}, true)`;

const ofProfile =
  'tenant_id, service_number_id, contact_id, channel, language, region, attributes, follow_state, unsubscribed, entered_at';

const ofDelivery = 'tenant_id, campaign_id, dispatch_id, chunk, finished_at';

/** Knowledge as of `:now`: facts count from when they were stored, not from when they occurred. */
export const pastRelations: Past = {
  isPast: true,
  profile: query(
    'contact_profile',
    `select ${ofProfile}, changed_at as since, null::timestamptz as until from contact_profile where ${hadBegun('changed_at')}
     union all
     select ${ofProfile}, since, until from contact_profile_past where until > ${then} and ${hadBegun('since')}`,
  ),
  // Clocks of two processes may differ, so that two assignments of one contact overlap.
  assignment: query(
    'tag_assignment',
    `select tenant_id, tag_id, contact_id from tag_assignment where assigned_at <= ${then}
     union
     select tenant_id, tag_id, contact_id from tag_assignment_past where since <= ${then} and until > ${then}`,
  ),
  // When a tag is marked as expired, its time had come already.
  tag: query(
    'tag',
    `select g.tenant_id, g.tag_id, g.name, case when x.tag_id is null then g.expires_at else x.expires_at end as expires_at,
       'active' as status
     from tag g left join lateral (select tag_id, expires_at from tag_past
       where tag_id = g.tag_id and until > ${then} order by until limit 1) x on true`,
  ),
  click: query('click_attribution', `select * from click_attribution where coalesce(stored_at, clicked_at) <= ${then}`),
  conversation: query('conversation', `select * from conversation where coalesce(stored_at, opened_at) <= ${then}`),
  delivery: query(
    'delivery',
    `select ${ofDelivery} from broadcast_task t where ${wasDelivered} and ${hadBegun('coalesce(delivered_since, finished_at)')}
     union all
     select ${ofDelivery} from broadcast_task_past where until > ${then} and ${hadBegun('coalesce(since, finished_at)')}`,
  ),
};
