import { expect } from 'chai';
import type { BackendDeps } from '#api/backend/deps.ts';
import type { CampaignBody } from '#domain/api/campaign.ts';
import {
  type ApiResponse,
  campaignBody,
  type CallOptions,
  insertContacts,
  startBackend,
  type TestBackend,
} from './backend.ts';

/** The backend with tenant `a`, whose operator is the default caller, and tenant `b`, which is foreign to it. */
export interface TwoTenants extends TestBackend {
  /** Tokens of an operator of `a` and of one of `b`. */
  operator: string;
  foreign: string;
  /** Creates a campaign from `campaignBody` with the given overrides; returns its id. */
  draft(more?: Partial<CampaignBody>): Promise<string>;
  act(campaignId: string, action: string, options?: CallOptions): Promise<ApiResponse>;
}

/** Starts it; `a` has `contacts` following contacts, see `insertContacts`. */
export async function startTwoTenants({
  contacts,
  ...more
}: { contacts: number } & Partial<BackendDeps>): Promise<TwoTenants> {
  const backend = await startBackend(more);
  await backend.install('a');
  await backend.install('b');
  await insertContacts(backend.db, 'a', contacts);
  const operator = await backend.token('a');
  const call: TestBackend['call'] = (method, path, options) =>
    backend.call(method, path, { token: operator, ...options });
  return {
    ...backend,
    operator,
    foreign: await backend.token('b'),
    call,
    draft: async (more) => {
      const { status, body } = await call('POST', '/campaigns', { body: campaignBody(more) });
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.id;
    },
    act: (campaignId, action, options) => call('POST', `/campaigns/${campaignId}:${action}`, options),
  };
}
