import { setReadOnly } from '#test/support/servers/read-only.ts';
import type { World } from './state.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** In some worlds the database takes no writes for a minute, once or several times, whatever is under way. */
export async function refuseWritesSometimes(world: World): Promise<void> {
  const { chances, clock, database } = world;
  if (chances.fraction('refuses writes') >= 0.12) return;
  for (let spell = 0; spell < chances.between(1, 3, 'spells'); spell += 1) {
    await clock.sleep(chances.pick([1, 2, 5, 20, 100, 400, 1500], 'refuses after', spell) * SECOND);
    if (!world.operating) return;
    world.note('the database takes no writes');
    world.takesWrites = false;
    await setReadOnly(database, 'on');
    await clock.sleep(MINUTE);
    await takeWrites(world);
    world.note('the database takes writes');
  }
}

/** The database takes writes again, if it took none. */
export async function takeWrites(world: World): Promise<void> {
  if (world.takesWrites) return;
  await setReadOnly(world.database, 'off');
  world.takesWrites = true;
}

/** In some worlds the clock of the service is set, and in some of those set right again. */
export async function setClockSometimes({ chances, clock, note }: World): Promise<void> {
  if (chances.fraction('clock is set') >= 0.1) return;
  const ms = chances.pick([-20, -3, -1, 1, 5, 30, 90], 'clock is set by') * MINUTE;
  await clock.sleep(chances.pick([1, 3, 10, 30, 120, 600], 'clock is set after') * SECOND);
  clock.set(ms);
  note(`the clock is set by ${ms / MINUTE} minutes`);
  if (chances.fraction('clock is set right') < 0.5) return;
  await clock.sleep(chances.pick([10, 60, 300, 1200], 'clock is set right after') * SECOND);
  clock.set(-ms);
  note('the clock is set right');
}
