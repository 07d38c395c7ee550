import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { startStack } from '../test/support/services/stack.ts';
import { runMixedLoad } from '../test/orders/mixed-load/mixed-load.ts';

export interface MixedLoadParameters {
  minutes: number;
  seed: number;
  perSecond: number;
}

/**
 * A quarter of an hour of everything that payers, staff and the gateway do, while every tenth call to the gateway and
 * every tenth callback fails; then reconciliation of the day. Fails (exit code 1) if one difference is not explained.
 */
export async function ordersMixedLoad({ minutes = 15, seed = 1, perSecond = 4 }: Partial<MixedLoadParameters>) {
  const postgres = await launchMortalPostgres();
  const stack = await startStack({ services: ['sandbox', 'orders'], postgres: postgres.url });
  try {
    const result = await runMixedLoad(stack, {
      durationMs: minutes * 60_000,
      seed,
      perSecond,
      failing: 0.1,
      progress: (line) => void process.stderr.write(`${new Date().toISOString()} ${line}\n`),
    });
    if (result.unexplained.length > 0 || result.errors.length > 0) process.exitCode = 1;
    return result;
  } finally {
    await stack.stop();
    await postgres.stop();
  }
}
