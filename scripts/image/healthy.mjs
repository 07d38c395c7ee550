// The health check of an image: whether the service on this port is up. `node healthy.mjs <variable> <default port>`
const [, , variable, port] = process.argv;
const response = await fetch(`http://127.0.0.1:${process.env[variable] || port}/healthz`, {
  signal: AbortSignal.timeout(4000),
}).catch(() => null);
process.exit(response?.ok ? 0 : 1);
