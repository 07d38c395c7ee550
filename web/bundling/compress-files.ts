import { readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import pMap from 'p-map';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Writes each script and style a second and third time beside itself, as small as they get: `.br` and `.gz`. */
export async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await pMap(
    names.filter((name) => /\.(css|js)$/.test(name)),
    async (name) => {
      const content = await readFile(join(folder, name));
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await writeFile(join(folder, `${name}.br`), await compressBrotli(content, { params }));
      await writeFile(join(folder, `${name}.gz`), await compressGzip(content, { level: constants.Z_BEST_COMPRESSION }));
    },
    { concurrency: availableParallelism() },
  );
}
