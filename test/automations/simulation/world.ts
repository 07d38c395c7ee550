import { createOutreachActivities, type OutreachActivities } from '#activities/outreach/index.ts';
import { createAutomationSweep } from '#activities/outreach/automations/automations.ts';
import { createPlatformGateway } from '#clients/platform/gateway.ts';
import { createAutomation } from '#commands/outreach/automations/create-automation.ts';
import { createTag } from '#commands/outreach/tags/create-tag.ts';
import { type Database, rows } from '#db/database.ts';
import { unlessAway } from '#test/sends/model/away.ts';
import { chancesOf } from '#test/sends/model/chances.ts';
import { startClock } from '#test/sends/model/clock.ts';
import { createFlows, type Flows } from '#test/sends/model/flows.ts';
import { isBusy, unhurried } from '#test/sends/model/world.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { setReadOnly } from '#test/support/servers/read-only.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { bodiesOf, serviceNumberId } from './bodies.ts';
import { approveAll, askForApproval, moveOne, resolveAll } from './operators.ts';
import { haveRound } from './people.ts';
import { startPlatform } from './platform.ts';
import type { World } from './state.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const DAYS = 30;
/** Messages of all automations to one contact in a day. */
export const PER_CONTACT = 2;
/** Hours of UTC at which people do something: at each of them, or at one a day, which takes a quarter of the time. */
const HOURS = [3, 8, 13, 19];
const START = new Date('2031-03-01T00:00:00Z');
/** Far more moments than that time has for which anything waits. */
const JUMPS = 2_000_000;

/** When automations of the world end, beside the one with an end of its own. */
export const ENDS = { birthday: START.getTime() + 25 * DAY, clicked: START.getTime() + 27 * DAY + 6 * HOUR };

/** Lets people, operators and faults do what they do, and what is due be done. */
async function pass(world: World, deps: Parameters<typeof createAutomationSweep>[0]): Promise<void> {
  const { clock, flows, chances } = world;
  const sweepAll = createAutomationSweep(deps);
  const sweep = () => sweepAll().catch(unlessAway);
  const until = (at: number) => clock.sleep(world.start + at - clock.elsewhere());
  const at = (when: number, work: () => Promise<unknown>) =>
    clock.begin(async () => {
      await until(when);
      await work();
    });

  for (let day = 0; day < DAYS; day += 1)
    for (const [place, hour] of HOURS.entries()) {
      if (!world.isLively && day % HOURS.length !== place) continue;
      const number = day * 24 + hour;
      const when = number * HOUR + chances.between(0, 9, 'round', number) * MINUTE;
      at(when, () => haveRound(world, number));
      at(when + 20 * SECOND, sweep);
      // Two processes look at once.
      if (chances.fraction('two look', number) < 0.1)
        for (let process = 0; process < 2; process += 1)
          at(when + 70 * SECOND, () => flows.activity(({ lookAtAutomations }) => lookAtAutomations(numberOf(world))));
      if (chances.fraction('takes no writes', number) < 0.05) {
        const spell = when + chances.between(15, 70, 'spell', number) * SECOND + 500;
        at(spell, () => setWrites(world, false));
        at(spell + MINUTE, () => setWrites(world, true));
      }
    }
  const sweepsEvery = world.isLively ? HOUR / 2 : 6 * HOUR;
  for (let when = sweepsEvery; when < DAYS * DAY; when += sweepsEvery) at(when + 7, sweep);
  for (let day = 1; day < DAYS; day += 1) at(day * DAY + HOUR, () => resolveAll(world));
  at(6 * DAY, () => moveOne(world, 1, 'pause'));
  at(8 * DAY + 6 * HOUR, () => moveOne(world, 1, 'resume'));
  at(12 * DAY, () => askForApproval(world));
  for (const day of [13, 14, 15, 16]) at(day * DAY + 6 * HOUR, () => approveAll(world));
  at(ENDS.clicked - world.start, () => moveOne(world, 2, 'end'));
  at((DAYS - 1) * DAY, () => Promise.resolve(world.platform.calmDown()));
  await clock.pass(DAYS * DAY);
}

const numberOf = ({ tenant: { tenantId } }: World) => ({ tenantId, serviceNumberId });

async function setWrites(world: World, takes: boolean): Promise<void> {
  world.takesWrites = takes;
  await setReadOnly(world.database, takes ? 'off' : 'on');
}

/** The activities, whose looks are told to the oracle: nothing is decided while nothing can be written. */
function observed(activities: OutreachActivities, world: () => World): OutreachActivities {
  return {
    ...activities,
    lookAtAutomations: async (number) => {
      const { clock, takesWrites, record } = world();
      const at = clock.now().getTime();
      const look = () => record((oracle) => oracle.look(at));
      if (takesWrites) look();
      const result = await activities.lookAtAutomations(number);
      // Begun in the last moment of the spell, it could write after all.
      if (!takesWrites && world().takesWrites) look();
      return result;
    },
  };
}

async function begin(world: World): Promise<void> {
  const { database, author, clock, tenant, contacts, flows } = world;
  await rows(database, 'update tenant set automations_per_contact_per_day = :limit where tenant_id = :tenantId', {
    tenantId: tenant.tenantId,
    limit: PER_CONTACT,
  });
  const given = { contacts: contacts.length, endsAt: new Date(ENDS.birthday) };
  for (const body of bodiesOf(world.tags, given)) {
    const more = { now: clock.now(), appId: 'outreach', automationsPerTenant: 5 };
    const { automationId } = await createAutomation(database, author, body, more);
    world.automationIds.push(automationId);
    await moveOne(world, world.automationIds.length - 1, 'activate');
  }
  await flows.launcher.automations(numberOf(world), { wake: true });
}

/** Thirty days of a tenant with five automations, as the seed has them. */
export async function runWorld(
  database: Database,
  { seed, contacts, isLively }: { seed: number; contacts: number; isLively: boolean },
) {
  const chances = chancesOf(seed);
  const clock = startClock(START, isBusy(database), JUMPS);
  const platform = startPlatform({ clock, chances, died: () => flows.kill() });
  const gateway = createPlatformGateway({ baseUrl: 'http://platform.example', exchange: platform.exchange });
  const flows: Flows = createFlows({
    clock,
    database,
    activities: () => activities,
    inbox: () => Promise.resolve(),
  });
  const defaults = testDeps(database, 'http://platform.example', { now: clock.now });
  await defaults.close();
  const settings = { ...defaults.settings, POLL_INTERVAL_MS: 2000, AUTOMATIONS_WINDOW_MS: MINUTE };
  const pacing = unhurried(defaults.pacing);
  const deps = { ...defaults, gateway, pacing, settings, sleep: clock.sleep, launcher: flows.launcher };
  const activities = observed(createOutreachActivities(deps), () => world);
  const tenant = await seedTenant(database, testEncryption);
  const author = { tenantId: tenant.tenantId, userId: 'operator', requestId: null };
  const newTag = async (name: string) =>
    (await createTag(database, author, { name, serviceNumberId, kind: 'permanent' }, START)).tagId;
  const tags = { interested: await newTag('Interested'), leaving: await newTag('Leaving') };
  const happened: World['happened'] = [];
  const world: World = {
    database,
    chances,
    clock,
    flows,
    platform,
    tenant,
    author,
    tags,
    start: START.getTime(),
    contacts: Array.from({ length: contacts }, (_, index) => `p${index}`),
    known: new Set(),
    automationIds: [],
    isLively,
    takesWrites: true,
    told: [],
    clicked: new Set(),
    pseudonyms: new Map(),
    resolved: new Map(),
    happened,
    record: (what) => void happened.push(what),
  };
  try {
    await begin(world);
    await pass(world, deps);
    return world;
  } finally {
    platform.close();
    flows.close();
    if (!world.takesWrites) await setWrites(world, true);
  }
}
