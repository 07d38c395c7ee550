import { expect } from 'chai';
import { countPastAudience } from '#db/outreach/audiences/past/counting.ts';
import { type AudienceRelations, pastRelations, presentRelations } from '#db/outreach/audiences/relations.ts';
import { overClassifiedContacts } from '#db/outreach/audiences/resolution.ts';
import { audienceSource } from '#commands/outreach/audiences/source.ts';
import { isWhole } from '#test/support/extent.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { type FrozenAudience, History } from './history.ts';
import { Random } from './random.ts';

const whole = isWhole(import.meta.url);
const AUDIENCES = Number(process.env.PAST_AUDIENCES ?? (whole ? 100 : 10));
const SEED = Number(process.env.PAST_SEED ?? 20_260_303);
/** What happens between one audience and the next. */
const STEPS = 6;

describe('audiences as of an earlier time', () => {
  const database = useDatabase('outreach');
  let history: History;
  let reaching = 0;

  before(async function () {
    this.timeout(600_000);
    history = await History.begin(database, new Random(SEED));
    while (reaching < AUDIENCES) {
      for (let step = 0; step < STEPS; step += 1) await history.happen();
      if (await history.freeze()) reaching += 1;
    }
  });

  const resolved = async ({ audience, at }: FrozenAudience, relations: AudienceRelations): Promise<string[]> => {
    const scope = { ...history.owner, path: '' };
    const source = await audienceSource(database, scope, audience);
    const found = await database.transaction((transaction) =>
      overClassifiedContacts<{ contactId: string }>(
        transaction,
        scope,
        { source, now: at, relations },
        (sql) => `select contact_id from (${sql}) s where class = 'reachable' order by contact_id collate "C"`,
      ),
    );
    return found.map(({ contactId }) => contactId);
  };
  const differing = async (relations: AudienceRelations): Promise<number> => {
    let count = 0;
    for (const frozen of history.frozen)
      if ((await resolved(frozen, relations)).join() !== frozen.contactIds.join()) count += 1;
    return count;
  };

  it(`are the sets that were frozen then: ${AUDIENCES} that reached somebody, of seed ${SEED}`, async function () {
    this.timeout(600_000);
    for (const frozen of history.frozen) {
      const why = `${frozen.at.toISOString()} ${JSON.stringify(frozen.audience)}`;
      expect(await resolved(frozen, pastRelations), why).to.deep.equal(frozen.contactIds);
    }
    const contacts = history.frozen.reduce((sum, { contactIds }) => sum + contactIds.length, 0);
    const tenant = { tenant_id: history.owner.tenantId };
    const kept = await Promise.all(
      ['contact_profile_past', 'tag_assignment_past', 'tag_past', 'broadcast_task_past'].map(async (table) => {
        const [row] = await database(table).where(tenant).count('* as count');
        return `${table} ${row?.count}`;
      }),
    );
    process.stdout.write(
      `      ${history.frozen.length} audiences, ${history.frozen.length - reaching} of them empty, ${contacts} contacts; ${kept.join(', ')}\n`,
    );
  });

  it('are counted as they were frozen', async function () {
    this.timeout(600_000);
    for (const { audience, at, contactIds } of history.frozen.slice(-200)) {
      const source = await audienceSource(database, { ...history.owner, path: '' }, audience);
      const { reachableCount } = await countPastAudience(database, history.owner, source, at);
      expect(reachableCount, JSON.stringify(audience)).to.equal(contactIds.length);
    }
  });

  if (!whole) return;
  for (const forgotten of ['profile', 'assignment', 'tag', 'click', 'conversation'] as const)
    it(`differ if what was before is forgotten: ${forgotten}`, async function () {
      this.timeout(600_000);
      const relations = { ...pastRelations, [forgotten]: presentRelations[forgotten] };
      expect(await differing(relations)).to.be.greaterThan(0);
    });

  it('differ if what was before is forgotten: which sub-tasks counted as delivered', async function () {
    this.timeout(600_000);
    const delivery = () => `(select * from broadcast_task where status = 'completed' and delivered > 0) t`;
    expect(await differing({ ...pastRelations, delivery })).to.be.greaterThan(0);
  });
});
