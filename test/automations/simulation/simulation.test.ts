import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { complaintsAbout, type StoredEntry, storedEntries } from './compare.ts';
import type { World } from './state.ts';
import { runWorld } from './world.ts';

/** `npm run test:all` says how many; the suite repeats the same few. */
const { AUTOMATIONS_MODEL_CONTACTS: many, AUTOMATIONS_MODEL_SEED: only } = process.env;
const contacts = Number(many ?? 60);

function seedsOf(): number[] {
  if (only !== undefined) return [Number(only)];
  return many === undefined ? [1, 2] : [Math.floor(Math.random() * 2 ** 30)];
}

/** How many entries of which automation, counted from 0, became what. */
function summaryOf(stored: StoredEntry[]): Record<string, number> {
  const became = new Map<string, number>();
  for (const { automation, status, reason } of stored) {
    const name = `${automation} ${reason ?? status}`;
    became.set(name, (became.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...became].toSorted());
}

for (const seed of seedsOf())
  describe(`Automations of ${contacts} contacts for 30 days, seed ${seed}`, () => {
    const database = useDatabase('outreach');
    let world: World;
    let stored: StoredEntry[];

    before(async function () {
      this.timeout(1_200_000 + contacts * 1000);
      world = await runWorld(database, { seed, contacts, isLively: many !== undefined });
      stored = await storedEntries(world);
      process.stdout.write(`      ${JSON.stringify(summaryOf(stored))}\n`);
    });

    it('are what the oracle says, for every contact and in a dry run, and send nothing twice', async function () {
      this.timeout(60_000 + contacts * 100);
      const complaints = await complaintsAbout(world, stored);
      expect(complaints.slice(0, 20), `${complaints.length} complaints`).to.deep.equal([]);
      expect(stored.length).to.be.at.least(contacts);
    });

    it('are not, once a message is repeated, or an entry is missing, repeated or something else', async () => {
      const [task] = world.platform.tasks;
      if (task) world.platform.tasks.push(task);
      const [one, other, third] = stored.filter(({ reason }) => reason === 'duplicate' || reason === 'exit');
      if (!one || !other || !third) throw new Error('too little happened');
      const changed = stored.filter((entry) => entry !== one && entry !== other);
      const found = await complaintsAbout(world, [...changed, { ...other, reason: 'filter' }, third]);
      for (const said of ['sent twice', 'did not enter', 'entered twice', 'is filter'])
        expect(found.filter((complaint) => complaint.includes(said)).length, said).to.be.at.least(1);
    });
  });
