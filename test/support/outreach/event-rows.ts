import { expect } from 'chai';
import { type Database, rows } from '#db/database.ts';
import {
  expectedClicks,
  expectedConversations,
  expectedProfiles,
  expectedReasons,
  expectedWaiting,
  type ModelEvent,
  type ModelWorld,
} from './event-model.ts';

interface Played {
  /** Rows of the tenant, from a statement with `:tenantId`. */
  own: <Row>(sql: string) => Promise<Row[]>;
  events: ModelEvent[];
  world: ModelWorld;
}

async function checkClicks({ own, events, world }: Played): Promise<void> {
  const found = await own<{
    key: string;
    campaignId: string;
    eventId: string;
    repeats: number;
    clickedAt: Date;
    code: string | null;
  }>(
    `select json_build_array(task_id, contact_id, notice_id, action_index)::text as key, campaign_id,
       event_id, repeats, clicked_at, biz_event_code as code
     from click_attribution where tenant_id = :tenantId and message_index = 0`,
  );
  const expected = expectedClicks(events, world);
  const named = found.map((row) => ({ ...row, key: JSON.stringify(JSON.parse(row.key)) }));
  expect(named.map(({ key }) => key).toSorted()).to.deep.equal(Object.keys(expected).toSorted());
  for (const { key, campaignId, eventId, repeats, clickedAt, code } of named) {
    expect({ campaignId, repeats }, key).to.deep.equal({
      campaignId: expected[key]?.campaignId,
      repeats: expected[key]?.repeats,
    });
    expect(expected[key]?.firsts, key).to.include(eventId);
    const first = events.find((event) => event.eventId === eventId);
    expect(clickedAt).to.deep.equal(first?.occurredAt);
    expect(code).to.equal([null, 'buy', 'look'][[1, 0, 2].indexOf(Number(first?.data['actionIndex']))]);
  }
}

async function checkTags({ own, events, world }: Played): Promise<void> {
  const given = await own<{ tagId: string; contactId: string; ruleId: string; eventId: string }>(
    `select tag_id, contact_id, source_rule_id as rule_id, source_event_id as event_id
     from tag_assignment where tenant_id = :tenantId`,
  );
  const reasons = expectedReasons(events, world);
  for (const { tagId, contactId, ruleId, eventId } of given)
    expect(reasons).to.include([tagId, contactId, ruleId, eventId].join(' '));
  const pairs = reasons.map((reason) => reason.split(' ').slice(0, 2).join(' '));
  const expected = [...new Set(pairs)].toSorted();
  expect(given.map(({ tagId, contactId }) => `${tagId} ${contactId}`).toSorted()).to.deep.equal(expected);
  const count = (field: 'tagId' | 'ruleId', id: string) => given.filter((row) => row[field] === id).length;
  const counts = await own<{ tagId: string; contacts: number }>(
    `select tag_id, contact_count as contacts from tag where tenant_id = :tenantId`,
  );
  for (const { tagId, contacts } of counts) expect(contacts).to.equal(count('tagId', tagId));
  const hits = await own<{ ruleId: string; hits: number }>(
    `select rule_id, hit_count as hits from smart_tag_rule where tenant_id = :tenantId`,
  );
  expect(hits).to.have.length(world.rules.length);
  for (const rule of hits) expect(rule.hits).to.equal(count('ruleId', rule.ruleId));
}

async function checkConversations({ own, events, world }: Played): Promise<void> {
  const found = await own<{
    id: string;
    contactId: string;
    campaignId: string | null;
    messages: number | null;
    seconds: number | null;
  }>(
    `select session_id as id, contact_id, campaign_id, message_count as messages,
       duration_seconds as seconds from conversation where tenant_id = :tenantId`,
  );
  const expected = expectedConversations(events, world);
  expect(found.map(({ id }) => id).toSorted()).to.deep.equal(Object.keys(expected).toSorted());
  for (const { id, contactId, campaignId, messages, seconds } of found) {
    const conversation = expected[id];
    expect({ contactId, campaignId }).to.deep.equal({
      contactId: conversation?.contactId,
      campaignId: conversation?.campaignId,
    });
    if (messages === null) expect(conversation?.messageCounts).to.deep.equal([]);
    else expect(conversation?.messageCounts).to.include(messages);
    expect(seconds).to.equal(messages === null ? null : messages * 10);
  }
}

async function checkProfiles({ own, events }: Played): Promise<void> {
  const found = await own<{ key: string; enteredAt: Date | null; lastEventAt: Date }>(
    `select service_number_id || ' ' || contact_id as key, follow_state, unsubscribed, attributes,
       display_name, entered_at, last_event_at
     from contact_profile where tenant_id = :tenantId`,
  );
  const stored = found.map(({ key, enteredAt, lastEventAt, ...profile }) => [
    key,
    { ...profile, enteredAt: enteredAt?.getTime() ?? null, lastEventAt: lastEventAt.getTime() },
  ]);
  expect(Object.fromEntries(stored)).to.deep.equal(expectedProfiles(events));
  const told = await own<{ id: string }>('select event_id as id from contact_event where tenant_id = :tenantId');
  const follows = events.filter(({ eventType }) => /^contact\.(?!updated)/.test(eventType));
  expect(told.map(({ id }) => id).toSorted()).to.deep.equal(follows.map(({ eventId }) => eventId).toSorted());
}

async function checkInbox({ own, events, world }: Played): Promise<void> {
  const found = await own<{ id: string; status: string }>(
    'select event_id as id, status from event_inbox where tenant_id = :tenantId order by 1',
  );
  const waiting = expectedWaiting(events, world);
  expect(found).to.deep.equal(
    events.map(({ eventId: id }) => ({ id, status: waiting.includes(id) ? 'stored' : 'processed' })),
  );
}

/** Compares everything that the events left behind for the tenant with the model. */
export async function checkRows(
  database: Database,
  tenantId: string,
  events: ModelEvent[],
  world: ModelWorld,
): Promise<void> {
  const played: Played = { own: (sql) => rows(database, sql, { tenantId }), events, world };
  await checkInbox(played);
  await checkClicks(played);
  await checkTags(played);
  await checkConversations(played);
  await checkProfiles(played);
}
