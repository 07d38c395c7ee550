/** One arm of a campaign: contacts, and how many of them did what is measured. */
export interface Arm {
  contacts: number;
  converted: number;
}

/** Both ends of an interval, as shares. */
export interface Interval {
  low: number;
  high: number;
}

/** Fewer conversions in either arm say nothing yet. */
export const ENOUGH_CONVERSIONS = 100;

/**
 * What two arms show: too little to say, more or less among those sent to, or that either is possible: 0 is in the
 * interval.
 */
export const liftVerdicts = ['too_few', 'higher', 'lower', 'unclear'] as const;
export type LiftVerdict = (typeof liftVerdicts)[number];

export interface Lift {
  verdict: LiftVerdict;
  /** The share of the first arm less that of the second, with its 95 % interval; null if there are too few conversions. */
  difference: ({ value: number } & Interval) | null;
  /** The difference as a share of the second arm's; null if there are too few conversions. */
  relative: number | null;
}

/** The quantile of the normal distribution that leaves 2.5 % on either side. */
const Z = 1.959_963_984_540_054;

const shareOf = ({ contacts, converted }: Arm): number => (contacts === 0 ? 0 : converted / contacts);

/** Wilson's score interval of one arm, at 95 %. An arm without contacts can have any share. */
export function wilsonInterval({ contacts, converted }: Arm): Interval {
  if (contacts === 0) return { low: 0, high: 1 };
  const middle = 2 * converted + Z * Z;
  const spread = Z * Math.sqrt(Z * Z + 4 * converted * (1 - converted / contacts));
  const width = 2 * (contacts + Z * Z);
  return { low: Math.max(0, (middle - spread) / width), high: Math.min(1, (middle + spread) / width) };
}

/**
 * The difference between the shares of two independent arms, with its 95 % interval: Newcombe's hybrid score interval
 * (Statistics in Medicine 17, 1998, method 10), which needs no minimum of conversions and never leaves −1 to 1.
 */
export function differenceOf(first: Arm, second: Arm): { value: number } & Interval {
  const [one, other] = [shareOf(first), shareOf(second)];
  const [ofOne, ofOther] = [wilsonInterval(first), wilsonInterval(second)];
  const value = one - other;
  return {
    value,
    low: value - Math.hypot(one - ofOne.low, ofOther.high - other),
    high: value + Math.hypot(ofOne.high - one, other - ofOther.low),
  };
}

function verdictOf({ low, high }: Interval): LiftVerdict {
  if (low > 0) return 'higher';
  return high < 0 ? 'lower' : 'unclear';
}

/** Compares those sent to with the control group. */
export function liftOf(sent: Arm, control: Arm): Lift {
  if (Math.min(sent.converted, control.converted) < ENOUGH_CONVERSIONS)
    return { verdict: 'too_few', difference: null, relative: null };
  const difference = differenceOf(sent, control);
  return { verdict: verdictOf(difference), difference, relative: difference.value / shareOf(control) };
}
