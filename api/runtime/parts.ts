import { SettingsError } from '#domain/settings/settings.ts';

/** The parts of a service that one process runs. */
export interface Parts {
  api: boolean;
  worker: boolean;
}

/**
 * `--api-only` and `--worker-only` split a service across processes; without a flag, one process runs both.
 * @throws SettingsError for other flags, or both.
 */
export function parseParts(argv: readonly string[]): Parts {
  const unknown = argv.find((flag) => flag !== '--api-only' && flag !== '--worker-only');
  if (unknown) throw new SettingsError(`Unknown flag ${unknown}; use --api-only or --worker-only`);
  const parts = { api: !argv.includes('--worker-only'), worker: !argv.includes('--api-only') };
  if (!parts.api && !parts.worker) throw new SettingsError('--api-only and --worker-only cannot be combined');
  return parts;
}
