import { userInfo } from 'node:os';
import { takeOverDatabase as takeOverOutreach } from '#commands/outreach/tenants/take-over-database.ts';
import { connect, type Schema } from '#db/connection.ts';
import { takeOverDatabase as takeOverOrders } from '#db/orders/take-over.ts';
import type { Place } from '#db/place.ts';
import { parseSettings } from '#domain/settings/settings.ts';

const databases = {
  DATABASE_URL_BACKEND: { schema: 'outreach', takeOver: takeOverOutreach },
  DATABASE_URL_ORDERS: { schema: 'orders', takeOver: takeOverOrders },
} as const;

export type SendingDatabase = keyof typeof databases;

/** Those whose address is given, since each may have a server of its own; both in development, where none has to be. */
export function addressedDatabases(): SendingDatabase[] {
  const names = Object.keys(databases) as SendingDatabase[];
  const given = names.filter((name) => process.env[name]);
  return given.length > 0 ? given : names;
}

/** A database from which nothing was sent before it was taken over. */
export interface TakenOver {
  schema: Schema;
  /** Where it was. */
  from: Place;
}

/** Takes over what was started elsewhere, in the name of a program and of whoever runs it. Leaves out what was not. */
export async function takeOver(
  names: readonly SendingDatabase[],
  author: { actor: string; by: string },
): Promise<TakenOver[]> {
  const settings = parseSettings(process.env, names);
  const taken: TakenOver[] = [];
  for (const name of names) {
    const { schema, takeOver: take } = databases[name];
    const database = connect({ url: settings[name], schema, applicationName: 'adopt', pool: { max: 1 } });
    try {
      const from = await take(database, author);
      if (from) taken.push({ schema, from });
    } finally {
      await database.destroy();
    }
  }
  return taken;
}

export const takenOverLine = ({ schema, from }: TakenOver): string =>
  `The database of ${schema} is taken over: it was number ${from.databaseOid} of the cluster ${from.systemIdentifier}.`;

/** Who runs this process; in a container its user may have no name. */
export function operatingUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
