import { Problem } from '#domain/api/problem.ts';
import { type AutomationRecord, findAutomation } from '#db/outreach/automations/automations.ts';
import type { Actor } from '#api/backend/auth.ts';
import type { BackendDeps } from '#api/backend/deps.ts';

interface AutomationCall {
  actor: Actor;
  params: { automationId: string };
}

/** Loads the automation named in the path, for any of its operations. */
export const automationLoader =
  ({ database }: BackendDeps) =>
  async ({ actor: { tenantId }, params: { automationId } }: AutomationCall): Promise<AutomationRecord> => {
    const automation = await findAutomation(database, { tenantId, automationId });
    if (!automation) throw new Problem('not_found', 'There is no automation with this id');
    return automation;
  };
