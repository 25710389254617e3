// A command line as it is typed into the console: what it runs, and what that needs.

export interface TypedLine {
  /** The words behind `verdict`; null while the line names no command, or its last word is only begun. */
  readonly words: readonly string[] | null;
  /** Why the console does not run it; null where it does. */
  readonly refusal: string | null;
  /** It asks a person, or runs until it is ended. */
  readonly takesTerminal: boolean;
  /** It sends through the profile in use, and does not ask by itself. */
  readonly sends: boolean;
  /** It shows nothing that presenter mode hides. */
  readonly isPublic: boolean;
  /** How the command is used; null where none is named. */
  readonly usage: string | null;
  /** Lines that begin with this one. */
  readonly next: readonly LineForm[];
}

/** A line that is offered. */
export interface LineForm {
  /** What is typed; with a blank, `=` or `/` at its end something is still to be added. */
  readonly text: string;
  readonly about: string;
}

/** A text that means nothing. */
export const NO_LINE: TypedLine = {
  words: null,
  refusal: null,
  takesTerminal: false,
  sends: false,
  isPublic: false,
  usage: null,
  next: [],
};

/** What the reading of a line depends on. */
export interface LineFacts {
  /** The profile in use belongs to the sandbox, which has short forms. */
  readonly isSandbox: boolean;
  /** A passphrase opens the vault, so that each command that signs asks for it. */
  readonly hasPassphrase: boolean;
}
