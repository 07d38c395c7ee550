import { useI18n } from 'vue-i18n';
import type { RouteLocationRaw } from 'vue-router';
import type { AuditEntry, AuditObjectType } from '#domain/api/audit.ts';
import { usePeople } from '#web/api/queries/people.ts';

/** Actors that are not people. */
export const services = [
  'platform',
  'service:schedule',
  'service:tool-api',
  'service:internal-api',
  'service:bff',
  'service:identity',
] as const;

const pages: Record<AuditObjectType, (id: string) => RouteLocationRaw | null> = {
  integration: () => ({ name: 'app.settings' }),
  tag: (id) => ({ name: 'app.tag', params: { tagId: id } }),
  smart_tag_rule: (id) => ({ name: 'app.rule', params: { ruleId: id } }),
  audience: () => ({ path: '/app/audiences' }),
  campaign: (id) => ({ name: 'app.campaign', params: { id } }),
  sub_task: () => null,
  // A replay of a kind names the kind in place of an event.
  event: (id) =>
    /^[a-z]+\.[a-z]+$/.test(id)
      ? { name: 'app.inbox', query: { type: id } }
      : { name: 'app.inbox-event', params: { eventId: id } },
  // An erasure, which leads to nobody.
  contact: () => null,
  session: () => null,
  access: () => null,
  service_token: () => null,
  api_key: () => ({ name: 'app.settings' }),
  copywriting: () => null,
  template: () => ({ name: 'app.campaign-templates' }),
  webhook: () => ({ name: 'app.settings-webhook' }),
  user: () => ({ name: 'app.settings' }),
  repeat: (id) => ({ name: 'app.repeat', params: { repeatId: id } }),
  automation: (id) => ({ name: 'app.automation', params: { automationId: id } }),
};

export const objectTypes = Object.keys(pages) as AuditObjectType[];

/** Labels for entries of the audit log: who, what, and the page of the object. */
export function useAuditLabels() {
  const { t, te } = useI18n();
  const { nameOf } = usePeople();

  function whoOf(actor: string): string {
    const key = `audit.actor.${actor.replaceAll(/\W/g, '_')}`;
    if (te(key)) return t(key);
    return nameOf(actor);
  }
  function actionOf({ action }: Pick<AuditEntry, 'action'>): string {
    const key = `audit.action.${action.replaceAll(/\W/g, '_')}`;
    return te(key) ? t(key) : action;
  }
  function addressOf({ objectType, objectId }: Pick<AuditEntry, 'objectType' | 'objectId'>): RouteLocationRaw | null {
    return pages[objectType as AuditObjectType]?.(objectId) ?? null;
  }
  return { whoOf, actionOf, addressOf };
}
