/** What the client needs to know about an operation at runtime. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** From the root of the server. */
  path: string;
  bodyType?: string;
  /** It is carried out once for each `Idempotency-Key`. */
  takesKey?: boolean;
}

/** The routes of the described operations, by name; `prefix` precedes every path. */
export function routesUnder<Name extends string>(prefix: string, operations: Record<Name, Route>): Record<Name, Route> {
  const routes = Object.entries<Route>(operations).map(([name, { method, path, bodyType }]) => {
    const route = { method, path: `${prefix}${path}` };
    return [name, bodyType ? { ...route, bodyType } : route];
  });
  return Object.fromEntries(routes) as Record<Name, Route>;
}
