/** The result of the work, and its duration in seconds. */
export async function elapsed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const began = performance.now();
  const result = await work();
  return [result, Math.round(performance.now() - began) / 1000];
}
