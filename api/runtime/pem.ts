import { readFileSync } from 'node:fs';
import { SettingsError } from '../../domain/settings/settings.ts';

/** The file that a setting names. @throws SettingsError naming the setting. */
export function readPem(file: string, variable: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SettingsError(`Invalid settings. ${variable}: cannot read ${file}`, { cause: error });
  }
}
