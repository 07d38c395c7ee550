import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { evaluateSteps } from '#commands/outreach/steps/evaluate-steps.ts';
import { runDueRepeat } from '#commands/outreach/repeats/run-due-repeat.ts';
import { keepBackAtDeadline } from '#commands/outreach/sends/ledger/keep-back-at-deadline.ts';
import { pauseLate } from '#commands/outreach/sends/ledger/pause-late.ts';
import { updateCampaign } from '#commands/outreach/sends/editing/update-campaign.ts';
import { rows } from '#db/database.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { readSendFacts } from '#db/outreach/sends/facts.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Pace } from '#domain/api/pace.ts';
import type { PossibleActions } from '#domain/api/campaign-snapshots.ts';
import { refusalOf, type SendAction, sendActions } from '#domain/sends/actions.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { useTwoTenants } from '../support/fixtures/services.ts';
import { readTasks, seedLargeDraft, seedSend, type TestSend } from '../support/outreach/rows.ts';
import { against, card, openVariantSite, type VariantSite } from '../support/outreach/variant-sends.ts';
import { type ApiResponse, contactId } from '../support/services/backend.ts';
import { eventually } from '../support/time/eventually.ts';

const HOUR_MS = 3_600_000;
const later = () => new Date(Date.now() + HOUR_MS);
const anyVersion = { 'If-Match': '*' };

/** What `docs/sends.md` says of each moment: the result of each action, by its name. */
function documented(): Map<string, Record<string, string>> {
  const lines = readFileSync(`${projectFolder}docs/sends.md`, 'utf8').split('\n');
  const table = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
  const [header = [], , ...moments] = table.map((cells) => cells.map((cell) => cell.trim()));
  return new Map(
    moments.map(([moment = '', ...cells]) => [
      moment,
      Object.fromEntries(cells.map((cell, index) => [header[index + 1] ?? '', cell])),
    ]),
  );
}

describe('each action at each moment of a send', function () {
  this.timeout(120_000);
  const backend = useTwoTenants({ contacts: 200 });
  const site: VariantSite = fixture(async () => {
    const value = await openVariantSite(backend, () => new Date());
    return { value, close: () => value.close() };
  });
  const expected = documented();
  let olga = '';
  before(async () => (olga = await backend.token('a', 'marketing_operator', 'olga')));

  const call: typeof backend.call = (...given) => backend.call(...given);
  const post = async (path: string, body: unknown = {}): Promise<ApiResponse> => {
    const response = await call('POST', path, { body });
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response;
  };
  const read = async (id: string): Promise<Campaign> => (await call('GET', `/campaigns/${id}`)).body;
  const limitTo = (limit: number | null) =>
    backend.db('tenant').where({ tenant_id: 'a' }).update({ sends_need_approval: limit });
  const people = (count: number) => ({
    type: 'contacts' as const,
    contactIds: Array.from({ length: count }, (_, n) => contactId(n + 1)),
  });

  const send = (at?: Date): Promise<TestSend> =>
    seedSend(backend.db, 'a', { chunks: [1, 1], messages: [card('Spring')], ...(at ? { at } : {}) });
  const submit = ({ dispatchId }: TestSend, to = 1) =>
    site.run(() => site.activities.submitBroadcasts({ tenantId: 'a', dispatchId, from: 0, to }));
  const accepting = () =>
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'sending' } } : null));
  const refusing = (keys: readonly string[]) =>
    site.platform.behave(({ route, headers }) =>
      route === 'A1' && keys.includes(String(headers['idempotency-key']))
        ? { status: 422, body: { code: 'invalid_content', message: 'refused' } }
        : null,
    );

  async function submitted(at?: Date, to = 1): Promise<TestSend> {
    const given = await send(at);
    await submit(given, to);
    return given;
  }
  async function lost(at?: Date): Promise<string> {
    const given = await send(at);
    site.platform.behave(({ route }) => (route === 'A1' ? 'reset' : null));
    await submit(given);
    return given.campaignId;
  }
  async function ended(refused: (keys: string[]) => string[]): Promise<string> {
    const given = await send();
    refusing(refused(given.keys));
    await submit(given);
    await site.poll(given.campaignId);
    return given.campaignId;
  }
  async function asked(): Promise<string> {
    await limitTo(1);
    const id = await backend.draft({ audience: people(2) });
    await post(`/campaigns/${id}:send`);
    await limitTo(null);
    return id;
  }
  async function unresolved(): Promise<string> {
    const schedule = { type: 'scheduled' as const, at: later().toISOString(), audience: 'at_start' as const };
    const id = await backend.draft({ audience: people(2), schedule });
    await post(`/campaigns/${id}:send`);
    return id;
  }
  async function sentWith(more: object): Promise<string> {
    const id = await backend.draft({ audience: people(2), messages: [card('Spring')], ...more });
    await post(`/campaigns/${id}:send`);
    return id;
  }
  async function paced(pace: Pace): Promise<string> {
    const id = await sentWith({ audience: people(25), pace });
    await site.submit(id);
    return id;
  }
  async function held(): Promise<string> {
    const campaignId = await unresolved();
    await limitTo(1);
    await rows(backend.db, `update dispatch set freeze_at = now() where campaign_id = :campaignId`, { campaignId });
    await site.submit(campaignId);
    await limitTo(null);
    return campaignId;
  }

  const afterAnHour = {
    after: { amount: 1, unit: 'hours' },
    condition: { outcome: 'not_clicked' },
    messages: [card('Again')],
  };

  /** Each makes a campaign of its own; the platform accepts whatever it is sent and does not end it. */
  const moments: Record<string, () => Promise<string>> = {
    draft: () => backend.draft({ audience: people(2) }),
    'waits for approval': asked,
    'scheduled, audience not resolved': unresolved,
    'scheduled, nothing at the platform': async () => (await send(later())).campaignId,
    'scheduled, tasks at the platform': async () => (await submitted(later())).campaignId,
    'being changed': async () => {
      const { campaignId } = await submitted(later());
      await updateCampaign(backend.db, { tenantId: 'a', userId: 'u1', requestId: null }, campaignId, {
        patch: { messages: [card('Summer')] },
        now: new Date(),
        checkStage: () => undefined,
        checkRevision: () => undefined,
        check: () => Promise.resolve(),
      });
      return campaignId;
    },
    'being cancelled': async () => {
      const { campaignId } = await submitted(later());
      await post(`/campaigns/${campaignId}:cancel`);
      return campaignId;
    },
    'being frozen': async () => {
      const id = await seedLargeDraft(backend.db, 'a');
      await post(`/campaigns/${id}:send`);
      return id;
    },
    'nothing submitted': async () => (await send()).campaignId,
    'partly submitted': async () => (await submitted(undefined, 0)).campaignId,
    'calls under way': async () => {
      const { campaignId } = await send();
      await rows(
        backend.db,
        `update broadcast_task set status = 'submitting', submitting_since = now(), submitting_by = 'worker'
         where campaign_id = :campaignId`,
        { campaignId },
      );
      return campaignId;
    },
    'all submitted': async () => (await submitted()).campaignId,
    'scheduled, outcome unknown': () => lost(later()),
    'outcome unknown': () => lost(),
    'the rest waits for a variant': async () => {
      const id = await backend.draft({ audience: people(100), messages: [card('A')], variants: against([20, 20]) });
      await post(`/campaigns/${id}:send`);
      await site.submit(id);
      return id;
    },
    'the rest waits for its pace': () => paced({ perMinute: 10 }),
    'the deadline of its pace has passed': async () => {
      const id = await paced({ perMinute: 10, deadline: later().toISOString() });
      await keepBackAtDeadline(backend.db, { tenantId: 'a', campaignId: id, now: new Date(later().getTime() + 1000) });
      return id;
    },
    'too late to start': async () => {
      const given = await send(later());
      const afterwards = new Date(later().getTime() + 24 * HOUR_MS);
      await pauseLate(backend.db, { ...given, startedBefore: afterwards, now: afterwards });
      return given.campaignId;
    },
    'some are held back': () => sentWith({ holdoutPercent: 50, audience: people(100) }),
    'completed, a step waits': async () => {
      const id = await sentWith({ steps: [afterAnHour] });
      await site.submit(id);
      site.platform.behave(() => null);
      await site.poll(id);
      return id;
    },
    'sent as a step': async () => {
      const campaignId = (await moments['completed, a step waits']?.()) ?? '';
      const due = new Date(later().getTime() + HOUR_MS);
      const { send } = await evaluateSteps(backend.db, { tenantId: 'a', campaignId }, due);
      return send?.campaignId ?? '';
    },
    'sent by a repeat': async () => {
      const campaignId = await backend.draft({ audience: people(2) });
      const daily = { name: 'Daily', campaignId, calendar: { type: 'daily', at: '10:00' }, zone: 'UTC' };
      const { body } = await post('/repeats', daily);
      const ran = await runDueRepeat(backend.db, { tenantId: 'a', repeatId: body.repeatId }, new Date(body.nextAt));
      return ran.send?.campaignId ?? '';
    },
    'paused by an operator': async () => {
      const { campaignId } = await submitted(undefined, 0);
      await post(`/campaigns/${campaignId}:pause`);
      return campaignId;
    },
    'paused for approval': held,
    completed: () => ended(() => []),
    'partly failed': () => ended((keys) => keys.slice(1)),
    failed: () => ended((keys) => keys),
    cancelled: async () => {
      const { campaignId } = await send();
      await post(`/campaigns/${campaignId}:cancel`);
      return campaignId;
    },
    closed: async () => {
      const { campaignId } = await submitted();
      await post(`/campaigns/${campaignId}:close`);
      return campaignId;
    },
    uninstalled: async () => {
      const { campaignId } = await submitted(undefined, 0);
      await backend.service('POST', '/tenant-integrations/ti-a:uninstall', {});
      return campaignId;
    },
  };

  const patch = (id: string, body: object) => call('PATCH', `/campaigns/${id}`, { body, headers: anyVersion });
  const decide = async (id: string, action: 'approve' | 'reject', more: object = {}) => {
    const approvalId = (await read(id)).approval?.approvalId ?? id;
    return await call('POST', `/campaigns/${id}:${action}`, { token: olga, body: { approvalId, ...more } });
  };
  const actions: Record<string, (id: string) => Promise<ApiResponse>> = {
    send: (id) => backend.act(id, 'send'),
    pause: (id) => backend.act(id, 'pause'),
    resume: (id) => backend.act(id, 'resume'),
    cancel: (id) => backend.act(id, 'cancel'),
    close: (id) => backend.act(id, 'close'),
    retry: (id) => backend.act(id, 'retry-failed'),
    content: (id) => patch(id, { messages: [card('Autumn')] }),
    time: (id) => patch(id, { schedule: { type: 'scheduled', at: new Date(Date.now() + 2 * HOUR_MS).toISOString() } }),
    pace: (id) => patch(id, { pace: { perMinute: 60 } }),
    note: (id) => patch(id, { note: 'By the way' }),
    end: (id) => patch(id, { endsAt: new Date(Date.now() + 240 * HOUR_MS).toISOString() }),
    approve: (id) => decide(id, 'approve'),
    reject: (id) => decide(id, 'reject', { reason: 'No' }),
    choose: (id) => call('POST', `/campaigns/${id}/variants:choose`, { body: { name: 'B' } }),
    resolve: async (id) => {
      const [task] = await readTasks(backend.db, { campaignId: id });
      return await call('POST', `/campaigns/${id}/tasks/${task?.key ?? id}:resolve`, { body: { outcome: 'not_sent' } });
    },
    delete: (id) => call('DELETE', `/campaigns/${id}`, { headers: anyVersion }),
  };
  /** Those whose possibility the API tells beforehand. */
  const announced = ['pause', 'resume', 'cancel', 'close', 'retry'] as const satisfies (keyof PossibleActions)[];

  const stateOf = async (campaignId: string) => ({
    campaign: await backend.db('campaign').where({ campaign_id: campaignId }).first(),
    sends: await backend.db('dispatch').where({ campaign_id: campaignId }).orderBy('number'),
    subTasks: await backend.db('broadcast_task').where({ campaign_id: campaignId }).orderBy('key'),
  });

  /** The response; meanwhile the platform is asked, as a worker does, what became of what this action has cancelled. */
  async function answerTo(action: string, id: string): Promise<ApiResponse> {
    const perform = actions[action];
    if (!perform) throw new Error(`There is no action ${action}`);
    const wasBeingChanged = Boolean((await read(id)).pendingEdit);
    const answered = perform(id);
    const polled = eventually(`${action} is answered`, async () => {
      const isAnswered = await Promise.race([answered.then(() => true), setTimeout(100, false)]);
      if (!isAnswered && !wasBeingChanged && (await read(id)).pendingEdit) await site.poll(id);
      return isAnswered;
    });
    await Promise.all([answered, polled]);
    return await answered;
  }

  const isSendAction = (action: string): action is SendAction => sendActions.some((one) => one === action);

  /** What the rows say about an action beforehand, as the matrix names it; null if they do not refuse it. */
  async function foreseen(action: SendAction, id: string): Promise<string | null> {
    const campaign = await findCampaign(backend.db, 'a', id);
    if (!campaign) throw new Error(`There is no campaign ${id}`);
    const refusal = refusalOf(action, await readSendFacts(backend.db, campaign, new Date()));
    return refusal && (refusal.code === 'invalid_state' ? '–' : refusal.code);
  }

  /** What the matrix says of an action: the campaign's state afterwards, or why it is refused. */
  async function resultOf(action: string, id: string): Promise<{ result: string; isRefused: boolean }> {
    const before = await stateOf(id);
    const { status, body } = await answerTo(action, id);
    if (status >= 500) throw new Error(`${action}: ${JSON.stringify(body)}`);
    if (status < 300) return { result: status === 204 ? 'gone' : (await read(id)).status, isRefused: false };
    expect(await stateOf(id), `a refused ${action} changes nothing`).to.deep.equal(before);
    return { result: body.code === 'invalid_state' ? '–' : body.code, isRefused: true };
  }

  for (const [moment, make] of Object.entries(moments))
    it(moment, async () => {
      const results: Record<string, string> = {};
      let id: string | undefined;
      for (const action of Object.keys(actions)) {
        if (id === undefined) {
          accepting();
          id = await make();
          accepting();
        }
        const possible = (await call('GET', `/campaigns/${id}/actions`)).body as PossibleActions;
        const refusal = isSendAction(action) ? await foreseen(action, id) : null;
        const { result, isRefused } = await resultOf(action, id);
        results[action] = result;
        const told = announced.find((name) => name === action);
        // Whoever has no rights is offered nothing.
        if (told) expect(typeof possible[told] === 'number', `${action} is offered`).to.equal(!isRefused);
        if (isSendAction(action) && result !== 'forbidden')
          expect(refusal, `${action} is refused for what the rows say`).to.equal(isRefused ? result : null);
        // What was refused has changed nothing, so the next action finds the same moment.
        if (!isRefused) id = undefined;
      }
      expect(results).to.deep.equal(expected.get(moment));
    });

  it('are all of those that the document has', () => {
    expect([...expected.keys()]).to.deep.equal(Object.keys(moments));
  });
});
