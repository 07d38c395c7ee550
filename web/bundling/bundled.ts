import type { Opening } from './openings.ts';

/** A script of the built console. */
export interface BundledScript {
  /** Scripts that the browser loads with it. */
  imports: string[];
  /** Scripts that its code may load later. */
  loadsLater: string[];
  styles: string[];
}

/** What was built. Scripts and styles are named as they are below the folder of the built console. */
export interface Bundled {
  entry: string;
  scripts: Record<string, BundledScript>;
  /** The script of each module that is loaded only where it is needed, by its file below `web/`. */
  lazy: Record<string, string>;
  /** What the address of a page needs beside the entry and what that imports. The first that fits counts. */
  openings: (Opening & { scripts: string[]; styles: string[] })[];
  /** The script of each language's texts. */
  texts: Record<string, string>;
}

/** Where it is in the folder of the built console. Nothing whose name begins with a dot is served. */
export const BUNDLED_FILE = '.vite/bundled.json';

/** Scripts with all that they import. */
export function withImports(
  scripts: Bundled['scripts'],
  names: Iterable<string>,
  found = new Set<string>(),
): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    withImports(scripts, scripts[name]?.imports ?? [], found);
  }
  return found;
}
