import type { Audience, AudienceExplanation, AudiencePreview } from '#domain/api/audiences.ts';
import type { Segment } from '#domain/api/segments.ts';
import { type Database, rows } from '#db/database.ts';
import { lockProfiles, storeProfiles } from '#db/outreach/contacts/profiles.ts';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import type { TestTenant } from '#test/support/services/tenant.ts';
import { elapsed } from '../elapsed.ts';
import type { Owned } from './scene.ts';
import { times } from './times.ts';

const PART = 1000;
const partsOf = (ids: string[]) =>
  Array.from({ length: Math.ceil(ids.length / PART) }, (_, part) => ids.slice(part * PART, (part + 1) * PART));

interface Asked extends Owned {
  tagId: string;
  campaignId: string;
}

const someContacts = `
  select contact_id from contact_profile where tenant_id = :tenantId and service_number_id = :serviceNumberId
    and hashtext(contact_id || 'past') % 20 = :part order by contact_id`;

/** A twentieth of the contacts. */
async function contactsOf(owner: Database, { tenantId, serviceNumberId }: Owned, part: number): Promise<string[]> {
  const found = await rows<{ contactId: string }>(owner, someContacts, { tenantId, serviceNumberId, part });
  return found.map(({ contactId }) => contactId);
}

/** Gives all of them another region, as their events would; returns seconds. */
async function move(
  owner: Database,
  { tenantId, serviceNumberId }: Owned,
  ids: string[],
  region: string,
): Promise<number> {
  const [, seconds] = await elapsed(async () => {
    for (const part of partsOf(ids))
      await owner.transaction(async (transaction) => {
        const keys = part.map((contactId) => ({ tenantId, serviceNumberId, contactId }));
        const profiles = await lockProfiles(transaction, keys);
        await storeProfiles(
          transaction,
          profiles.map((profile) => ({ ...profile, region })),
          new Date(),
        );
      });
  });
  return seconds;
}

/** What keeping the past costs a change of profiles, beside the same change without it. */
async function costOfKeeping(owner: Database, asked: Owned) {
  const [kept, floor] = [await contactsOf(owner, asked, 1), await contactsOf(owner, asked, 2)];
  await move(owner, asked, kept.slice(0, 5 * PART), 'Warm');
  const keptSeconds = await move(owner, asked, kept, 'North');
  await owner.raw('alter table contact_profile disable trigger contact_profile_changed');
  const floorSeconds = await move(owner, asked, floor, 'North');
  await owner.raw('alter table contact_profile enable trigger contact_profile_changed');
  const perSecond = (ids: string[], seconds: number) => Math.round(ids.length / seconds);
  return { floor: perSecond(floor, floorSeconds), kept: perSecond(kept, keptSeconds) };
}

async function takeTagBack(owner: Database, asked: Asked): Promise<void> {
  const author = { tenantId: asked.tenantId, userId: 'u1', requestId: null };
  for (const part of partsOf(await contactsOf(owner, asked, 3)))
    await unassignTag(owner, author, asked.tagId, part, new Date());
}

/**
 * Previews as of a time after which a tag was taken back from a twentieth of the contacts and two twentieths moved, beside
 * the same ones of now, and how many profiles a second can change.
 */
export async function past(owner: Database, api: TestTenant['api'], asked: Asked) {
  const asOf = new Date().toISOString();
  const profilesPerSecond = await costOfKeeping(owner, asked);
  await takeTagBack(owner, asked);
  await owner.raw('vacuum analyze');
  const { serviceNumberId, tagId, campaignId } = asked;
  const parts: Segment[] = [
    { tag: tagId },
    { reached: { campaignIds: [campaignId] } },
    { not: { clicked: { campaigns: { lastDays: 7 } } } },
  ];
  const inNorth: Segment = { profile: { field: 'region', test: { op: 'eq', value: 'North' } } };
  const both = async (segment: Segment) => {
    const audience: Audience = { type: 'segment', segment };
    const count = (more: object) =>
      times(() => api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience, ...more }), 7);
    return { now: await count({}), earlier: await count({ asOf }) };
  };
  const audience: Audience = { type: 'segment', segment: { all: parts } };
  const contactId = `${serviceNumberId}-000000077`;
  return {
    profilesPerSecond,
    tag: await both({ all: [{ tag: tagId }] }),
    threeParts: await both({ all: parts }),
    region: await both({ all: [inNorth] }),
    explanation: await times(() =>
      api.post<AudienceExplanation>('/audiences:explain', { serviceNumberId, audience, contactId, asOf }),
    ),
  };
}
