import { type DestinationStream, pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines, on standard output unless a destination is given. What could hold a secret is cut out by name, as a second line of defence. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (name: string) => ({ level: name }) },
    redact: {
      paths: ['*.authorization', '*.cookie', '*.token', '*.secret', '*.tenantIntegrationSecret', '*.newSecret'],
      censor: '[cut]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
