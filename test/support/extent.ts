import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder } from '#scripts/start/services.ts';

const inBrief = new Set((process.env['TEST_IN_BRIEF'] ?? '').split(','));

/** How often a test tries something at random: `few` times where all files run, `many` where files are named or by `--all`. */
export const timesOf = (few: number, many: number): number => (process.env['TEST_WHOLE'] === 'on' ? many : few);

/** Whether the test file at this URL proves all that it can, or only what is cheap (`scripts/test/occasional.ts`). */
export const isWhole = (url: string): boolean =>
  !inBrief.has(relative(projectFolder, fileURLToPath(url)).replaceAll('\\', '/'));
