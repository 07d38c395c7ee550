import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as prettier from 'prettier';
import { projectFolder } from '../start/services.ts';
import { FORMATTED, kept } from './kept.ts';

/**
 * Names the files that prettier would write otherwise, and ends with 1 if there is one. Prettier's own cache knows a
 * file by its checkout's folder, and so knows nothing in a fresh one; here, a file is known by its path and content.
 */
const notRead = new Set(['node_modules', 'dist', '.git', '.data']);
const ignorePath = ['.gitignore', '.prettierignore'].map((name) => join(projectFolder, name));
const notes = join(projectFolder, kept(FORMATTED));

function filesIn(folder: string): string[] {
  return readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return notRead.has(entry.name) ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** What the result depends on beside the file itself. */
const rules = ['.prettierrc.json', '.prettierignore', '.editorconfig', 'package-lock.json']
  .reduce((hash, name) => hash.update(readFileSync(join(projectFolder, name))), createHash('sha256'))
  .digest('hex');

const keyOf = (path: string, content: Buffer): string =>
  createHash('sha256').update(`${rules}\0${path}\0`).update(content).digest('base64');

async function isFormatted(path: string, content: string): Promise<boolean> {
  const filepath = join(projectFolder, path);
  const { ignored, inferredParser } = await prettier.getFileInfo(filepath, { ignorePath });
  if (ignored || inferredParser === null) return true;
  const config = await prettier.resolveConfig(filepath, { editorconfig: true });
  return prettier.check(content, { ...config, filepath });
}

const known = new Set(existsSync(notes) ? (JSON.parse(readFileSync(notes, 'utf8')) as string[]) : []);
const good: string[] = [];
let bad = 0;
for (const path of filesIn('')) {
  const content = readFileSync(join(projectFolder, path));
  const key = keyOf(path, content);
  const formatted =
    known.has(key) ||
    (await isFormatted(path, content.toString()).catch((error: unknown) => {
      console.log(error);
      return false;
    }));
  if (formatted) good.push(key);
  else {
    bad += 1;
    console.log(`${path}: prettier would write it otherwise (npm run format)`);
  }
}
mkdirSync(dirname(notes), { recursive: true });
writeFileSync(notes, JSON.stringify(good));
process.exit(bad > 0 ? 1 : 0);
