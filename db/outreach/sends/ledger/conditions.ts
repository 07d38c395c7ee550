import { REST_ARM } from '#domain/campaigns/variants/variants.ts';
import { ALREADY_SENT, CONTACTS_ERASED } from '#domain/campaigns/sub-task-errors.ts';

/** SQL condition on a sub-task `t`: certainly nobody received anything from it, and its contacts may be sent to again. */
export const nothingSent = `((t.status = 'rejected' or (t.status = 'failed' and t.sent = 0))
  and not t.reached and coalesce(t.error_code, '') not in ('${ALREADY_SENT}', '${CONTACTS_ERASED}'))`;

/** SQL condition on a sub-task `t` that failed or was rejected: it meets `nothingSent`, or may once the platform is asked. */
export const mayBeUnsent = `(coalesce(t.sent, 0) = 0
  and coalesce(t.error_code, '') not in ('${ALREADY_SENT}', '${CONTACTS_ERASED}') and not t.reached)`;

const wasSentAs = (task: string) =>
  `(${task}.status in ('sending', 'completed')
    or (${task}.status = 'failed' and (${task}.sent is distinct from 0 or ${task}.reached)))`;

/** SQL condition on a sub-task `t`: the platform began to send it, and nothing says that nobody received it. */
export const wasSent = wasSentAs('t');

/** SQL condition on a sub-task `t`: the platform delivered it to somebody, or does not say to how many, and no retry replaced it. */
export const wasDelivered = `(t.status = 'completed' and t.superseded_by is null and t.delivered is distinct from 0)`;

/** SQL condition on a sub-task `t`: what its contacts were withheld from was sent after all, and so reached them. */
export const reachedBefore = `exists (
  select 1 from broadcast_task w where w.key = t.withheld_from and ${wasSentAs('w')})`;

/** SQL condition on a sub-task `t`: the platform has it. */
export const isAtPlatform = `(t.status = 'scheduled' or ${wasSent})`;

/** SQL condition on a sub-task, by alias: nobody knows how an earlier submission ended, and it is submitted again all the same. */
export const isRepeated = (task: string) => `(coalesce(${task}.error_code, '') in ('ambiguous', 'outcome_unknown'))`;

/** SQL condition on a sub-task `t`: nobody knows whether the platform has it, even if it is to be submitted again. */
export const inDoubt = `(t.status = 'unknown' or (t.status = 'pending' and ${isRepeated('t')}))`;

/** SQL assignments to a sub-task, by alias: what is said about it now, unless nobody knows how an earlier submission ended. */
export const keepingDoubt = (task: string, { code, message }: { code: string; message: string }) =>
  `error_code = case when ${isRepeated(task)} then ${task}.error_code else ${code} end,
    error_message = case when ${isRepeated(task)} then ${task}.error_message else ${message} end`;

/** SQL assignments to a sub-task that is not in a call: it is due again, unless it is `ended`; then nobody may know what became of it. */
export const unsubmitted = (ended: string, isInDoubt: string) =>
  `status = case when not ${ended} then 'pending' when ${isInDoubt} then 'unknown' else 'cancelled' end,
    finished_at = case when ${ended} and not ${isInDoubt} then :now::timestamptz end`;

/** SQL condition on a campaign: its tasks are being cancelled for an edit, and nothing is submitted meanwhile. */
export const beingEdited = (campaign: string) => `exists (
  select 1 from campaign_edit e where e.campaign_id = ${campaign}.campaign_id and e.outcome is null)`;

/** SQL condition on a campaign: its sub-tasks may be submitted, as far as operators are concerned. */
export const maySend = (campaign: string) =>
  `(${campaign}.status in ('sending', 'scheduled') and not ${campaign}.cancel_requested and not ${beingEdited(campaign)})`;

/** SQL condition on a campaign: it is known whom its first send goes to. */
export const firstSendFrozen = (campaign: string) => `not exists (
  select 1 from dispatch f where f.campaign_id = ${campaign}.campaign_id and f.retry_of is null and f.frozen_at is null)`;

/**
 * SQL condition on a sub-task `t` and the send `p` that replaces it: its contacts are in no sub-task of that send yet.
 * A send that is being prepared will take them over; one that was stopped will not.
 */
export const notTakenOver = `(t.superseded_by = p.dispatch_id and p.frozen_count < p.audience_count
  and t.key > coalesce(p.frozen_through, ''))`;

/**
 * SQL assignments to a sub-task about which a call to the platform failed as `:failure` says, or none was made where that
 * is null.
 */
export const failing = `failing_since = case when :failure::text is not null then coalesce(failing_since, :now::timestamptz) end,
    failing_with = :failure::text`;

/** SQL assignments to a sub-task about which the platform has said something. */
export const notFailing = 'failing_since = null, failing_with = null';

/** SQL condition on a sub-task, by alias: it is of the rest of a test, and no variant is chosen yet. It is not submitted before. */
export const awaitsChoice = (task: string) =>
  `(${task}.arm is not distinct from ${REST_ARM} and ${task}.variant is null)`;

/** SQL condition on a campaign: what it holds is of an automation that has not ended, whose driver submits and polls. */
export const isDriven = (campaign: string) =>
  `(${campaign}.automation and ${campaign}.status in ('sending', 'paused'))`;
