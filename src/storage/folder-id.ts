// What tells a folder from its copies.

import { statSync } from "node:fs";

/** Device and inode number of a folder, the same by every name of it. @throws system errors */
export function folderId(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
