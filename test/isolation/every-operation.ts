import { rows } from '#db/database.ts';
import { frontendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import type { Stack } from '../support/services/stack.ts';
import { type CallResponse, call } from '../support/http/call.ts';
import type { IsolatedTenant, Made } from './tenant-story.ts';

/** Every operation of the frontend API, by name. */
export const operations = Object.entries(frontendOperations as Record<string, AnyOperation>);

export const isStream = ({ responseType }: AnyOperation): boolean => responseType === 'text/event-stream';

/** Of whose objects a path has ids. */
export interface Owner {
  tenant: IsolatedTenant;
  made: Made;
}

/** The path with ids of what somebody made, and those that are given besides. */
export function pathOf(
  { tenant, made }: Owner,
  { path }: AnyOperation,
  more: Record<string, string | undefined>,
): string {
  const { keys, ...ids } = made;
  const values: Record<string, string | undefined> = {
    ...ids,
    id: made.linked,
    key: keys[0],
    snId: tenant.serviceNumberId,
    contactId: path.startsWith('/campaigns/') ? 'c-1' : tenant.onlyContact,
    eventId: `${tenant.prefix}${tenant.onlyContact}`,
    ...more,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for ${name} in ${path}`);
    return value;
  });
}

const DAY_MS = 86_400_000;

const around = `?${new URLSearchParams({
  from: new Date(Date.now() - 30 * DAY_MS).toISOString(),
  to: new Date(Date.now() + 30 * DAY_MS).toISOString(),
})}`;

/** Of operations that need one. */
export const neededQueries: Record<string, string> = {
  '/contacts/values': '?serviceNumberId=sn-1&field=channel',
  '/calendar': around,
  '/control-group/lift': around,
};

/** Asks for the operation with an empty body, and for as much as there is. */
export function ask(
  stack: Stack,
  token: string,
  operation: AnyOperation,
  path: string,
): Promise<CallResponse<unknown>> {
  const body = operation.method === 'get' || operation.bodyType ? {} : { body: {} };
  const limit = operation.query && 'limit' in operation.query.shape ? '?limit=200' : '';
  const address = `${stack.addresses.bff}/api/v1${path}${neededQueries[operation.path] ?? limit}`;
  return call<unknown>(operation.method.toUpperCase(), address, { token, ...body });
}

/** Texts and ids of what somebody made alone. */
export async function tracesOf(stack: Stack, { tenant, made }: Owner): Promise<string[]> {
  const { keys, ...ids } = made;
  const sends = await rows<{ id: string }>(
    stack.database.connect('outreach'),
    'select dispatch_id as id from dispatch where tenant_id = :name and campaign_id = any(:campaigns)',
    { name: tenant.name, campaigns: Object.values(ids) },
  );
  return [tenant.mark, tenant.onlyContact, ...Object.values(ids), ...keys, ...sends.map(({ id }) => id)];
}
