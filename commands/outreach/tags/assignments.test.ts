import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { assignTag } from './assign-tag.ts';
import { tagContacts } from './tag-contacts.ts';
import { unassignTag } from './unassign-tag.ts';

describe('tags of contacts', () => {
  const database = useDatabase('outreach');
  const now = new Date();

  /** A tenant with a tag and one contact. */
  async function tenantWith(contactId: string) {
    const { tenantId } = await seedTenant(database, testEncryption);
    const tagId = `tag-of-${tenantId}`;
    await database('tag').insert({
      tag_id: tagId,
      tenant_id: tenantId,
      service_number_id: 'sn-1',
      name: 'VIP',
      source: 'app_manual',
      kind: 'permanent',
      status: 'active',
    });
    await database('contact_profile').insert({
      tenant_id: tenantId,
      service_number_id: 'sn-1',
      contact_id: contactId,
      follow_state: 'following',
      last_event_at: now,
    });
    return { author: { tenantId, userId: 'u1', requestId: null }, tagId };
  }
  const codeOf = (work: Promise<unknown>) => work.then(String, (error: { code?: string }) => error.code);
  const tagged = (tagId: string) => database('tag_assignment').where({ tag_id: tagId }).pluck('contact_id');

  it('are given to contacts of the tenant alone', async () => {
    const own = await tenantWith('own');
    await tenantWith('foreign');
    expect(await codeOf(assignTag(database, own.author, own.tagId, ['own', 'foreign'], now))).to.equal(
      'invalid_content',
    );
    expect(await tagged(own.tagId)).to.deep.equal([]);
    const given = await tagContacts(database, own.author, { tagId: own.tagId, contactIds: ['own', 'foreign'] }, now);
    expect(given.map(({ outcome }) => outcome)).to.deep.equal(['done', 'refused']);
    expect(await tagged(own.tagId)).to.deep.equal(['own']);
  });

  it('are given and taken by their tenant alone', async () => {
    const own = await tenantWith('c');
    const other = await tenantWith('c');
    await assignTag(database, own.author, own.tagId, ['c'], now);
    expect(await codeOf(assignTag(database, other.author, own.tagId, ['c'], now))).to.equal('not_found');
    expect(await codeOf(unassignTag(database, other.author, own.tagId, ['c'], now))).to.equal('not_found');
    expect(await tagged(own.tagId)).to.deep.equal(['c']);
    await unassignTag(database, own.author, own.tagId, ['c'], now);
    expect(await tagged(own.tagId)).to.deep.equal([]);
  });
});
