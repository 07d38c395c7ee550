import type { CampaignStatus, SubTaskStatus } from '#domain/api/campaign.ts';
import { endedSubTaskStatuses } from '#domain/campaigns/states.ts';
import { ALREADY_SENT } from '#domain/campaigns/sub-task-errors.ts';
import type { PlatformSource } from './platform-sources.ts';

/** A sub-task in which a contact counts. */
export interface Place {
  status: SubTaskStatus;
  errorCode: string | null;
  sent: number | null;
  /** The send that was to take its contacts over was stopped before it had. */
  stopped: boolean;
}

/** What is known in the end, from the platform and from the ledger. */
export interface Outcome {
  /** Everybody in the audience. */
  contactIds: string[];
  /** The sub-tasks in which each contact counts. */
  places: Map<string, Place[]>;
  /** How often the platform has sent to each. */
  received: Map<string, number>;
  /** How often it seems to have sent to each, to those who know its reports alone. */
  seemsReceived: Map<string, number>;
  /** Those whom the platform may have sent to twice: an operator or the platform itself said that it had not sent. */
  excused: ReadonlySet<string>;
  /** What the campaign says: how many were sent to twice, and whether it has ended. */
  sentTwice: number;
  status: CampaignStatus;
  /** Nobody has been told since what became of what had been sent. */
  uninstalled: boolean;
}

const open: ReadonlySet<CampaignStatus> = new Set(['scheduled', 'sending', 'paused']);
const ended: ReadonlySet<SubTaskStatus> = new Set(endedSubTaskStatuses);

const lastKnown: ReadonlySet<SubTaskStatus> = new Set(['scheduled', 'submitting', 'sending', 'unknown', 'failed']);

interface Known {
  times: number;
  excused: boolean;
  uninstalled: boolean;
}

function wronglyPlaced(place: Place, { times, excused, uninstalled }: Known): string | null {
  const { status, errorCode, sent } = place;
  if (errorCode === 'invalid_postback') return 'was to receive a button without its entry source';
  if (uninstalled && (lastKnown.has(status) || excused || (status === 'pending' && times === 0))) return null;
  if (!ended.has(status)) return `is still ${status}`;
  if (place.stopped) return times > 0 ? `received it and counts as cancelled` : null;
  if (times === 0) return status === 'completed' ? 'counts as completed and received nothing' : null;
  if (status === 'completed' || errorCode === ALREADY_SENT) return null;
  // An operator's word, and nothing has shown the contrary.
  if (errorCode === 'not_sent' && excused) return null;
  return status === 'failed' && sent !== 0 ? null : `received it and counts as ${status} (${errorCode ?? 'no error'})`;
}

/** How many were sent to more than once. */
const twiceIn = (times: Map<string, number>): number => [...times.values()].filter((time) => time > 1).length;

/** Everything that must not be; nothing if all is well. */
export function complaintsAbout(outcome: Outcome): string[] {
  const { contactIds, places, received, excused, sentTwice, status, uninstalled } = outcome;
  const complaints: string[] = [];
  for (const contactId of contactIds) {
    const times = received.get(contactId) ?? 0;
    if (times > 1 && !excused.has(contactId)) complaints.push(`${contactId} was sent to ${times} times`);
    const found = places.get(contactId) ?? [];
    if (found.length === 0) complaints.push(`${contactId} was forgotten`);
    if (found.length > 1) complaints.push(`${contactId} counts ${found.length} times`);
    for (const place of found) {
      const wrong = wronglyPlaced(place, { times, excused: excused.has(contactId), uninstalled });
      if (wrong !== null) complaints.push(`${contactId} ${wrong}`);
    }
  }
  for (const contactId of received.keys())
    if (!contactIds.includes(contactId)) complaints.push(`${contactId} is not in the audience and was sent to`);
  const twice = twiceIn(received);
  if ((sentTwice < twice && !uninstalled) || sentTwice > twiceIn(outcome.seemsReceived))
    complaints.push(`the campaign says that ${sentTwice} were sent to twice; it was ${twice}`);
  if (open.has(status)) complaints.push(`the campaign is still ${status}`);
  return complaints;
}

/** What must not be of the entry sources that somebody knows of: they end with their campaign, and say what it says. */
export function complaintsAboutSources(
  { status, name, endsAt }: { status: CampaignStatus; name: string; endsAt: Date | null },
  sources: PlatformSource[],
): string[] {
  const over = status === 'closed' || status === 'cancelled';
  const expiresAt = endsAt?.toISOString() ?? null;
  return sources.flatMap((source) => {
    if (!source.known) return [];
    if (source.active === over) return [`${source.sourceId} is ${over ? 'still active' : 'inactive'}: ${status}`];
    if (over || (source.name === name && source.expiresAt === expiresAt)) return [];
    return [`${source.sourceId} is ${source.name} until ${source.expiresAt}, not ${name} until ${expiresAt}`];
  });
}
