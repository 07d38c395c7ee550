import type { AutomationRecord } from '#db/outreach/automations/automations.ts';
import { stepsOf } from '#commands/outreach/automations/content.ts';
import type { Automation } from '#domain/api/automations.ts';
import { etagOf } from '#domain/api/if-match.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';
import { presentApproval } from '../campaigns/present.ts';

export function presentAutomation(record: AutomationRecord): Automation {
  const {
    tenantId: _tenantId,
    revision,
    timing: _timing,
    messages: _messages,
    variants: _variants,
    ...automation
  } = record;
  const { delayMinutes, approval, ...shown } = withIsoTimes(automation);
  return {
    ...shown,
    etag: etagOf(revision),
    delay: { minutes: delayMinutes },
    steps: stepsOf(record),
    approval: approval && presentApproval(approval),
  };
}
