import { readFileSync } from 'node:fs';
import { type Settings, SettingsError } from '#domain/settings/settings.ts';

/** The file that a setting names. @throws SettingsError naming the setting. */
export function readPem(file: string, variable: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SettingsError(`Invalid settings. ${variable}: cannot read ${file}`, { cause: error });
  }
}

/** Authorities to trust instead of the machine's for calls between services. @throws SettingsError */
export const internalAuthorities = ({
  INTERNAL_TLS_CA: file,
}: Pick<Settings, 'INTERNAL_TLS_CA'>): Buffer | undefined =>
  file === undefined ? undefined : readPem(file, 'INTERNAL_TLS_CA');
