// The console for somebody who listens: what changes is said line by line, and a verdict is said as a sentence.

import { keyName } from "#src/display/key-name.ts";
import { presentedState } from "#src/display/presented-state.ts";
import { newLines, spokenLines, spokenVerdict } from "#src/display/spoken.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { linearOutput } from "#src/terminal/linear-output.ts";

export interface Spoken {
  /** What Ink draws to. */
  readonly stream: NodeJS.WriteStream;
  /** Says the verdicts of another model from now on. */
  follow(model: ConsoleModel): void;
  /** Says what is still to be said, and stops listening. */
  end(): void;
}

const welcome = (): string =>
  `verdict, as text for a screen reader. ${keyName("shell.help", "?")} lists the keys, ${keyName("shell.quit", "q")} leaves.`;

/** Says what the console shows to a terminal that scrolls. */
export function speak(first: ConsoleModel, stdout: Pick<NodeJS.WriteStream, "write">): Spoken {
  const output = linearOutput({ write: (text) => stdout.write(text), toLines: spokenLines, newLines });
  const verdictsOf = ({ checks, session }: ConsoleModel): (() => void) =>
    checks.store.subscribe(({ latest }, before) => {
      if (latest === null || latest.id === before.latest?.id) return;
      const isPresented = session.store.getState().presenter !== null;
      output.say(spokenVerdict(isPresented ? presentedState(latest) : latest));
    });
  output.say(welcome());
  let stop = verdictsOf(first);
  return {
    stream: output.stream,
    follow(model) {
      stop();
      stop = verdictsOf(model);
    },
    end() {
      stop();
      output.flush();
    },
  };
}
