import { decidePast } from '#commands/outreach/automations/rehearse-automation.ts';
import { rows } from '#db/database.ts';
import { findAutomation } from '#db/outreach/automations/automations.ts';
import { heldBackOf } from '#db/outreach/automations/entering.ts';
import { bodiesOf } from './bodies.ts';
import { createOracle, type Entry, type Ledger, type LedgerStep, type Oracle } from './oracle.ts';
import type { World } from './state.ts';
import { DAYS, ENDS, PER_CONTACT } from './world.ts';

const DAY = 24 * 60 * 60_000;

interface StoredStep {
  step: number;
  status: string;
  reason: string | null;
  dueAt: string;
  sentAt: string | null;
  claimedAt: string | null;
  key: string | null;
  finishedAt: string | null;
}

export interface StoredEntry {
  entryId: string;
  automation: number;
  contact: string;
  causedAt: Date;
  status: string;
  reason: string | null;
  steps: StoredStep[];
}

const selectEntries = `
  select e.entry_id, array_position(:automationIds::text[], e.automation_id) - 1 as automation, e.contact_id as contact, e.caused_at,
    e.status, e.reason, (
      select coalesce(json_agg(json_build_object('step', s.step, 'status', s.status, 'reason', s.reason, 'dueAt', s.due_at,
        'sentAt', s.sent_at, 'claimedAt', s.claimed_at, 'key', s.sub_task_key, 'finishedAt', t.finished_at)
        order by s.step), '[]')
      from automation_step s left join broadcast_task t on t.key = s.sub_task_key where s.entry_id = e.entry_id) as steps
  from automation_entry e where e.tenant_id = :tenantId order by e.caused_at, e.contact_id`;

/** What is stored of all entries, under the ids that the erased had. */
export async function storedEntries({ database, tenant, automationIds, pseudonyms }: World): Promise<StoredEntry[]> {
  const found = await rows<StoredEntry>(database, selectEntries, { automationIds, tenantId: tenant.tenantId });
  return found.map((entry) => ({ ...entry, contact: pseudonyms.get(entry.contact) ?? entry.contact }));
}

type Named = Pick<Entry, 'automation' | 'contact'> & { causedAt: number | Date };
const nameOf = ({ automation, contact, causedAt }: Named) =>
  `${automation} ${contact} ${new Date(causedAt).toISOString()}`;

const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));

function ledgerOf(stored: Map<string, StoredEntry>, resolved: World['resolved']): Ledger {
  return {
    idOf: (entry) => stored.get(nameOf(entry))?.entryId ?? '',
    stepOf: (entry, step): LedgerStep | undefined => {
      const known = stored.get(nameOf(entry))?.steps[step];
      if (!known) return undefined;
      const { key, claimedAt, status, reason, sentAt, finishedAt } = known;
      const at = timeOf(sentAt);
      const knownAt = Math.max(at ?? timeOf(finishedAt) ?? Infinity, resolved.get(key ?? '') ?? 0);
      return { key: key ?? '', claimedAt: timeOf(claimedAt) ?? 0, status, reason, sentAt: at, knownAt };
    },
  };
}

/** What the oracle says of all that happened. */
async function foretell(world: World, stored: Map<string, StoredEntry>): Promise<Oracle> {
  const { database, tenant, automationIds, contacts, tags, start } = world;
  const bodies = bodiesOf(tags, { contacts: contacts.length, endsAt: new Date(ENDS.birthday) });
  const simulated = [];
  for (const [index, body] of bodies.entries()) {
    const key = { tenantId: tenant.tenantId, automationId: automationIds[index] ?? '' };
    const { holdoutPercent } = body;
    const heldBack = await database.transaction((transaction) =>
      heldBackOf(transaction, key, { contactIds: contacts, holdoutPercent }),
    );
    simulated.push({ automationId: key.automationId, body, activatedAt: start, heldBack });
  }
  const oracle = createOracle(simulated, ledgerOf(stored, world.resolved), { perContact: PER_CONTACT });
  for (const happened of world.happened) happened(oracle);
  oracle.finishes(start + DAYS * DAY);
  return oracle;
}

const said = (status: string, reason: string | null) => reason ?? status;
const stepsOf = (steps: readonly { status: string; reason: string | null }[]) =>
  steps.map(({ status, reason }) => said(status, reason)).join(', ');

function complaintsAboutEntries(oracle: Oracle, stored: Map<string, StoredEntry>): string[] {
  const complaints: string[] = [];
  const expected = new Set<string>();
  for (const entry of oracle.entries) {
    const name = nameOf(entry);
    expected.add(name);
    const found = stored.get(name);
    if (!found) {
      complaints.push(`${name} did not enter`);
      continue;
    }
    const { status, reason } = oracle.finalOf(entry);
    const should = `${said(status ?? '', reason)} (${stepsOf(entry.steps)})`;
    const is = `${said(found.status, found.reason)} (${stepsOf(found.steps)})`;
    if (is !== should) complaints.push(`${name} is ${is}, not ${should}`);
  }
  for (const name of stored.keys()) if (!expected.has(name)) complaints.push(`${name} entered without a cause`);
  return complaints;
}

/** Each message at the platform is of one step of one entry, and what counts as sent is there. */
function complaintsAboutMessages({ platform, pseudonyms, resolved }: World, stored: StoredEntry[]): string[] {
  const complaints: string[] = [];
  const steps = new Map<string, StoredStep>();
  for (const entry of stored)
    for (const step of entry.steps) {
      if (step.key === null) continue;
      const name = `${step.key} ${entry.contact}`;
      if (steps.has(name)) complaints.push(`${name} is of two entries`);
      steps.set(name, step);
    }
  const received = new Set<string>();
  for (const { key, contactIds } of platform.tasks)
    for (const contact of contactIds) {
      const name = `${key} ${pseudonyms.get(contact) ?? contact}`;
      if (received.has(name)) complaints.push(`${name} was sent twice`);
      received.add(name);
      const step = steps.get(name);
      if (!step) complaints.push(`${name} was sent without an entry`);
      else if (step.status === 'skipped') complaints.push(`${name} was sent and counts as skipped (${step.reason})`);
    }
  for (const [name, { status, reason, key }] of steps) {
    if (status === 'sent' && !received.has(name)) complaints.push(`${name} counts as sent`);
    if (reason === 'refused' && !platform.hasRefused(key ?? '') && !resolved.has(key ?? ''))
      complaints.push(`${name} counts as refused`);
  }
  return complaints;
}

/** Until when each automation took causes. */
const takenUntil = (world: World, index: number): number =>
  [Infinity, Infinity, ENDS.clicked, ENDS.birthday][index] ?? world.start + DAYS * DAY;

/** Which of the contacts went no further after they had entered: limits and exits are not rehearsed, and they may enter again. */
function stoppedIn(oracle: Oracle, entries: Entry[]): Set<string> {
  const stopped = entries.filter((entry) => entry.refusal === null && oracle.finalOf(entry).status === 'skipped');
  return new Set(stopped.map(({ contact }) => contact));
}

/** A dry run over all days says what happened, but for those who were erased since. */
async function complaintsAboutRehearsal(world: World, oracle: Oracle, index: number): Promise<string[]> {
  const { database, tenant, automationIds, start } = world;
  const key = { tenantId: tenant.tenantId, automationId: automationIds[index] ?? '' };
  const automation = await findAutomation(database, key);
  if (!automation) return [`automation ${index} is not there`];
  const period = { from: new Date(start), to: new Date(Math.min(takenUntil(world, index), start + DAYS * DAY)) };
  const { causes, refusals } = await database.transaction((transaction) => decidePast(transaction, automation, period));
  const own = oracle.entries.filter((entry) => entry.automation === index && !entry.isErased);
  const happened = new Map(own.map((entry) => [nameOf(entry), entry]));
  const stopped = stoppedIn(oracle, own);
  const complaints: string[] = [];
  for (const [place, { contactId: contact, causedAt }] of causes.entries()) {
    const name = nameOf({ automation: index, contact, causedAt });
    const entry = happened.get(name);
    happened.delete(name);
    const [rehearsed, real] = [refusals[place] ?? 'enters', entry?.refusal ?? 'enters'];
    if (!entry) complaints.push(`${name} is only rehearsed`);
    else if (rehearsed !== real && !stopped.has(contact))
      complaints.push(`${name}: ${real}, and ${rehearsed} in a dry run`);
  }
  for (const name of happened.keys()) complaints.push(`${name} is not rehearsed`);
  return complaints;
}

/** Everything that is not as the oracle says. */
export async function complaintsAbout(world: World, stored: StoredEntry[]): Promise<string[]> {
  const named = new Map<string, StoredEntry>();
  const complaints: string[] = [];
  for (const entry of stored) {
    if (named.has(nameOf(entry))) complaints.push(`${nameOf(entry)} entered twice`);
    named.set(nameOf(entry), entry);
  }
  const oracle = await foretell(world, named);
  complaints.push(...complaintsAboutEntries(oracle, named), ...complaintsAboutMessages(world, stored));
  for (const index of world.automationIds.keys())
    complaints.push(...(await complaintsAboutRehearsal(world, oracle, index)));
  return complaints;
}
