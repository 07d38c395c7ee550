import type { Transaction } from '../database.ts';

/** A plan type, as in PostgreSQL's settings `enable_…`. */
export type PlannerMethod = 'seqscan' | 'nestloop' | 'hashjoin' | 'mergejoin' | 'hashagg' | 'material' | 'sort';

/** Runs a statement with these plan types disabled, whatever the planner thinks of the size of its tables. */
export async function withPlannerMethodsDisabled<T>(
  transaction: Transaction,
  methods: readonly PlannerMethod[],
  run: () => Promise<T>,
): Promise<T> {
  const turn = (how: 'on' | 'off') =>
    transaction.raw(methods.map((method) => `set local enable_${method} = ${how}`).join('; '));
  await turn('off');
  const result = await run();
  await turn('on');
  return result;
}
