import { SettingsError } from '../../domain/settings.ts';

/** Which halves of a service one process runs. */
export interface Parts {
  api: boolean;
  worker: boolean;
}

/**
 * `--api-only` and `--worker-only` split a service over processes; without a flag one process is both.
 * @throws SettingsError for other flags, or both.
 */
export function parseParts(argv: readonly string[]): Parts {
  const unknown = argv.find((flag) => flag !== '--api-only' && flag !== '--worker-only');
  if (unknown) throw new SettingsError(`Unknown flag ${unknown}; there are --api-only and --worker-only`);
  const parts = { api: !argv.includes('--worker-only'), worker: !argv.includes('--api-only') };
  if (!parts.api && !parts.worker) throw new SettingsError('--api-only and --worker-only exclude each other');
  return parts;
}
