// Sentences for disk failures, by error code of the operating system.

/** Of one process, so that it does not help to close others. */
export const FEW_FILES =
  'too few open files are allowed here; raise that with "ulimit -n 1024" or start it from another shell';

/** Cause and next step, worded to follow the name of the file. */
export const DISK_FAILURES: Readonly<Record<string, string>> = {
  EIO: "could not be read or saved because the disk reported an error; check the disk before going on",
  EMFILE: `could not be opened because ${FEW_FILES}`,
  ENFILE: "could not be opened because too many files are open; close some programs and try again",
  ETIMEDOUT: "could not be read or saved because its network disk does not answer; try again later",
  ESTALE: "lies on a network disk that was replaced; mount it again and try again",
};
