import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { sandboxToken } from './sandbox-token.ts';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { firstRow } from '#db/database.ts';
import type { Stack } from './stack.ts';
import { installTenant, type TestTenant } from './tenant.ts';

const LINES_PER_CHUNK = 1000;
const MEBIBYTE = 1024 * 1024;
const serviceNumberId = 'sn-million';

export const vastContactId = (index: number): string => `${serviceNumberId}-${String(index + 1).padStart(6, '0')}`;

/** The list in the form of an operator's file. */
function* csv(contacts: number): Generator<Buffer> {
  for (let from = 0; from < contacts; from += LINES_PER_CHUNK) {
    const ids = Array.from({ length: LINES_PER_CHUNK }, (_, index) => vastContactId(from + index));
    yield Buffer.from(`${ids.join('\n')}\n`);
  }
}

/**
 * A tenant with so many contacts, whole thousands of them: their profiles are copied, because a million webhooks would
 * test the inbox instead.
 */
export async function installVastTenant(stack: Stack, contacts: number): Promise<TestTenant> {
  const tenant = await installTenant(stack, { tenantId: 'vast', serviceNumberId, contacts: 1 });
  await tenant.sandbox.post('/sandbox/contacts', { tenant: 'vast', serviceNumberId, count: contacts });
  const copied = await firstRow<{ count: number }>(
    stack.database.connect('outreach', 'owner'),
    `with copied as (insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, entered_at, last_event_at)
     select tenant_id, service_number_id, :serviceNumberId || '-' || lpad(number::text, greatest(6, length(number::text)), '0'),
       follow_state, entered_at - number * interval '1 second', last_event_at
     from contact_profile, generate_series(2, :contacts::int) as number where service_number_id = :serviceNumberId
     returning 1) select count(*)::int as count from copied`,
    { serviceNumberId, contacts },
  );
  if (copied?.count !== contacts - 1) throw new Error(`only ${copied?.count} contacts were copied`);
  return tenant;
}

/**
 * Creates an audience and streams every contact of the tenant into it.
 * @returns the upload's response.
 */
export async function uploadEverybody(stack: Stack, tenant: TestTenant, contacts: number) {
  const { audienceId } = await tenant.api.post<SavedAudience>('/audiences', {
    name: 'Everybody',
    serviceNumberId,
    type: 'contacts',
    contactIds: [],
  });
  const person = { sub: 'ada', name: 'Ada', tenantId: tenant.tenantId, roles: ['tenant_admin'] };
  const token = await sandboxToken(tenant.sandbox, person);
  const response = await fetch(`${stack.addresses.bff}/api/v1/audiences/${audienceId}/contacts`, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/csv', Authorization: `Bearer ${token}` },
    body: Readable.toWeb(Readable.from(csv(contacts))) as ReadableStream,
    duplex: 'half',
  });
  return { audienceId, uploaded: (await response.json()) as object };
}

/** The most memory that the process has held at once, in MiB, as the Linux kernel counts it. */
export function peakMemory(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (!found) throw new Error(`The kernel does not report the memory of ${pid}`);
  return Math.ceil((Number(found[1]) * 1024) / MEBIBYTE);
}
