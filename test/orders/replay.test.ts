import { readdirSync, readFileSync } from 'node:fs';
import protocol from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { productionBundle } from '../support/outreach-worker.ts';
import { quieten } from '../support/temporal.ts';

interface Recorded {
  workflowId: string;
  history: { events: HistoryEvent[] };
}

interface HistoryEvent {
  eventType: string;
  activityTaskScheduledEventAttributes?: {
    activityType: { name: string };
    input?: { payloads: { data: string }[] };
    startToCloseTimeout: string;
  };
}

const histories = new URL('../histories/', import.meta.url);

const recorded = ['pay-order', 'refund-charge'].flatMap((type) =>
  readdirSync(new URL(`${type}/`, histories))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: `${type}/${file.replace('.json', '')}`,
      ...(JSON.parse(readFileSync(new URL(`${type}/${file}`, histories), 'utf8')) as Recorded),
    })),
);

/** What each activity is given; replay itself compares only types. */
const inputs: Record<string, string[]> = {
  openPayment: ['attempt', 'cancelURL', 'expiresAt', 'orderId', 'resultURL'],
  markReservationUnknown: ['attempt', 'orderId'],
  resolveReservation: ['attempt', 'orderId'],
  readPayment: ['attempt', 'orderId'],
  createCharge: ['attempt', 'orderId'],
  settlePayment: ['attempt', 'orderId'],
  endPayment: ['attempt', 'orderId', 'reason'],
  resolvePayment: ['attempt', 'orderId', 'outcome'],
  refundCharge: ['chargeId'],
  startRefunds: ['0'],
};

describe('Recorded payments replay', function () {
  this.timeout(60_000);
  let workflowBundle: { codePath: string };
  before(async () => {
    quieten();
    workflowBundle = await productionBundle();
  });

  it('has a history of every branch', () => {
    expect(recorded.length).to.be.at.least(19);
  });

  for (const { name, workflowId, history } of recorded) {
    it(name, async () => {
      await Worker.runReplayHistory(
        { workflowBundle },
        protocol.temporal.api.history.v1.History.fromObject(history),
        workflowId,
      );
      for (const { activityTaskScheduledEventAttributes: scheduled } of history.events) {
        const [payload] = scheduled?.input?.payloads ?? [];
        if (!scheduled || !payload) continue;
        const input = JSON.parse(Buffer.from(payload.data, 'base64').toString('utf8')) as object;
        expect(Object.keys(input).toSorted(), scheduled.activityType.name).to.deep.equal(
          inputs[scheduled.activityType.name],
        );
      }
    });
  }
});
