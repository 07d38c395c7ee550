import { z } from 'zod';
import { imageTypes } from '#domain/images/image-file.ts';
import { created, page, param, route, SandboxError } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { Files } from './files.ts';

const typeByEnding = new Map<string, string>(Object.entries(imageTypes).map(([type, ending]) => [ending, type]));

/** A file service as FILES_URL names one: what is put at an address is read there by everybody. */
export function fileRoutes({ files }: { files: Files }): Route[] {
  return [
    route(
      { code: 'files.put', method: 'PUT', path: '/files/{name}' },
      { summary: 'Keeps a picture', response: z.object({ name: z.string() }) },
      (call) => {
        const name = param(call, 'name');
        if (!files.isName(name)) throw new SandboxError(400, 'invalid_request', 'the name is not allowed');
        files.put(name, call.body);
        return created({ name });
      },
    ),
    page('/files/{name}', (call) => {
      const name = param(call, 'name');
      const body = files.read(name);
      if (!body) throw new SandboxError(404, 'not_found', 'there is no such file');
      return {
        status: 200,
        body,
        headers: {
          'Content-Type': typeByEnding.get(name.split('.').at(-1) ?? '') ?? 'application/octet-stream',
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': "default-src 'none'; sandbox",
          // A name is never used for another picture.
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        },
      };
    }),
  ];
}
