import { join } from 'node:path';
import type { SecretName, Settings } from '../domain/settings/settings.ts';
import { createFaults } from './faults.ts';
import { createFiles } from './files/files.ts';
import { createCallLog } from './http/calls.ts';
import { createPeople, demonstrationTenants } from './identity/people.ts';
import { createJournal } from './journal.ts';
import { createReceivers } from './merchant/receivers.ts';
import { createCallbacks } from './payment-gateway/callbacks.ts';
import { createCharges } from './payment-gateway/charges.ts';
import { createBehaviour } from './platform/broadcasts/behaviour.ts';
import { createTaskClock } from './platform/broadcasts/broadcasts.ts';
import { createClicks } from './platform/clicks/clicks.ts';
import { createContactEvents } from './platform/contacts/events.ts';
import { createContacts } from './platform/contacts/contacts.ts';
import { createEntrySources } from './platform/entry-sources.ts';
import { createIntegrations } from './platform/integration/integrations.ts';
import { createLifecycle } from './platform/integration/lifecycle.ts';
import { createNonces } from './platform/integration/nonces.ts';
import { createOutbound } from './platform/webhooks/outbound.ts';
import { createTasks } from './platform/broadcasts/tasks.ts';
import { createTenants } from './platform/integration/tenants.ts';
import { createWebhooks } from './platform/webhooks/webhooks.ts';

/** Everything the sandbox remembers or has in progress; all parts keep their entries in one journal. */
export function createState(settings: Settings<SecretName>, directory: string) {
  const journal = createJournal(directory);
  const faults = createFaults();
  const outbound = createOutbound(faults);
  const calls = createCallLog(journal);
  const tenants = createTenants(journal);
  const contacts = createContacts(journal);
  const integrations = createIntegrations(journal);
  const nonces = createNonces(journal);
  const behaviour = createBehaviour(journal, settings.PLATFORM_A1_IDEMPOTENT);
  const sources = createEntrySources(journal);
  const tasks = createTasks(journal);
  const webhooks = createWebhooks(journal, integrations, outbound);
  const contactEvents = createContactEvents(journal, contacts, webhooks);
  const clicks = createClicks(journal, { sources, integrations, webhooks });
  const people = createPeople(journal, `${settings.PUBLIC_BFF_URL}/api/v1/auth/callback`);
  const lifecycle = createLifecycle({ integrations, tenants, outbound, appSecret: settings.PLATFORM_APP_SECRET[0] });
  const clock = createTaskClock({ tasks, behaviour, contacts });
  const charges = createCharges(journal);
  const callbacks = createCallbacks(journal, settings.PAYMENT_GATEWAY_WEBHOOK_SECRET[0], faults);
  const receivers = createReceivers(journal);
  const files = createFiles(join(directory, 'files'));
  const platform = { tenants, contacts, integrations, nonces, behaviour, sources, tasks, clicks, lifecycle, clock };
  const events = { webhooks, contactEvents, outbound };
  return { journal, faults, calls, people, charges, callbacks, receivers, files, ...platform, ...events };
}

export type State = ReturnType<typeof createState>;

/** Replays the journal and resumes work in progress. Nothing else may hold the journal: bind the port first. */
export function resumeState(state: State, settings: Settings<SecretName>): void {
  state.journal.open();
  if (settings.DEMO && state.tenants.list().length === 0) {
    for (const tenant of demonstrationTenants) state.tenants.record(tenant);
  }
  state.webhooks.start();
  state.contactEvents.resume();
  state.clock.resume();
  state.lifecycle.resume();
  state.callbacks.resume();
}

/** Ends timers and calls; the journal holds the remaining work. */
export async function stopState(state: State): Promise<void> {
  state.webhooks.stop();
  state.lifecycle.stop();
  state.clock.stop();
  await Promise.all([state.outbound.stop(), state.callbacks.stop()]);
  state.journal.close();
}
