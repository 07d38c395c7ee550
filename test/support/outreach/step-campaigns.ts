import type { Database } from '#db/database.ts';
import { storeClicks } from '#db/outreach/clicks/attribution.ts';
import { evaluateSteps, type StepEvaluation } from '#commands/outreach/steps/evaluate-steps.ts';
import { expect } from 'chai';
import { useTwoTenants } from '../fixtures/services.ts';
import { type CallOptions, campaignBody, contactId } from '../services/backend.ts';

const HOUR = 3_600_000;

/** A contact presses the button of a campaign's card, which the service hears of at once. */
export const clickCard = (
  database: Database,
  {
    clickedAt,
    ...clicker
  }: { tenantId: string; campaignId: string; contactId: string; bizEventCode: string; clickedAt: Date },
): Promise<void> =>
  database.transaction((transaction) =>
    storeClicks(
      transaction,
      [
        {
          ...clicker,
          taskId: `task-${clicker.campaignId}`,
          noticeId: `n-${clicker.campaignId}-${clicker.contactId}`,
          arm: null,
          messageCase: null,
          actionIndex: 0,
          messageIndex: 0,
          eventId: `e-${clicker.campaignId}-${clicker.contactId}`,
          clickedAt,
        },
      ],
      clickedAt,
    ),
  );

/** A backend whose clock a suite moves, and campaigns with steps. Called at the top of a `describe`. */
export function useStepCampaigns() {
  const backend = useTwoTenants({ contacts: 6 });
  const start = new Date('2026-11-26T12:00:00Z');
  const at = (hours: number) => new Date(start.getTime() + hours * HOUR);
  let tokens = { operator: '', other: '', foreign: '' };
  /** Tokens are short-lived. */
  async function travel(now: Date): Promise<void> {
    backend.setNow(now);
    tokens = {
      operator: await backend.token('a'),
      other: await backend.token('a', 'tenant_admin', 'u-other'),
      foreign: await backend.token('b'),
    };
  }
  beforeEach(() => travel(start));
  after(() => backend.setNow(null));

  const call = (method: string, path: string, options: CallOptions = {}) =>
    backend.call(method, path, { token: tokens.operator, ...options });
  const post = (path: string, body?: unknown) => call('POST', path, body === undefined ? {} : { body });
  const get = async (path: string) => (await call('GET', path)).body;
  const stepsOf = async (id: string) => (await get(`/campaigns/${id}/steps`)).items;
  const look = (campaignId: string, now: Date): Promise<StepEvaluation> =>
    evaluateSteps(backend.db, { tenantId: 'a', campaignId }, now);

  const card = (title: string) => ({
    type: 'buttons' as const,
    title,
    text: title,
    actions: [{ type: 'Postback' as const, label: 'Yes', data: { bizEventCode: 'YES' } }],
  });
  const step = (amount: number, outcome: string, more: object = {}) => ({
    after: { amount, unit: 'hours' },
    condition: { outcome },
    messages: [card(`After ${amount}`)],
    ...more,
  });
  const twoSteps = [step(24, 'not_clicked'), step(48, 'clicked')];

  async function send(more: object = {}): Promise<string> {
    const contactIds = [1, 2, 3, 4].map(contactId);
    const body = { ...campaignBody(), audience: { type: 'contacts', contactIds }, steps: twoSteps, ...more };
    const created = await post('/campaigns', body);
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    const sent = await post(`/campaigns/${created.body.id}:send`);
    expect(sent.status, JSON.stringify(sent.body)).to.equal(202);
    return created.body.id;
  }
  /** The platform has taken and finished all of it, as of this time. */
  async function complete(campaignId: string, when: Date): Promise<void> {
    await backend
      .db('broadcast_task')
      .where({ campaignId })
      .update({
        status: 'completed',
        sent: 1,
        delivered: 1,
        task_id: `task-${campaignId}`,
        submitted_at: when,
        started_at: when,
        finished_at: when,
      });
    await backend.db('campaign').where({ campaignId }).update({ status: 'completed' });
  }
  const click = (campaignId: string, contact: number, clickedAt: Date) =>
    clickCard(backend.db, { tenantId: 'a', campaignId, contactId: contactId(contact), bizEventCode: 'YES', clickedAt });
  const recipients = (campaignId: string) =>
    backend
      .db('dispatch_recipient as r')
      .join('dispatch as d', 'd.dispatch_id', 'r.dispatch_id')
      .where('d.campaign_id', campaignId)
      .orderBy('r.contact_id')
      .pluck('r.contact_id');
  const standings = async (id: string) =>
    (await stepsOf(id)).map(({ state, reason }: { state: string; reason: string | null }) => [state, reason]);

  return {
    backend,
    start,
    at,
    travel,
    call,
    post,
    get,
    stepsOf,
    look,
    card,
    step,
    twoSteps,
    send,
    complete,
    click,
    recipients,
    standings,
    tokens: () => tokens,
  };
}
