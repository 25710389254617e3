// POSIX permissions: whether accounts other than the owner may change a file or folder.

/**
 * True when others may write. A group with the owner's number is the private group that most systems create for each
 * account, and has no other members.
 */
export function othersMayWrite({
  mode,
  uid,
  gid,
}: {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
}
