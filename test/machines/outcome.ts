import { expect } from 'chai';
import type { SubTask } from '#domain/api/campaign.ts';
import { eventually } from '../support/time/eventually.ts';
import type { Load } from './load.ts';

/** Waits until the platform has been told of every contact, or might have been. */
export const settled = (load: Load, subTasks: number): Promise<SubTask[]> =>
  eventually(
    'every sub-task is settled',
    async () => {
      const tasks = await load.subTasks();
      const open = tasks.filter(({ status }) => status !== 'completed' && status !== 'unknown');
      return tasks.length === subTasks && open.length === 0 && tasks;
    },
    { timeoutMs: 600_000, intervalMs: 500 },
  );

/** Nobody is at the platform twice. @returns how many are there. */
export async function contactsAtPlatform(load: Load): Promise<number> {
  const contactIds = (await load.platformTasks()).flatMap((task) => task.contactIds);
  expect(new Set(contactIds).size, 'contacts that were sent to once').to.equal(contactIds.length);
  return contactIds.length;
}

/** Each click counts once. */
export async function expectEveryClick(load: Load): Promise<void> {
  const { clicked } = load.done();
  await eventually('every click is counted', async () => (await load.results()).clicks.total >= clicked);
  const { clicks } = await load.results();
  expect(clicks).to.include({ total: clicked, repeats: 0, uniqueContacts: clicked });
}

const POINTS = 8;

/** Each order is paid, by one charge, with its points. */
export async function expectEveryPayment(load: Load): Promise<void> {
  const orders = await eventually(
    'every order is completed',
    async () => {
      const found = await load.orders();
      const open = found.filter(({ orderStatus, paymentStatus }) => orderStatus !== 30 || paymentStatus !== 30);
      return open.length === 0 && found;
    },
    { timeoutMs: 120_000, intervalMs: 500 },
  );
  for (const { attempts } of orders) expect(attempts).to.have.length(1);
  const { wallet } = await load.balances();
  expect(wallet).to.include({ reserved: 0, committed: orders.length * POINTS });
}
