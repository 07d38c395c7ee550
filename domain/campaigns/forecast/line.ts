/** Milliseconds that depend on a number of contacts: `fixed`, and `perContact` for each of them. */
export interface Line {
  fixed: number;
  perContact: number;
}

export interface Observation {
  contacts: number;
  ms: number;
}

/** The value that half of the weight lies below; 0 without any. */
function weightedMedian(values: { value: number; weight: number }[]): number {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  return sorted.find(({ weight }) => (below += weight) >= half)?.value ?? 0;
}

export const median = (values: number[]): number => weightedMedian(values.map((value) => ({ value, weight: 1 })));

/**
 * The line through the observations of which most lie near (Theil–Sen, with slopes weighted by the distance that they are
 * known from), so that one slow send among twenty teaches nothing. It never falls, since no work does.
 */
export function fitLine(observations: Observation[]): Line {
  const slopes = observations.flatMap((one, index) =>
    observations.slice(index + 1).flatMap((other) => {
      const apart = other.contacts - one.contacts;
      return apart === 0 ? [] : [{ value: (other.ms - one.ms) / apart, weight: Math.abs(apart) }];
    }),
  );
  const perContact = Math.max(0, weightedMedian(slopes));
  return { perContact, fixed: median(observations.map(({ contacts, ms }) => ms - perContact * contacts)) };
}
