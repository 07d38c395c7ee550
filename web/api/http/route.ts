/** What the client needs to know about an operation at runtime. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** From the root of the server. */
  path: string;
  bodyType?: string;
}

/** The routes of the described operations, by name; `prefix` precedes every path. */
export function routesUnder<Name extends string>(prefix: string, operations: Record<Name, Route>): Record<Name, Route> {
  const routes = Object.entries<Route>(operations).map(([name, { method, path, bodyType }]) => {
    const route = { method, path: `${prefix}${path}` };
    return [name, bodyType ? { ...route, bodyType } : route];
  });
  return Object.fromEntries(routes) as Record<Name, Route>;
}

/** Routes as the build writes them: method, path below `/api/v1/` or from the root, and body type where there is one. */
export const readRoutes = (written: Record<string, string>): Record<string, Route> =>
  Object.fromEntries(
    Object.entries(written).map(([name, text]) => {
      const [method, path = '', bodyType] = text.split(' ');
      const route = { method: method as Route['method'], path: path.startsWith('/') ? path : `/api/v1/${path}` };
      return [name, bodyType ? { ...route, bodyType } : route];
    }),
  );

/** Whether an operation of the outreach API is carried out once for each `Idempotency-Key`. */
export const takesKey = ({ method, path }: Route): boolean => method === 'post' && !path.startsWith('/api/v1/auth/');
