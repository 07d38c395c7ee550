import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { type Database, rows } from '#db/database.ts';
import { storeClicks } from '#db/outreach/clicks/attribution.ts';
import { storeConversations } from '#db/outreach/clicks/conversations.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { sendCampaign } from '#commands/outreach/sends/send-campaign.ts';
import { recordReport } from '#db/outreach/sends/polling.ts';
import { assignTag } from '#commands/outreach/tags/assign-tag.ts';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import { expireTags } from '#db/outreach/tags/expiry.ts';
import { createTag } from '#commands/outreach/tags/create-tag.ts';
import { updateTag } from '#commands/outreach/tags/update-tag.ts';
import type { Audience } from '#domain/api/audiences.ts';
import { Problem } from '#domain/api/problem.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { audienceOf, type Known } from './audiences.ts';
import type { Random } from './random.ts';

const DAY_MS = 86_400_000;
const CONTACTS = 40;
const serviceNumberId = 'sn-1';
const messages = [
  {
    type: 'buttons',
    title: 'T',
    text: 't',
    actions: [0, 1].map((n) => ({ type: 'Postback', label: `B${n}`, data: {} })),
  },
];

/** An audience as it was frozen. */
export interface FrozenAudience {
  audience: Audience;
  at: Date;
  contactIds: string[];
}

interface SubTask {
  key: string;
  taskId: string;
  contacts: number;
}

/** A tenant of which more and more happens, as time goes on from one step to the next. */
export class History {
  readonly known: Known = { tagIds: [], campaignIds: [], listId: randomUUID() };
  readonly frozen: FrozenAudience[] = [];
  readonly #db: Database;
  readonly #random: Random;
  readonly #tenant: TestTenant;
  readonly #temporary = new Set<string>();
  readonly #subTasks: SubTask[] = [];
  #now = new Date('2030-01-01T00:00:00Z');

  private constructor(db: Database, random: Random, tenant: TestTenant) {
    this.#db = db;
    this.#random = random;
    this.#tenant = tenant;
  }

  static async begin(db: Database, random: Random): Promise<History> {
    const history = new History(db, random, await seedTenant(db, testEncryption));
    await history.#addList();
    for (let number = 0; number < 5; number += 1) await history.#addTag(number >= 3);
    for (let contact = 0; contact < CONTACTS - 5; contact += 1) await history.#tell('contact.entered', `c-${contact}`);
    return history;
  }

  get owner() {
    return { tenantId: this.#tenant.tenantId, serviceNumberId };
  }

  get #author() {
    return { tenantId: this.#tenant.tenantId, userId: 'u1', requestId: null };
  }

  #ago(days: number): Date {
    return new Date(this.#now.getTime() - this.#random.next() * days * DAY_MS);
  }

  #contact(): string {
    return `c-${this.#random.whole(0, CONTACTS - 1)}`;
  }

  async #addList(): Promise<void> {
    const { tenantId } = this.#tenant;
    const list = { audience_id: this.known.listId, tenant_id: tenantId, service_number_id: serviceNumberId, name: 'L' };
    await this.#db('audience').insert({ ...list, type: 'contacts', created_by: 'u1', updated_at: this.#now });
    for (let contact = 0; contact < CONTACTS; contact += 2)
      await this.#db('audience_member').insert({ audience_id: this.known.listId, contact_id: `c-${contact}` });
  }

  async #addTag(isTemporary: boolean): Promise<void> {
    const expiresAt = new Date(this.#now.getTime() + DAY_MS).toISOString();
    const kind = isTemporary ? { kind: 'temporary' as const, expiresAt } : { kind: 'permanent' as const };
    const { tagId } = await createTag(
      this.#db,
      this.#author,
      { name: randomUUID(), serviceNumberId, ...kind },
      this.#now,
    );
    this.known.tagIds.push(tagId);
    if (isTemporary) this.#temporary.add(tagId);
  }

  async #tell(eventType: string, contactId: string): Promise<void> {
    const random = this.#random;
    const said = {
      language: random.of(['en', 'zh', undefined]),
      region: random.of(['north', 'south', 'west', undefined]),
      channel: random.of(['line', undefined]),
      attributes: random.of([{ born: this.#ago(8).toISOString().slice(0, 10) }, { born: 'soon' }, undefined]),
    };
    await storeEvents(
      this.#db,
      [
        {
          tenantIntegrationId: this.#tenant.tenantIntegrationId,
          eventId: randomUUID(),
          eventType: eventType as 'contact.updated',
          occurredAt: this.#ago(3).toISOString(),
          serviceNumberId,
          payload: JSON.stringify({ contactId, serviceNumberId, ...said }),
        },
      ],
      1,
    );
    while ((await handleBatch(this.#db, 0, eventHandlers, this.#now, new Date(0))).taken > 0);
  }

  async #tag(): Promise<void> {
    const tagId = this.#random.of(this.known.tagIds);
    const { tenantId } = this.#tenant;
    const people = await this.#db('contact_profile').where({ tenant_id: tenantId }).pluck('contact_id');
    const chosen = this.#random.some(people.toSorted(), 12);
    if (this.#random.next() < 0.6) await assignTag(this.#db, this.#author, tagId, chosen, this.#now);
    else await unassignTag(this.#db, this.#author, tagId, chosen, this.#now);
  }

  async #expire(): Promise<void> {
    await expireTags(this.#db, { now: this.#now, limit: 10 });
    const tagId = this.#random.of([...this.#temporary]);
    const expiresAt = new Date(this.#now.getTime() + this.#random.whole(-1, 3) * DAY_MS).toISOString();
    await updateTag(this.#db, this.#author, tagId, { patch: { expiresAt }, now: this.#now });
  }

  async #click(): Promise<void> {
    const campaignId = this.known.campaignIds.at(-this.#random.whole(1, 12));
    if (!campaignId) return;
    const { tenantId } = this.#tenant;
    const contactId = this.#contact();
    const clickedAt = this.#ago(6);
    if (this.#random.next() < 0.5) {
      const click = { noticeId: randomUUID(), actionIndex: this.#random.whole(0, 1), messageIndex: 0 };
      const of = {
        tenantId,
        contactId,
        campaignId,
        taskId: 't',
        bizEventCode: null,
        arm: null,
        messageCase: null,
        eventId: randomUUID(),
        clickedAt,
      };
      await this.#db.transaction((transaction) => storeClicks(transaction, [{ ...click, ...of }], this.#now));
      return;
    }
    const opened = { tenantId, contactId, reasonId: campaignId, openedAt: clickedAt, serviceNumberId };
    const more = { sessionId: randomUUID(), sourceId: null, channel: null };
    await this.#db.transaction((transaction) => storeConversations(transaction, [{ ...opened, ...more }], this.#now));
  }

  async #report(): Promise<void> {
    const task = this.#subTasks.at(-this.#random.whole(1, 8));
    if (!task) return;
    const delivered = this.#random.of([0, task.contacts]);
    await recordReport(
      this.#db,
      { ...task, tenantId: this.#tenant.tenantId },
      {
        status: 'completed',
        recipientCount: task.contacts,
        summary: { sent: task.contacts, delivered, failed: task.contacts - delivered, read: 0 },
        startedAt: this.#now,
        finishedAt: this.#random.next() < 0.5 ? this.#now : this.#ago(1),
        reportedAt: this.#now,
      },
      { nextPollAt: null, pollIntervalMs: 1, pollUntil: null },
    );
  }

  /** Whatever happens next, a while later. */
  async happen(): Promise<void> {
    this.#now = new Date(this.#now.getTime() + this.#random.whole(1, 4 * 3_600_000));
    const told = ['updated', 'updated', 'unfollowed', 'followed', 'unsubscribed', 'resubscribed', 'entered'];
    await this.#random.of([
      () => this.#tell(`contact.${this.#random.of(told)}`, this.#contact()),
      () => this.#tell(`contact.${this.#random.of(told)}`, this.#contact()),
      () => this.#tag(),
      () => this.#tag(),
      () => this.#expire(),
      () => this.#click(),
      () => this.#click(),
      () => this.#report(),
      () => this.#report(),
    ])();
  }

  /** Sends a campaign to a random audience, which freezes it. @returns whether it reached anybody. */
  async freeze(): Promise<boolean> {
    const { tenantId } = this.#tenant;
    this.#now = new Date(this.#now.getTime() + 1);
    const audience = audienceOf(this.#random, this.known, this.#now);
    const campaignId = uuidv7();
    await rows(
      this.#db,
      `insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule, status,
         created_by) values (:campaignId, :tenantId, :serviceNumberId, 'S', '{default}', :messages::jsonb,
         :audience::jsonb, '{"type":"immediate"}', 'draft', 'u1')`,
      { campaignId, tenantId, serviceNumberId, messages: JSON.stringify(messages), audience: JSON.stringify(audience) },
    );
    try {
      const request = { idempotencyKey: null, expectedReachableCount: null, now: this.#now };
      await sendCampaign(this.#db, this.#author, campaignId, request);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'audience_empty')) throw error;
      this.frozen.push({ audience, at: this.#now, contactIds: [] });
      return false;
    }
    await this.#note(campaignId, audience);
    return true;
  }

  async #note(campaignId: string, audience: Audience): Promise<void> {
    const found = await rows<{ contactId: string }>(
      this.#db,
      `select r.contact_id from dispatch d join dispatch_recipient r using (dispatch_id)
       where d.campaign_id = :campaignId order by r.contact_id collate "C"`,
      { campaignId },
    );
    this.frozen.push({ audience, at: this.#now, contactIds: found.map(({ contactId }) => contactId) });
    this.known.campaignIds.push(campaignId);
    const tasks = await this.#db('broadcast_task').where({ campaign_id: campaignId });
    for (const { key, contactCount } of tasks) {
      const taskId = `task-${key}`;
      await this.#db('broadcast_task').where({ key }).update({ status: 'sending', task_id: taskId });
      this.#subTasks.push({ key, taskId, contacts: contactCount });
    }
  }
}
