import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { finishErasure, fromBeforeErasure, isBeingErased, markErased } from './erasures.ts';

describe('what happened to a contact that is erased', () => {
  const database = useDatabase('outreach');
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

  /** Which of the tenant's happenings at these seconds are not taken, because they are from before the erasure. */
  async function forgotten(tenantId: string, contactId: string, seconds: number[]): Promise<number[]> {
    const happenings = seconds.map((second) => ({
      tenantId,
      occurredAt: at(second),
      contactIdOf: () => contactId,
      second,
    }));
    const found = await fromBeforeErasure(database, testEncryption, happenings);
    return [...found].map(({ second }) => second).toSorted((one, other) => one - other);
  }

  it('is not taken while it is being erased, and afterwards only if it happened later', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const author = { tenantId, userId: 'u1', requestId: null };
    expect(await forgotten(tenantId, 'c', [1, 20])).to.deep.equal([]);
    const erasure = await beginErasure(database, testEncryption, author, {
      contactId: 'c',
      reason: 'asked',
      now: at(5),
    });
    expect(await forgotten(tenantId, 'c', [1, 20])).to.deep.equal([1, 20]);
    await markErased(database, erasure, at(10));
    await finishErasure(database, erasure, at(11));
    expect(await forgotten(tenantId, 'c', [1, 10, 11, 20])).to.deep.equal([1, 10]);
  });

  it('is taken of everybody else, and of another tenant’s contact with the same id', async () => {
    const [own, other] = [await seedTenant(database, testEncryption), await seedTenant(database, testEncryption)];
    for (const { tenantId } of [own, other]) {
      const author = { tenantId, userId: 'u1', requestId: null };
      const contactId = tenantId === own.tenantId ? 'c' : 'd';
      await beginErasure(database, testEncryption, author, { contactId, reason: 'asked', now: at(5) });
    }
    expect(await forgotten(own.tenantId, 'd', [1])).to.deep.equal([]);
    expect(await forgotten(other.tenantId, 'c', [1])).to.deep.equal([]);
    const isErased = (tenantId: string, contactId: string) =>
      isBeingErased(database, testEncryption, { tenantId, contactId });
    expect(await isErased(own.tenantId, 'c')).to.equal(true);
    expect(await isErased(other.tenantId, 'c')).to.equal(false);
  });
});
