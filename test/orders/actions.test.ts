import { expect } from 'chai';
import { GatewayUnclear } from '#clients/payment-gateway/client.ts';
import { rows } from '#db/database.ts';
import { readPayment } from '#db/orders/payments.ts';
import { payOrderWorkflowId } from '#workflows/contracts/orders/pay-order.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { eventually } from '../support/time/eventually.ts';
import { type RunCost, runCost } from '../support/servers/actions.ts';
import { ok } from './support/shop.ts';

const cash = { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } };

/** A machine that stands still for a second makes one payment dearer, not each of them. */
const ORDERS = 3;

describe('What a payment costs the workflow server', () => {
  const shop = useOrders({ points: { wallet: 1000 } });

  it('an order of points and cash, from pay to DONE: 5 actions, 2 batches of local activities, 16 events', async () => {
    const costs: RunCost[] = [];
    for (let number = 0; number < ORDERS; number += 1) {
      const order = await shop.create('shop', cash);
      ok(await shop.payUntilKnown(order, 'shop'));
      await shop.gateway.pay(order.orderNo);
      await shop.until(order, 'shop', '30/30/30');
      const workflowId = payOrderWorkflowId(order.orderId);
      await shop.client.workflow.getHandle(workflowId).result();
      costs.push(await runCost(shop.client, workflowId));
    }
    const least = costs.toSorted((one, other) => one.events - other.events)[0];
    expect(least?.events).to.be.at.most(16);
    expect(least?.actions).to.be.at.most(5);
    expect(least?.localBatches).to.be.at.most(2);
  });

  it('a charge that takes longer than a workflow task should is waited for by an activity, and sent once', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    shop.gateway.state.fault = ({ operation }) => (operation === 'create' ? { holdUntil: held } : undefined);
    const order = await shop.create('shop', cash);
    const paying = shop.payUntilKnown(order, 'shop');
    const run = shop.client.workflow.getHandle(payOrderWorkflowId(order.orderId));
    await eventually('an activity waits for the charge', async () => {
      const { raw } = await run.describe();
      return raw.pendingActivities?.some(({ activityType }) => activityType?.name === 'createCharge');
    });
    letGo();
    shop.gateway.state.fault = () => undefined;
    ok(await paying);
    expect(shop.gateway.of('create').filter(({ body }) => body['orderNo'] === order.orderNo)).to.have.length(1);
    ok(await shop.cancel(order, 'shop'));
  });

  it('a charge is read within a workflow task, and by an activity once the gateway takes its time', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    const workflowId = payOrderWorkflowId(order.orderId);
    const run = shop.client.workflow.getHandle(workflowId);
    const reads = () =>
      shop.gateway.of('read').filter(({ chargeId }) => chargeId === shop.gateway.chargeOf(order.orderNo).chargeId);
    const scheduled = async () => {
      const { events } = await run.fetchHistory();
      return (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length;
    };
    ok(await shop.pay(order, 'shop'));
    expect([reads().length, await scheduled()]).to.deep.equal([1, 0]);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    shop.gateway.state.fault = ({ operation }) => (operation === 'read' ? { holdUntil: held } : undefined);
    const { attempt } = await readPayment(shop.database, order.orderId);
    const again = shop.launcher.readCharge({ orderId: order.orderId, tenantId: 'shop', attempt });
    await eventually('an activity waits for the charge', async () => (await scheduled()) === 1);
    letGo();
    shop.gateway.state.fault = () => undefined;
    await again;
    ok(await shop.cancel(order, 'shop'));
  });

  it('a gateway that asks for time gets it before the charge is sent again', async () => {
    const { paymentGateway } = shop;
    const { createCharge } = paymentGateway;
    paymentGateway.createCharge = () => {
      paymentGateway.createCharge = createCharge;
      return Promise.reject(new GatewayUnclear('the gateway is busy', 700));
    };
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    const { events } = await shop.client.workflow.getHandle(payOrderWorkflowId(order.orderId)).fetchHistory();
    const timer = events?.find((event) => event.timerStartedEventAttributes);
    const sentAgain = events?.find((event) => event.activityTaskScheduledEventAttributes);
    expect(timer?.timerStartedEventAttributes?.startToFireTimeout?.nanos).to.equal(700_000_000);
    expect(Number(sentAgain?.eventId)).to.be.greaterThan(Number(timer?.eventId));
    ok(await shop.cancel(order, 'shop'));
  });

  it('a look at the books: at most 10 actions an hour, however many accounts there are', async () => {
    await rows(
      shop.database,
      `insert into point_account (tenant_id, user_id, kind) select 'shop', 'idle-' || n, 'tenant' from generate_series(1, 12000) n`,
      {},
    );
    for (const workflowId of ['look-at-everything', 'look-at-what-changed']) {
      await shop.client.workflow.execute('checkLedger', { taskQueue: 'orders', workflowId, args: [] });
      const { actions } = await runCost(shop.client, workflowId);
      expect(actions, workflowId).to.be.at.most(10);
    }
    const [look] = await rows<{ whole: boolean }>(
      shop.database,
      'select all_completed_at > all_began_at as whole from ledger_look',
      {},
    );
    expect(look?.whole).to.equal(true);
    await rows(shop.database, `delete from point_account where user_id like 'idle-%'`, {});
  });
});
