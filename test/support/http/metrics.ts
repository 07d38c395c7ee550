/** The samples of a scrape, by name with labels as Prometheus writes them. */
export function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

/** The samples of `/metrics` at a service's `address`. */
export async function readMetrics(address: string): Promise<Map<string, number>> {
  const response = await fetch(`${address}/metrics`);
  return samplesOf(await response.text());
}
