import { writeFileSync } from 'node:fs';
import { settingsDocument, settingsFile } from './document.ts';

writeFileSync(settingsFile, settingsDocument());
