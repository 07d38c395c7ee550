/** The samples of `/metrics` at a service's `address`, by name with labels as Prometheus writes them. */
export async function readMetrics(address: string): Promise<Map<string, number>> {
  const response = await fetch(`${address}/metrics`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
