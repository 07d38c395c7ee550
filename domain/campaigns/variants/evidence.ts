/** What one variant was sent to, and how many of them did what is measured, each counted once. */
export interface Arm {
  contacts: number;
  converted: number;
}

/**
 * How much the prior weighs: as much as so many conversions. It decides how soon an effect is seen, never how often a
 * winner is a false one; 30 suits differences of 15 to 100 % (docs/evidence.md).
 */
const PRIOR_CONVERSIONS = 30;

const LANCZOS = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_571_6e-6,
  1.505_632_735_149_311_6e-7,
];

/** The logarithm of the gamma function of a positive number (Lanczos' approximation, to about 15 digits). */
export function logGamma(value: number): number {
  const x = value - 1;
  const base = x + 7.5;
  const sum = LANCZOS.reduce((total, term, index) => total + (index === 0 ? term : term / (x + index)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(base) - base + Math.log(sum);
}

const logBeta = (one: number, other: number) => logGamma(one) + logGamma(other) - logGamma(one + other);

/** The logarithm of n (n − 1) … (n − k + 1). */
const logFalling = (n: number, k: number) => logGamma(n + 1) - logGamma(n - k + 1);

/**
 * How much speaks for a difference between two variants, as the logarithm of an e-value: how much likelier it was by a
 * mixture of differences than by none that those who converted came from the one and the other as they did, in the order in
 * which they came.
 *
 * Whoever gets which variant is drawn. If that made no difference, each next contact to convert would be one of those left in
 * either, drawn without replacement, whatever share of people converts, whenever, and however that changes over the day. So
 * the ratio is a test martingale: whoever looks at it as often as they like finds it at 1/α or above with a probability of at most
 * α, ever (Ville's inequality). It is the beta-binomial case of the mixture for multinomial counts of M. Lindon and A. Malek,
 * Anytime-valid inference for multinomial count data (NeurIPS 2022), with the probability of sampling without replacement
 * for the null hypothesis, which does not need conversions to be rare; on test martingales see A. Ramdas, P. Grünwald,
 * V. Vovk and G. Shafer, Game-theoretic statistics and safe anytime-valid inference (Statistical Science 38, 2023).
 */
export function logEvidence(one: Arm, other: Arm): number {
  const contacts = one.contacts + other.contacts;
  const converted = one.converted + other.converted;
  if (converted === 0 || one.contacts === 0 || other.contacts === 0) return 0;
  const prior = (PRIOR_CONVERSIONS * one.contacts) / contacts;
  const rest = PRIOR_CONVERSIONS - prior;
  const mixture = logBeta(prior + one.converted, rest + other.converted) - logBeta(prior, rest);
  const chance =
    logFalling(one.contacts, one.converted) +
    logFalling(other.contacts, other.converted) -
    logFalling(contacts, converted);
  return mixture - chance;
}
