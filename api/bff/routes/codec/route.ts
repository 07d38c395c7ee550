import type { Router } from '@koa/router';
import type { PayloadCodec } from '@temporalio/common';
import type { Context } from 'koa';
import { z } from 'zod';
import { fieldErrors, Problem } from '#domain/api/problem.ts';
import { parseJson, readBody } from '#api/http/body.ts';
import { codingOf } from '#api/http/incoming/coding.ts';
import { payloadOfJson, payloadSchema, payloadToJson } from '#api/runtime/payload-codec.ts';
import type { Logger } from '#api/runtime/logger.ts';
import type { Authenticate } from '#api/bff/identity/authenticate.ts';
import { createRouter } from '#api/http/router.ts';

export interface CodecDeps {
  codec: PayloadCodec;
  /** TEMPORAL_CODEC_ROLE: who may read the payloads of every tenant. */
  role: string;
  /** TEMPORAL_UI_URL. */
  uiUrl: string;
}

const bodySchema = z.object({ payloads: z.array(payloadSchema).max(10_000) });

/** The UI's pages are of another origin: they, and no others, may call and read the answer. */
function allowOrigin(ctx: Context, origin: string): void {
  ctx.vary('Origin');
  if (ctx.get('Origin') !== origin) return;
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Allow-Credentials', 'true');
}

async function payloadsOf(ctx: Context): Promise<z.infer<typeof bodySchema>['payloads']> {
  codingOf(ctx.req);
  const result = bodySchema.safeParse(parseJson(await readBody(ctx)));
  if (result.success) return result.data.payloads;
  throw new Problem('invalid_request', 'The body does not match its schema', { errors: fieldErrors(result.error) });
}

/**
 * Temporal's protocol for remote codecs, by which its UI shows sealed payloads to people who are signed in here and have
 * the role.
 */
export function codecRoutes(
  { authenticate, logger }: { authenticate: Pick<Authenticate, 'session'>; logger: Logger },
  { codec, role, uiUrl }: CodecDeps,
): Router {
  const router = createRouter('/codec');
  const { origin } = new URL(uiUrl);
  for (const verb of ['decode', 'encode'] as const) {
    router.options(`/${verb}`, (ctx) => {
      allowOrigin(ctx, origin);
      ctx.set('Access-Control-Allow-Methods', 'POST');
      ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Namespace');
      ctx.status = 204;
    });
    router.post(`/${verb}`, async (ctx) => {
      allowOrigin(ctx, origin);
      const { userId, roles } = await authenticate.session(ctx, { alsoFrom: origin });
      if (!roles.includes(role)) throw new Problem('forbidden', 'Your roles do not include that of reading payloads');
      const payloads = await payloadsOf(ctx);
      const { requestId } = ctx.state;
      logger.info({ requestId, userId, verb, payloads: payloads.length }, 'payloads of workflows');
      try {
        ctx.body = { payloads: (await codec[verb](payloads.map(payloadOfJson))).map(payloadToJson) };
      } catch (error) {
        throw new Problem('invalid_request', 'A payload cannot be opened with the keys that are here', {
          cause: error,
        });
      }
    });
  }
  return router;
}
