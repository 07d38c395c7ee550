import type { Fault } from '#sandbox/faults.ts';
import type { Callers } from './callers.ts';

type Kind = Partial<Fault> & Pick<Fault, 'mode'>;

/** A failure before the effect, one after it, a dropped connection, and an effect whose response is lost. */
const calls: Kind[] = [
  { mode: 'status', status: 503 },
  { mode: 'status', status: 500, afterEffect: true },
  { mode: 'reset' },
  { mode: 'lost-answer' },
];
const callbacks: Kind[] = [
  { mode: 'lost' },
  { mode: 'status', status: 503 },
  { mode: 'reset' },
  { mode: 'lost-answer' },
];

/**
 * Faults that together hit this share of the calls, each kind equally often. The first that hits applies, so each one's
 * rate is its share of what those before it let pass.
 */
const sharing = (route: string, kinds: Kind[], share: number, seed: number): Partial<Fault>[] =>
  kinds.map((kind, index) => {
    const each = share / kinds.length;
    return { ...kind, route, rate: each / (1 - each * index), seed: seed + index };
  });

/** Every call to the gateway, and every callback of it, fails with this probability. */
export async function failGateway(
  { sandbox }: Callers,
  { share, seed }: { share: number; seed: number },
): Promise<void> {
  const faults = [...sharing('charges.*', calls, share, seed), ...sharing('callback', callbacks, share, seed + 100)];
  await sandbox('faults', 'PUT', '/sandbox/faults', { faults });
}

export interface FaultHits {
  seen: number;
  hits: number;
}

/** Ends the faults. @returns how many calls and callbacks there were, and how many failed. */
export async function mendGateway({ sandbox }: Callers): Promise<{ calls: FaultHits; callbacks: FaultHits }> {
  const armed = await sandbox<{ faults: (Fault & FaultHits)[] }>('faults', 'GET', '/sandbox/faults');
  await sandbox('faults', 'PUT', '/sandbox/faults', { faults: [] });
  const of = (route: string): FaultHits => {
    const those = armed?.faults.filter((fault) => fault.route === route) ?? [];
    return { seen: those[0]?.seen ?? 0, hits: those.reduce((sum, { hits }) => sum + hits, 0) };
  };
  return { calls: of('charges.*'), callbacks: of('callback') };
}
