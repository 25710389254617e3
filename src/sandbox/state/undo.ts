// Steps that close what was opened.

/** Runs the steps in reverse order. Every step is tried; then the first failure is thrown. */
export async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  let failure: { error: unknown } | null = null;
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== null) throw failure.error;
}
