import type { BackendClient } from '#clients/backend/client.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import { findListedSession, type ListedSession, listSessions, type SessionFilter } from '#db/bff/sessions.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import { type Me, sessionOperations, type SignedInSession } from '#domain/api/session.ts';
import { mapPage } from '#domain/cursor.ts';
import type { createServe } from '#api/http/problem-api.ts';
import { currentRequestId } from '#api/http/request-id.ts';
import { backendProblem } from '#api/bff/backend-problem.ts';
import type { Member } from '#api/bff/identity/signed-in.ts';
import type { AuditTrail } from '#api/bff/identity/audit-trail.ts';
import type { SessionEnds } from '#api/bff/identity/sign-out/session-ends.ts';

const isAdministrator = ({ roles }: Member): boolean => roles.includes('tenant_admin');

/** @throws Problem `forbidden` for sessions of others, unless an administrator asks. */
function filterOf(actor: Member, asked: { userId?: string | undefined; scope: 'own' | 'tenant' }): SessionFilter {
  const { tenantId: platformTenantId } = actor;
  const userId = asked.userId ?? (asked.scope === 'own' ? actor.userId : undefined);
  if (userId !== actor.userId && !isAdministrator(actor))
    throw new Problem('forbidden', 'Only a tenant administrator sees the sessions of others');
  return { platformTenantId, userId };
}

const present = (row: ListedSession, actor: Member): SignedInSession => ({
  id: row.sessionId,
  userId: row.userId,
  name: row.name,
  kind: row.kind,
  userAgent: row.userAgent,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  current: row.tokenHash.equals(actor.tokenHash),
});

export interface SessionDeps {
  database: BffDatabase;
  backend: BackendClient;
  ends: SessionEnds;
  trail: AuditTrail;
}

export function sessionRoutes(
  serve: ReturnType<typeof createServe<Member>>,
  { database, backend, ends, trail }: SessionDeps,
): void {
  /** The backend has the lists. @throws Problem `unavailable` if it cannot be reached. */
  async function serviceNumbersOf(member: Member): Promise<string[] | null> {
    if (isAdministrator(member)) return null;
    const body = { platformTenantId: member.tenantId, userId: member.userId };
    const found = await backend
      .call(internalOperations.readServiceNumbers, { body, requestId: currentRequestId() ?? '' })
      .catch((error: unknown) => {
        throw backendProblem(error);
      });
    return found.serviceNumberIds;
  }

  serve(sessionOperations.getMe, {
    async handle({ actor }): Promise<Me> {
      const { userId, name, tenantId, roles } = actor;
      return { userId, name, tenantId, roles, serviceNumberIds: await serviceNumbersOf(actor) };
    },
  });

  serve(sessionOperations.listSessions, {
    handle: async ({ actor, query }) =>
      mapPage(await listSessions(database, filterOf(actor, query), query), (row) => present(row, actor)),
  });

  serve(sessionOperations.endSession, {
    load: async ({ params, actor }) => {
      const filter = filterOf(actor, { scope: isAdministrator(actor) ? 'tenant' : 'own' });
      const session = await findListedSession(database, filter, params.id);
      if (!session) throw new Problem('not_found', 'There is no session with this id');
      return session;
    },
    handle: async ({ actor, loaded }) => {
      await ends.end(loaded);
      trail.ended({ tenantId: loaded.platformTenantId, userId: loaded.userId }, actor.userId);
      return undefined;
    },
  });
}
