// Identity of a folder, which differs from that of its copies.

import { statSync } from "node:fs";

/** Device and inode number of a folder. @throws system errors */
export function folderId(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
