import { type Arm, logEvidence } from './evidence.ts';

/** How often a test without any effect may name a winner, over all of its looks. */
export const FALSE_WINNERS = 0.05;

/**
 * `too_few`: fewer conversions than the campaign asks for. `undecided`: a difference may be chance. `proven`: the leader is
 * ahead of every other variant, and that is not chance.
 */
export const variantVerdicts = ['too_few', 'undecided', 'proven'] as const;
export type VariantVerdict = (typeof variantVerdicts)[number];

export interface Verdict {
  verdict: VariantVerdict;
  /** The variant with the largest share of conversions, by its position; null while that is none or several. */
  leader: number | null;
  /** At most how probable it is that a test in which the leader is not the only best ever looks as decided as this; 1 without a leader. */
  chance: number;
}

const shareOf = ({ contacts, converted }: Arm) => (contacts === 0 ? 0 : converted / contacts);

/** The only variant with the largest share; null if several have it, or nobody converted. */
export function leaderOf(arms: readonly Arm[]): number | null {
  const shares = arms.map(shareOf);
  const most = Math.max(...shares);
  const leader = shares.indexOf(most);
  return most > 0 && shares.lastIndexOf(most) === leader ? leader : null;
}

const pooled = (arms: readonly Arm[]): Arm => ({
  contacts: arms.reduce((sum, { contacts }) => sum + contacts, 0),
  converted: arms.reduce((sum, { converted }) => sum + converted, 0),
});

/** Every choice of one or more of them. */
function choicesOf(arms: readonly Arm[]): Arm[][] {
  return arms.reduce<Arm[][]>((choices, arm) => [...choices, [arm], ...choices.map((chosen) => [...chosen, arm])], []);
}

/**
 * How probable it is at most that variants of which none is better than all others look like this. Those that are as good as each
 * other may be any of them, so the leader is compared with every choice of others, taken together, and the least evidence
 * counts (closed testing: Marcus, Peritz and Gabriel, Biometrika 63, 1976). For a choice of two or more others, each of them might
 * have been ahead instead of the leader, so the mean over all of them is what has to be large; between two, both are the same.
 */
function chanceOf(leader: Arm, others: readonly Arm[]): number {
  const chances = choicesOf(others).map((chosen) => {
    const alike = chosen.length === 1 ? 1 : chosen.length + 1;
    return alike * Math.exp(-logEvidence(leader, pooled(chosen)));
  });
  return Math.min(1, Math.max(...chances));
}

/**
 * What the variants show so far. It may be asked as often as one likes: where several are best alike, any of them is ever `proven`
 * to be the only one with a probability of at most 5 %.
 * @param minimum how many conversions all variants together need before any has won.
 */
export function verdictOf(arms: readonly Arm[], minimum: number): Verdict {
  const leader = leaderOf(arms);
  const best = leader === null ? undefined : arms[leader];
  // Of what was sent to nobody there is nothing to learn, and it cannot win.
  const others = arms.filter(({ contacts }, index) => index !== leader && contacts > 0);
  const chance = best && others.length > 0 ? chanceOf(best, others) : 1;
  if (pooled(arms).converted < minimum) return { verdict: 'too_few', leader, chance };
  return { verdict: chance <= FALSE_WINNERS ? 'proven' : 'undecided', leader, chance };
}
