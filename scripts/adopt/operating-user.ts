import { userInfo } from 'node:os';

/** Who runs this process; in a container its user may have no name. */
export function operatingUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
