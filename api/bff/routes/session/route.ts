import { type Me, sessionOperations } from '../../../../domain/api/session.ts';
import type { createServe } from '../../../http/problem-api.ts';
import type { Member } from '../../identity/signed-in.ts';

export function sessionRoutes(serve: ReturnType<typeof createServe<Member>>): void {
  serve(sessionOperations.getMe, {
    async handle({ actor }): Promise<Me> {
      const { userId, name, tenantId, roles } = actor;
      return { userId, name, tenantId, roles };
    },
  });
}
