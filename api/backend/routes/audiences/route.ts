import { audienceOperations, type AudiencePreview } from '#domain/api/audiences.ts';
import type { BodyOf } from '#domain/api/operation.ts';
import type { FieldErrorCode } from '#domain/api/field-errors.ts';
import { type FieldError, Problem, invalidField } from '#domain/api/problem.ts';
import { expectedTaken } from '#domain/campaigns/take.ts';
import { mapPage } from '#domain/cursor.ts';
import { type ListTally, readContactList } from '#domain/contacts/list.ts';
import { listAudienceContacts } from '#commands/outreach/audiences/list-audience-contacts.ts';
import { replaceAudienceContacts } from '#commands/outreach/audiences/replace-audience-contacts.ts';
import { restoreAudienceContacts } from '#commands/outreach/audiences/restore-audience-contacts.ts';
import { previewAudience } from '#commands/outreach/audiences/preview-audience.ts';
import { countPastAudience } from '#db/outreach/audiences/past/counting.ts';
import { explainAudience } from '#db/outreach/audiences/past/explaining.ts';
import { assertKept, assertListUnchanged } from '#db/outreach/audiences/past/kept.ts';
import type { AudienceScope } from '#db/outreach/audiences/owner.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import { audienceSource } from '#commands/outreach/audiences/source.ts';
import { createAudience } from '#commands/outreach/audiences/create-audience.ts';
import { deleteAudience } from '#commands/outreach/audiences/delete-audience.ts';
import { findAudience, listAudiences } from '#db/outreach/audiences/audiences.ts';
import { type SavedContent } from '#commands/outreach/audiences/audiences.ts';
import { updateAudience } from '#commands/outreach/audiences/update-audience.ts';
import type { AudienceRow } from '#db/outreach/models/audiences.ts';
import { assertKnownServiceNumber } from '#commands/outreach/tenants/service-numbers.ts';
import { bodyCoding } from '#api/http/serve.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { presentAudience } from './present.ts';

type CreateBody = BodyOf<typeof audienceOperations.createAudience>;
type UpdateBody = BodyOf<typeof audienceOperations.updateAudience>;

function invalidAudience(...errors: FieldError[]): Problem {
  return new Problem('invalid_content', 'The audience is not valid', { errors });
}

const fieldsOf = {
  contacts: { contactIds: 'of_lists_only' },
  app_tags: { appTagIds: 'of_tags_only', tagOperator: 'of_tags_only', excludeTagIds: 'of_tags_only' },
  segment: { segment: 'of_segments_only' },
} as const satisfies Record<SavedContent['type'], Partial<Record<keyof CreateBody, FieldErrorCode>>>;

/** The fields that are given and belong to another type than this one: they are rejected instead of ignored. */
function foreignFields(type: SavedContent['type'], body: CreateBody): FieldError[] {
  const foreign: [string, FieldErrorCode][] = Object.entries(fieldsOf).flatMap(([of, fields]) =>
    of === type ? [] : Object.entries(fields),
  );
  const given = new Set(Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  if (type === 'contacts' && body.take) foreign.push(['take', 'of_filters_only']);
  return foreign.filter(([name]) => given.has(name)).map(([name, code]) => invalidField(`/${name}`, code));
}

function contentOf(body: CreateBody): SavedContent {
  const { type, name, contactIds, appTagIds, tagOperator, excludeTagIds, segment, take = null } = body;
  if (type === 'ai_query') throw invalidAudience(invalidField('/type', 'later_phase'));
  const foreign = foreignFields(type, body);
  if (foreign.length > 0) throw invalidAudience(...foreign);
  if (type === 'contacts') return { type, name, contactIds };
  if (type === 'segment') {
    if (!segment) throw invalidAudience(invalidField('/segment', 'needed_for_segments'));
    return { type, name, segment, take };
  }
  if (!appTagIds) throw invalidAudience(invalidField('/appTagIds', 'needed_for_tags'));
  if (!tagOperator) throw invalidAudience(invalidField('/tagOperator', 'needed_for_tags'));
  return { type, name, appTagIds, tagOperator, excludeTagIds: excludeTagIds ?? [], take };
}

function storedFields({
  type,
  appTagIds,
  tagOperator,
  excludeTagIds,
  segment,
  take,
}: AudienceRow): Partial<CreateBody> {
  if (type === 'app_tags') return { appTagIds, tagOperator: tagOperator ?? undefined, excludeTagIds, take };
  return type === 'segment' ? { segment: segment ?? undefined, take } : {};
}

/** The content after a patch. Service number and type cannot change. */
function patchedContent(before: AudienceRow, patch: UpdateBody): SavedContent {
  for (const name of ['serviceNumberId', 'type'] as const) {
    if (patch[name] !== undefined && patch[name] !== before[name])
      throw invalidAudience(invalidField(`/${name}`, 'unchangeable'));
  }
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const { name, serviceNumberId, type } = before;
  return contentOf({ name, serviceNumberId, type, ...storedFields(before), ...given });
}

type Load = (request: { actor: Actor; params: { audienceId: string } }) => Promise<AudienceRow>;

/** The contacts of a saved audience. */
function contactRoutes(serve: ServeActor, { database, now, uploads }: BackendDeps, load: Load): void {
  serve(audienceOperations.listAudienceContacts, {
    load,
    handle: async ({ actor, loaded, query }) => {
      const { audienceId, serviceNumberId } = loaded;
      const scope = { tenantId: actor.tenantId, serviceNumberId, path: '' };
      const source = await audienceSource(database, scope, { type: 'contacts', audienceId });
      return await listAudienceContacts(database, scope, source, { ...query, now: now() });
    },
  });

  serve(audienceOperations.replaceAudienceContacts, {
    load,
    handle: async ({ ctx, actor, params, query, headers }) => {
      const coding = bodyCoding(ctx, audienceOperations.replaceAudienceContacts);
      return await uploads.receive(ctx, { tenantId: actor.tenantId, coding }, async (chunks) => {
        const tally: ListTally = { given: 0, skipped: 0 };
        const batches = readContactList(chunks, query, tally);
        const stored = await replaceAudienceContacts(database, authorOf(actor), params.audienceId, batches, {
          now: now(),
          checkRevision: ifMatch(headers['if-match']),
        });
        return { ...stored, skipped: tally.skipped };
      });
    },
  });

  serve(audienceOperations.restoreAudienceContacts, {
    load,
    handle: async ({ actor, params, headers }) => {
      const check = { now: now(), checkRevision: ifMatch(headers['if-match']) };
      return presentAudience(await restoreAudienceContacts(database, authorOf(actor), params.audienceId, check));
    },
  });
}

const withTaken = ({ take }: AudienceSource, preview: AudiencePreview): AudiencePreview =>
  take ? { ...preview, takenCount: expectedTaken(preview.reachableCount, take) } : preview;

/** Evaluates an audience, now or as of an earlier time. */
function previewRoutes(serve: ServeActor, { database, now, retention }: BackendDeps): void {
  const scopeOf = async ({ tenantId }: Actor, serviceNumberId: string, asOf?: Date): Promise<AudienceScope> => {
    await assertKnownServiceNumber(database, tenantId, serviceNumberId);
    if (asOf) assertKept(asOf, { now: now(), retention });
    return { tenantId, serviceNumberId, path: '/audience', asOf };
  };

  serve(audienceOperations.previewAudience, {
    handle: async ({ actor, body }) => {
      const asOf = body.asOf === undefined ? undefined : new Date(body.asOf);
      const scope = await scopeOf(actor, body.serviceNumberId, asOf);
      const source = await audienceSource(database, scope, body.audience);
      if (!asOf) return withTaken(source, await previewAudience(database, scope, source, now()));
      await assertListUnchanged(database, source, asOf);
      return withTaken(source, await countPastAudience(database, scope, source, asOf));
    },
  });

  serve(audienceOperations.explainAudience, {
    handle: async ({ actor, body: { serviceNumberId, audience, contactId, ...body } }) => {
      const asOf = body.asOf === undefined ? now() : new Date(body.asOf);
      const scope = await scopeOf(actor, serviceNumberId, asOf);
      const source = await audienceSource(database, scope, audience);
      await assertListUnchanged(database, source, asOf);
      const asked = { tenantId: actor.tenantId, serviceNumberId, contactId, asOf };
      return { ...(await explainAudience(database, asked, source)), asOf: asOf.toISOString() };
    },
  });
}

export function audienceRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, now } = deps;
  const load: Load = async ({ actor, params }) => {
    const audience = await findAudience(database, actor.tenantId, params.audienceId);
    if (!audience) throw new Problem('not_found', 'There is no audience with this id');
    return audience;
  };
  contactRoutes(serve, deps, load);
  previewRoutes(serve, deps);

  serve(audienceOperations.listAudiences, {
    handle: async ({ actor, query }) => mapPage(await listAudiences(database, actor.tenantId, query), presentAudience),
  });

  serve(audienceOperations.createAudience, {
    handle: async ({ actor, body }) =>
      presentAudience(await createAudience(database, authorOf(actor), body.serviceNumberId, contentOf(body), now())),
  });

  serve(audienceOperations.getAudience, { load, handle: async ({ loaded }) => presentAudience(loaded) });

  serve(audienceOperations.updateAudience, {
    load,
    current: ({ loaded }) => presentAudience(loaded),
    handle: async ({ actor, params, headers, body }) =>
      presentAudience(
        await updateAudience(database, authorOf(actor), params.audienceId, {
          change: (before) => patchedContent(before, body),
          now: now(),
          checkRevision: ifMatch(headers['if-match']),
        }),
      ),
  });

  serve(audienceOperations.deleteAudience, {
    load,
    handle: async ({ actor, params, headers }) => {
      await deleteAudience(database, authorOf(actor), params.audienceId, ifMatch(headers['if-match']));
      return undefined;
    },
  });
}
