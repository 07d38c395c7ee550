import { type DestinationStream, pino, type Logger } from 'pino';

export type { Logger };

/**
 * Logs JSON lines to standard output unless a destination is given. As a second line of defence, fields that could
 * hold a secret are removed by name.
 */
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
