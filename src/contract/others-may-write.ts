// Who besides its owner may change a file or a folder, by the permissions of POSIX.

/**
 * Whether accounts other than the owner may write. The owner's private group (of the same number, as most systems make
 * one for each account) has no other members.
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
