// The console for a screen reader: changes are written line by line, and a verdict as a sentence.

import type { KeyName } from "#src/display/key-name.ts";
import { ENGLISH } from "#src/display/audience-words.ts";
import { deckText } from "#src/display/deck-lines.ts";
import { safe } from "#src/display/safe.ts";
import { createListener, spokenVerdict } from "#src/ui/spoken.ts";
import { stepText } from "#screens/demo/view-model.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { DemoFrame } from "#src/state/sandbox/demo.ts";
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
  `verdict in screen reader mode. ${keyName("shell.help")} lists the keys, ${keyName("shell.quit")} quits.`;

/** The verdict, or each of several behind the name of its side. */
function verdictsOfFrame(frame: DemoFrame): string[] {
  if (frame.kind === "stream") return [];
  if (frame.sides.length === 0) return [spokenVerdict(frame.entries.at(-1)!)];
  return frame.sides.map(({ title, entry }) => `${safe(title, { max: 40 })}: ${spokenVerdict(entry)}`);
}

/** Writes what the console shows to a terminal that scrolls. */
export function speak(first: ConsoleModel, stdout: Pick<NodeJS.WriteStream, "write">): Spoken {
  const output = linearOutput({ write: (text) => stdout.write(text), heard: createListener() });
  const verdictsOf = ({ checks, demo, session }: ConsoleModel): (() => void) => {
    const stops = [
      checks.store.subscribe(({ latest }, before) => {
        if (latest === null || latest.id === before.latest?.id) return;
        output.say(spokenVerdict(session.audience().shown(latest)));
      }),
      demo.store.subscribe(({ deck, frames, at }, before) => {
        const frame = frames[at - 1];
        if (deck === null || frame === undefined || frame === before.frames[before.at - 1]) return;
        const step = stepText(frame, ENGLISH);
        output.say([`S${step.slice(1)}: ${deckText(frame.say)}`, ...verdictsOfFrame(frame)].join(" "));
      }),
    ];
    return () => stops.forEach((stop) => stop());
  };
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
