// Failures of a disk or of the system under it, whatever file they are met at.

/** Cause and next step by system error code; the name of the file goes in front. */
export const DISK_FAILURES: Readonly<Record<string, string>> = {
  EIO: "could not be read or saved because the disk reported an error; check the disk before going on",
  EMFILE: "could not be opened because too many files are open; close some programs and try again",
  ENFILE: "could not be opened because too many files are open; close some programs and try again",
  ETIMEDOUT: "could not be read or saved because its network disk does not answer; try again later",
  ESTALE: "lies on a network disk that was replaced; mount it again and try again",
};
