import { writeFileSync } from 'node:fs';
import { settingsDocument, settingsFile } from './settings/document.ts';

writeFileSync(settingsFile, settingsDocument());
