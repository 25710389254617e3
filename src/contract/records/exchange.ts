// One request of a call and its answer, as they may be shown and kept: bounded, and without secrets.

/** Name in lower case, and value. */
export type HeaderLine = readonly [name: string, value: string];

export interface RecordedExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  /** Null when none came. */
  readonly answer: {
    readonly status: number;
    readonly headers: readonly HeaderLine[];
    /** At most `BODY_KEPT` bytes of it, or a remark in brackets in place of what must not be shown. */
    readonly body: string;
  } | null;
}

/** Most bytes of an answer's body. */
export const BODY_KEPT = 4_096;

/** What happens to the requests of a call, for `--verbose` and the progress of retries. */
export type AttemptEvent =
  | {
      readonly type: "exchanged";
      /** 1 for the first request of the call. */
      readonly attempt: number;
      /** False when not one byte was written. */
      readonly sent: boolean;
      /** The body that was sent, or would have been. */
      readonly body: string;
      /** Without secret and signature: who reads the log of a job must not be able to send the request again. */
      record(): RecordedExchange;
    }
  | {
      readonly type: "waiting";
      /** The attempt that follows, of the most that are made. */
      readonly attempt: number;
      readonly most: number;
      readonly ms: number;
    };
