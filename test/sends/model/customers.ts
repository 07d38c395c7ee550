import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { firstRow } from '#db/database.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { onceWritable } from './away.ts';
import { hasSent, type PlatformTask } from './platform-tasks.ts';
import type { PlatformSource } from './platform-sources.ts';
import type { World } from './state.ts';

const MINUTE = 60_000;

const timeAt = ({ clock }: World): string => new Date(clock.elsewhere()).toISOString();

const clickOn = (world: World, task: PlatformTask, contactId: string, named: boolean) =>
  eventCommand(
    world.tenant,
    'notice.clicked',
    {
      taskId: task.taskId,
      noticeId: `notice-${task.taskId}`,
      actionIndex: named ? 0 : 1,
      action: named
        ? { type: 'Postback', data: JSON.stringify({ subTaskKey: task.key, messageIndex: 0 }) }
        : { type: 'Url', url: 'https://shop.example/more' },
      contactId,
      clickedAt: timeAt(world),
    },
    { occurredAt: timeAt(world) },
  );

/** Handles what is due in the inbox, and again when what waits there is due. */
export async function handleInbox(world: World): Promise<void> {
  const { database, clock, flows, tenant } = world;
  for (;;) {
    const { taken, polls } = await onceWritable(clock, () => handleBatch(database, 0, eventHandlers, clock.now()));
    for (const campaign of polls.values()) await flows.launcher.polling(campaign, { wake: true });
    if (taken === 0) break;
  }
  const next = await firstRow<{ at: Date | null }>(
    database,
    `select min(next_attempt_at) as at from event_inbox where tenant_id = :tenantId and status = 'stored'`,
    { tenantId: tenant.tenantId },
  );
  if (next?.at && !world.inboxDue) {
    world.inboxDue = true;
    const wait = next.at.getTime() - clock.now().getTime();
    clock.begin(async () => {
      await clock.sleep(Math.max(wait, 1000));
      world.inboxDue = false;
      await handleInbox(world);
    });
  }
}

async function click(world: World, task: PlatformTask, contactId: string, named: boolean): Promise<void> {
  if (world.callsAtUninstall !== null) return;
  const { database, clock } = world;
  const command = clickOn(world, task, contactId, named);
  await onceWritable(clock, () => inboxOf(database, clock.now).store(command));
  world.clicked.push({ key: task.key, contactId, at: clock.elsewhere() });
  await handleInbox(world);
}

/** Some of those who receive something click on it, within minutes or hours. */
export async function watchTasks(world: World): Promise<void> {
  const { chances, clock, platform } = world;
  const seen = new Set<PlatformTask>();
  for (let round = 0; round < 40; round += 1) {
    await clock.sleep(MINUTE * (round < 25 ? 1 : 5));
    for (const task of platform.tasks) {
      if (seen.has(task) || !hasSent(task, clock.elsewhere())) continue;
      seen.add(task);
      for (const contactId of task.contactIds) {
        const about = [contactId, task.contactIds.join()];
        if (chances.fraction('clicks', ...about) > 0.12) continue;
        const named = chances.fraction('named', ...about) < 0.85;
        clock.begin(async () => {
          await clock.sleep(chances.between(0, 60, 'clicks after', ...about) * MINUTE);
          await click(world, task, contactId, named);
        });
      }
    }
  }
}

/** Somebody opens a conversation by an entry source, perhaps one whose creation got no response. */
async function converse(world: World, source: PlatformSource): Promise<void> {
  const { database, clock, send, tenant, audience } = world;
  if (world.callsAtUninstall !== null) return;
  source.known = true;
  const session = {
    sessionId: `${send.campaignId}-${source.sourceId}`,
    sourceId: source.sourceId,
    contactId: audience[0],
    channel: 'default',
    entryReason: { type: 'activity', name: source.name, id: send.campaignId, data: {} },
  };
  const at = { occurredAt: timeAt(world) };
  await inboxOf(database, clock.now).store(eventCommand(tenant, 'session.created', session, at));
  await handleInbox(world);
}

/** In the end somebody clicks in whatever was sent, and opens conversations: nothing of it stays unknown. */
export async function clickOnAll(world: World): Promise<void> {
  for (const task of world.platform.tasks) {
    const [first] = task.contactIds;
    if (first !== undefined && hasSent(task, world.clock.elsewhere())) await click(world, task, first, true);
  }
  for (const source of world.platform.sources) if (source.active) await converse(world, source);
  await world.clock.pass(10 * MINUTE);
  await world.look();
}
