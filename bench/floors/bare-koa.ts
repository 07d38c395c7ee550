import Koa from 'koa';
import { Pool } from 'pg';
import rawBody from 'raw-body';
import { z } from 'zod';
import { NONCE_HEADER, verify } from '#domain/signature.ts';

/**
 * The baseline of webhook intake: the least that any receiver must do. One process, one HMAC over the raw body,
 * one row inserted and committed per request; no nonce, no schema, no second hop.
 */
const settings = z.object({ PORT: z.coerce.number(), DATABASE_URL: z.string(), SECRET: z.string() }).parse(process.env);

const database = new Pool({ connectionString: settings.DATABASE_URL, max: 20 });
await database.query(
  'create table if not exists public.floor_event (event_id text primary key, payload text not null, at timestamptz not null default now())',
);

const app = new Koa();
app.use(async (ctx) => {
  const body = await rawBody(ctx.req);
  if (!verify(settings.SECRET, ctx.get(NONCE_HEADER), body, ctx.get('Authorization'))) return void (ctx.status = 401);
  const { eventId } = JSON.parse(body.toString('utf8')) as { eventId: string };
  await database.query('insert into public.floor_event (event_id, payload) values ($1, $2) on conflict do nothing', [
    eventId,
    body.toString('utf8'),
  ]);
  ctx.body = { received: true };
});
app.listen(settings.PORT, '127.0.0.1');
