import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines on standard output. What could hold a secret is cut out by name, as a second line of defence. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (name) => ({ level: name }) },
    redact: {
      paths: ['*.authorization', '*.cookie', '*.token', '*.secret', '*.tenantIntegrationSecret', '*.newSecret'],
      censor: '[cut]',
    },
  });
}
