// The name of a key in a sentence.

/** The name of the first key of a binding, by the id of the binding: `u` for `lock.unlock`, or the user's own key. */
export type KeyName = (id: string) => string;
