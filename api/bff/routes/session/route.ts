import type { Me, Role } from '../../../../domain/api/session.ts';
import { roles, sessionOperations } from '../../../../domain/api/session.ts';
import type { createServe } from '../../../http/serve.ts';
import type { ConsoleUser } from '../../identity/signed-in.ts';

const isRole = (role: string): role is Role => (roles as readonly string[]).includes(role);

export function sessionRoutes(serve: ReturnType<typeof createServe<ConsoleUser>>): void {
  serve(sessionOperations.getMe, {
    async handle({ actor }): Promise<Me> {
      const { userId, name, tenantId } = actor;
      return { userId, name, tenantId, roles: actor.roles.filter(isRole) };
    },
  });
}
