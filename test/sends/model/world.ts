import { Registry } from 'prom-client';
import { createOutreachActivities } from '#activities/outreach/index.ts';
import { createOutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import type { OutreachDeps } from '#activities/outreach/deps.ts';
import { createPlatformTasks } from '#api/backend/platform-tasks.ts';
import type { Pacing } from '#activities/outreach/pacing/pacing.ts';
import type { BackendDeps } from '#api/backend/deps.ts';
import { createRefusalTrail } from '#api/backend/refusals.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { createPlatformGateway } from '#clients/platform/gateway.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { retentionOf } from '#domain/retention.ts';
import { testUploads } from '#test/support/services/backend.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { beginAutomation, peopleFollow } from './automations.ts';
import { chancesOf } from './chances.ts';
import { startClock } from './clock.ts';
import { clickOnAll, handleInbox, watchTasks } from './customers.ts';
import { adopt } from './copies.ts';
import { createFlows, type Flows } from './flows.ts';
import { judge, type Report } from './judge.ts';
import { look } from './looks.ts';
import { giveUp, operate, settle } from './operators.ts';
import { refuseWritesSometimes, setClockSometimes, takeWrites } from './outages.ts';
import { restsAt } from './platform-tasks.ts';
import { startPlatform } from './platform.ts';
import { prepareSend } from './sends.ts';
import type { Limits, World } from './state.ts';
import { untilNextStep } from './steps.ts';
import { uninstallSometime } from './uninstalling.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than ended tasks are polled. */
const DAYS_MS = 3 * 24 * HOUR;
/** Until all that the platform denies for a time has been seen again: most of what a day shows, at half its price. */
const HOURS_MS = 6 * HOUR;

function backendOf(deps: OutreachDeps, flows: Flows): BackendDeps {
  const { database, encryption, now, settings } = deps;
  const logger = createLogger('backend', 'silent');
  return {
    database,
    encryption,
    targets: createOutsideAddresses({ production: false }),
    now,
    launcher: { ...flows.launcher, writeCopy: () => Promise.resolve(), actionsOf: () => Promise.resolve(null) },
    platform: createPlatformTasks(deps),
    retention: retentionOf(settings),
    logger,
    refusals: createRefusalTrail({ database, logger }),
    appId: settings.PLATFORM_APP_ID,
    pollIntervalMs: settings.POLL_INTERVAL_MS,
    callsPerSecond: 1000,
    internalSecrets: [''],
    checkResponses: false,
    toolApiEnabled: false,
    previewsPerMinute: 600,
    automationsPerTenant: 200,
    automationsLookMs: null,
    rulesPerTenant: 200,
    aiConfigured: false,
    readWaitingRefunds: () => Promise.resolve([]),
    uploads: testUploads(),
    registry: new Registry(),
  };
}

/** Whether a pool does anything, or is about to. */
export const isBusy =
  ({ client }: Database) =>
  (): boolean => {
    const pool = (client as { pool: Record<'numUsed' | 'numPendingAcquires' | 'numPendingCreates', () => number> })
      .pool;
    return pool.numUsed() > 0 || pool.numPendingAcquires() > 0 || pool.numPendingCreates() > 0;
  };

/** Keeps to the platform's pauses, which are in simulated time; calls per second are counted in real time. */
export const unhurried = (pacing: Pacing): Pacing => ({
  ...pacing,
  turn: (tenantId) =>
    Promise.resolve(pacing.pausedUntil(tenantId) ? null : { end: () => undefined, giveBack: () => undefined }),
});

async function openWorld(database: Database, seed: number, limits: Limits, trace: string[]): Promise<World> {
  const chances = chancesOf(seed);
  const clock = startClock(new Date(), isBusy(database));
  const kill = (): void => flows.kill();
  const platform = startPlatform({ clock, chances, died: kill });
  const gateway = createPlatformGateway({ baseUrl: 'http://platform.example', exchange: platform.exchange });
  const flows: Flows = createFlows({ clock, database, activities: () => activities, inbox: () => handleInbox(world) });
  const defaults = testDeps(database, 'http://platform.example', { now: clock.now });
  await defaults.close();
  const settings = { ...defaults.settings, POLL_INTERVAL_MS: 2000, AUTOMATIONS_WINDOW_MS: MINUTE };
  const pacing = unhurried(defaults.pacing);
  const deps = { ...defaults, gateway, pacing, settings, sleep: clock.sleep, launcher: flows.launcher };
  const activities = createOutreachActivities(deps);
  const tenant = await seedTenant(database, testEncryption);
  const { tenantId } = tenant;
  const begun = {
    chances,
    limits,
    clock,
    database,
    platform,
    flows,
    tenant,
    backend: backendOf(deps, flows),
    author: { tenantId, userId: 'u1', requestId: null },
    actor: { tenantId, userId: 'u1', role: 'tenant_admin' as const },
    copied: [],
    halts: [],
    claimsAtUninstall: 0,
    heldBack: new Set<string>(),
    excused: new Set<string>(),
    callsAtUninstall: null,
    inboxDue: false,
    takesWrites: true,
    operating: true,
    automationId: null,
    automationEnded: false,
    follows: [],
    clicked: [],
    seenReached: new Map(),
    looks: 0,
    note: (what: string) => void trace.push(`${new Date(clock.elsewhere()).toISOString().slice(5, 19)} ${what}`),
    look: () => look(world),
  };
  const world: World = { ...begun, ...(await prepareSend(begun)) };
  return world;
}

/** As its Schedule does, which closes campaigns at their ends. */
async function sweepAtTimes(world: World): Promise<void> {
  while (world.operating) {
    await world.clock.sleep(5 * MINUTE);
    await world.flows.activity(({ sweepOutreachRows }) => sweepOutreachRows());
  }
}

/** What is missing according to the rows is started, until nothing is. */
async function sweep(world: World): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await world.clock.pass(MINUTE);
    const counts = await world.flows.activity(({ sweepOutreachRows }) => sweepOutreachRows());
    if (counts.dispatches + counts.polls + counts.closings + counts.sourceUpdates === 0) return;
    world.note(`the sweep started ${JSON.stringify(counts)}`);
  }
  throw new Error('the sweep never finds everything done');
}

/** A pace, or an operator who goes on after its deadline, has as many rounds as it takes; what stands still is found by the judge. */
const ROUNDS_TO_REST = 12;

/** Whether something is still to be submitted. */
const isUnsubmitted = ({ database, tenant: { tenantId } }: World): Promise<boolean> =>
  firstRow(database, `select 1 from broadcast_task where tenant_id = :tenantId and status = 'pending' limit 1`, {
    tenantId,
  }).then((found) => found !== null);

/** Everything is answered, and the platform has done all that it ever will. */
async function comeToRest(world: World): Promise<void> {
  const { clock, platform } = world;
  for (let round = 0; ; round += 1) {
    await settle(world);
    await sweep(world);
    const tasks = Math.max(0, ...platform.tasks.map(restsAt)) - clock.elsewhere();
    const wait = Math.max(tasks, await untilNextStep(world));
    if (wait < 0 && (round >= ROUNDS_TO_REST || !(await isUnsubmitted(world)))) return;
    const rest = Math.max(wait, 0) + MINUTE;
    clock.begin(() => clock.sleep(rest));
    await clock.pass(rest);
  }
}

/** Leaves nothing that the sweep of a later world in the same database would find. */
async function retire({ database, tenant: { tenantId } }: World): Promise<void> {
  await rows(database, 'delete from event_inbox where tenant_id = :tenantId', { tenantId });
  await rows(database, `update tenant_integration set status = 'UNINSTALLED' where tenant_id = :tenantId`, {
    tenantId,
  });
}

/** One campaign from its send to its rest, with the figures looked at all the time, and what became of each contact. */
export async function runWorld(
  database: Database,
  { seed, limits, meddle }: { seed: number; limits: Limits; meddle?: (world: World) => Promise<void> },
  trace: string[] = [],
): Promise<Report> {
  const world = await openWorld(database, seed, limits, trace);
  const { flows, clock, send } = world;
  try {
    await world.look();
    await flows.launcher.dispatch(send, { wake: false });
    if (world.hasVariants) await flows.launcher.variantTest(send, { wake: false });
    if (world.hasSteps) await flows.launcher.steps(send, { wake: false });
    await beginAutomation(world);
    clock.begin(() => peopleFollow(world));
    clock.begin(() => operate(world));
    clock.begin(() => watchTasks(world));
    clock.begin(() => uninstallSometime(world));
    clock.begin(() => refuseWritesSometimes(world));
    clock.begin(() => setClockSometimes(world));
    clock.begin(() => sweepAtTimes(world));
    if (meddle) clock.begin(() => meddle(world));
    while (world.operating) await clock.pass(10 * MINUTE);
    await clock.pass(20 * MINUTE);
    await comeToRest(world);
    await clickOnAll(world);
    await giveUp(world);
    // A late click may show that a denied task was sent; the platform denies it again.
    await clock.pass(2 * HOUR);
    await giveUp(world);
    await clock.pass(world.chances.fraction('followed to the end') < 0.2 ? DAYS_MS : HOURS_MS);
    await sweep(world);
    await world.look();
    return await judge(world);
  } finally {
    world.platform.close();
    flows.close();
    await takeWrites(world);
    await adopt(world);
    await retire(world);
  }
}
