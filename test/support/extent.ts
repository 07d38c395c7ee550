import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder } from '../../scripts/start/services.ts';

const inBrief = new Set((process.env['TEST_IN_BRIEF'] ?? '').split(','));

/** Whether the test file at this URL proves all that it can, or only what is cheap (`scripts/test/occasional.ts`). */
export const isWhole = (url: string): boolean =>
  !inBrief.has(relative(projectFolder, fileURLToPath(url)).replaceAll('\\', '/'));
