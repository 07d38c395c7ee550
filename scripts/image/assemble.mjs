// `node scripts/image/assemble.mjs <program> <folder>`: what the image of a program holds, and nothing else. Plain Node;
// run it where `npm run build` was, with the packages of `npm ci --omit=dev` in `<folder of packages>`.
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { arch, argv } from 'node:process';
import { join, resolve } from 'node:path';
import { projectFolder } from '../install.mjs';

const target = { x64: 'x86_64-unknown-linux-gnu', arm64: 'aarch64-unknown-linux-gnu' }[arch];

const temporal = [
  'node_modules/@temporalio/core-bridge/package.json',
  'node_modules/@temporalio/core-bridge/LICENSE.md',
  `node_modules/@temporalio/core-bridge/releases/${target}`,
];
const scalar = ['package.json', 'LICENSE', 'dist/index.js', 'dist/js/standalone.js'].map(
  (file) => `node_modules/@scalar/fastify-api-reference/${file}`,
);
const service = [
  'dist/services',
  ...['', 'sealed-', 'traced-', 'traced-sealed-'].map((kind) => `dist/${kind}workflow-bundle.js`),
  'scripts/image/healthy.mjs',
  ...temporal,
  ...scalar,
];

/** @type {Record<string, string[]>} */
const contents = {
  bff: [...service, 'dist/web'],
  backend: service,
  orders: service,
  migrate: ['dist/services', 'dist/migrations', ...temporal],
};

/**
 * @param program bff, backend, orders or migrate
 * @param folder where it is put; emptied first
 * @param packages the folder whose node_modules are those of production
 * @throws Error that names a file that was not built
 */
export function assemble(program, folder, packages) {
  rmSync(folder, { recursive: true, force: true });
  for (const path of contents[program]) {
    const from = join(path.startsWith('node_modules/') ? packages : projectFolder, path);
    // Packages may come without their licence as a file.
    if (!existsSync(from) && /LICENSE/.test(path)) continue;
    mkdirSync(join(folder, path, '..'), { recursive: true });
    cpSync(from, join(folder, path), { recursive: true, dereference: true });
  }
  // Workers load it by the path of its source; here it comes with its packages.
  mkdirSync(join(folder, 'api/runtime'), { recursive: true });
  cpSync(join(projectFolder, 'dist/services/sealed-failures.cjs'), join(folder, 'api/runtime/sealed-failures.cjs'));
}

if (argv[1] === import.meta.filename) {
  const [, , program, folder, packages] = argv;
  if (!program || !folder || !packages || !(program in contents)) {
    console.error(
      'Usage: node scripts/image/assemble.mjs <bff | backend | orders | migrate> <folder> <folder of packages>',
    );
    process.exit(1);
  }
  assemble(program, resolve(folder), resolve(packages));
}
