import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { historyText, plainHistory } from '#scripts/capture/histories.ts';
import { payOrderWorkflowId } from '#workflows/contracts/orders/pay-order.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import type { GatewayCall, GatewayFault } from '../support/fake-gateway.ts';
import { type PayReply, startOrdersService } from '../support/orders-service.ts';
import { payWithin, shopping } from '../support/shop.ts';

const folder = new URL('../../histories/', import.meta.url);

/**
 * The order service behind a proxy, and shorthands for recording what its runs did.
 * @param replaces whether a recording replaces the one of its name, which otherwise stays.
 */
export async function startRecording({ replaces }: { replaces: boolean }) {
  let proxy: Awaited<ReturnType<typeof startCuttingProxy>> | undefined;
  const service = await startOrdersService({
    databaseUrl: async (url) => (proxy = await startCuttingProxy(url)).url,
  });
  const shop = shopping(service);
  const { gateway } = service;
  const run = ({ orderId }: { orderId: string }) => service.client.workflow.getHandle(payOrderWorkflowId(orderId));

  async function save(file: string, workflowId: string): Promise<void> {
    const target = new URL(`${file}.json`, folder);
    if (existsSync(target) && !replaces) return;
    const history = await service.client.workflow.getHandle(workflowId).fetchHistory();
    mkdirSync(dirname(target.pathname), { recursive: true });
    writeFileSync(target, historyText(workflowId, plainHistory(history)));
    process.stdout.write(`${file}: ${history.events?.length} events\n`);
  }

  return {
    service,
    shop,
    gateway,
    proxy: () => proxy,
    run,
    save,
    /** The history of a payment that has ended, once its workflow has ended, too. */
    async saveClosed(name: string, order: { orderId: string }): Promise<void> {
      await run(order)
        .result()
        .catch(() => undefined);
      await save(`pay-order/${name}`, payOrderWorkflowId(order.orderId));
    },
    saveOpen: (name: string, { orderId }: { orderId: string }) =>
      save(`pay-order/${name}`, payOrderWorkflowId(orderId)),
    ordered: () => shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } }),
    payFor: (order: PayReply['data'], ttlMs: number) => payWithin(ttlMs, order, service.launcher),
    /** The next calls of this operation go wrong, as often as it says. */
    faulty(operation: GatewayCall['operation'], fault: GatewayFault, times = 1): void {
      let left = times;
      gateway.state.fault = (call) => {
        if (call.operation !== operation || left === 0) return undefined;
        left -= 1;
        return fault;
      };
    },
    stop: async () => {
      await service.stop();
      await proxy?.stop();
    },
  };
}

export type Recording = Awaited<ReturnType<typeof startRecording>>;
