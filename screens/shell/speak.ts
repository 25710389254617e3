// The console for a screen reader: changes are written line by line, and a verdict as a sentence.

import type { KeyName } from "#src/display/key-name.ts";
import { presentedState } from "#src/display/presented-state.ts";
import { newLines, spokenLines, spokenVerdict } from "#src/display/spoken.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { linearOutput } from "#src/terminal/linear-output.ts";

export interface Spoken {
  /** The stream that Ink draws to. */
  readonly stream: NodeJS.WriteStream;
  /** Writes the verdicts of another model from now on. */
  follow(model: ConsoleModel): void;
  /** Writes pending lines, and ends the subscription. */
  end(): void;
}

const welcome = (keyName: KeyName): string =>
  `verdict, as text for a screen reader. ${keyName("shell.help")} lists the keys, ${keyName("shell.quit")} leaves.`;

/** Writes what the console shows to a terminal that scrolls. */
export function speak(first: ConsoleModel, stdout: Pick<NodeJS.WriteStream, "write">): Spoken {
  const output = linearOutput({ write: (text) => stdout.write(text), toLines: spokenLines, newLines });
  const verdictsOf = ({ checks, session }: ConsoleModel): (() => void) =>
    checks.store.subscribe(({ latest }, before) => {
      if (latest === null || latest.id === before.latest?.id) return;
      const isPresented = session.store.getState().presenter !== null;
      output.say(spokenVerdict(isPresented ? presentedState(latest) : latest));
    });
  output.say(welcome(first.session.keyName));
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
