// Nothing that a terminal sends without the key for it sends a payment, whatever it is cut into.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Profile } from "#src/contract/records/profile.ts";
import { handClock } from "../keys/hand-clock.ts";
import { answer, intent } from "../storage/entries.ts";
import { LIVE } from "./live-context.ts";
import { live } from "./live-stage.tsx";

const SANDBOX: Profile = { ...LIVE, name: "shop-sandbox", environment: "SANDBOX" };
const PAYMENT = { operation: "payment", order_id: "o-1", amount: 12_500, currency: 980 };

/** Enter, Ctrl-J and Ctrl-R with Alt, which are two keys where they come in two pieces. */
const WHOLE = ["\x1b\r", "\x1b\n", "\x1b\x12"];

/** Whole keys and reports, none of which is Enter or Ctrl-R. */
const SEQUENCES = [
  ...WHOLE,
  "\x1b\x1b[B",
  "\x1bq",
  "\x1b:",
  "\x1bOq",
  "\x1bOk",
  "\x1bO2M",
  "\x1b[13;2u",
  "\x1b[13;3u",
  "\x1b[13;5u",
  "\x1b[13;1:3u",
  "\x1b[57414;2u",
  "\x1b[10u",
  "\x1b[106;5u",
  "\x1b[109;5u",
  "\x1b[114;6u",
  "\x1b[114;5:3u",
  "\x1b[27;2;13~",
  "\x1b[27;5;109~",
  "\x1b[27u",
  "\x1b[113;3u",
  "\x1b[B",
  "\x1b[5~",
  "\x1b[I",
  "\x1b[<0;20;17M\x1b[<0;20;17m",
  "\x1b[<0;60;4M",
  "\x1b[M !!",
  "\x1b[M\r",
  "\x1b[M \r",
  "\x1b[M !\r",
  "\x1b]\r",
  "\x1b]52;c;\r",
  "\x1bP\r",
  "\x1b_\r",
  "\x1b[1;1R",
  "\x1b]11;rgb:0000/0000/0000\x07",
  "\x1b]52;c;DQ==\x1b\\",
  "\x1bP>|xterm(390)\x1b\\",
  "\x1b_Gi=1;OK\x1b\\",
  "\x1b[200~a\rb\n\x1b[201~",
  "\x1b[200~\r\x1b[201~",
];
/** What may be left of others, and what is typed among them. */
const PIECES = ["\x1b", "\x1b[", "\x1bO", "\x1b]", "\x1bP", "\x1b[1;", "\x1b[M", "\x1b[<0;"].concat(
  Array.from("jkgG1;[O~\t\x7f "),
);

/** A piece, cut where it may be: a line break after Esc comes with it, and one in a paste behind its mark. */
const piece = fc.oneof(
  fc.constantFrom(...SEQUENCES).chain((sequence) => {
    const isWhole = WHOLE.includes(sequence) || sequence.includes("\x1b[200~");
    return fc
      .nat({ max: isWhole ? 0 : sequence.length })
      .map((at) => [sequence.slice(0, at), sequence.slice(at)]);
  }),
  fc.constantFrom(...PIECES).map((text) => [text]),
);
const input = fc.array(fc.record({ chunks: piece, ms: fc.constantFrom(0, 0, 5, 50, 100) }), {
  minLength: 1,
  maxLength: 12,
});

it.each([SANDBOX, LIVE])("on a profile of $environment", { timeout: 120_000 }, async (profile) => {
  const clock = handClock();
  const result = answer({ recommendation: "pass" });
  const { screen, model } = await live({}, { after: clock.after }, profile, () =>
    ["1", "2", "3"].map((id) => ({
      ...intent(id.repeat(19), { profile: profile.name, project: "shop/medium", request: PAYMENT }),
      result,
    })),
  );
  await expect.poll(() => model.checks.store.getState().entries.length).toBe(3);
  let isSent = false;
  model.checks.store.subscribe(({ inFlight }) => (isSent ||= inFlight !== null));
  let dealtWith: () => void = () => undefined;
  let start = "";
  screen.dispatcher.open({
    scope: "probe",
    level: 9,
    handlers: {},
    // Each is used, so that the next key waits until its change is drawn.
    key: (name) => {
      if (name === "f23") goTo(start);
      if (name === "f24") dealtWith();
      return name === "f23" || name === "f24";
    },
  });
  const goTo = (place: string): void => {
    model.session.closePrompt();
    model.session.answer(false);
    for (const show of [model.session.showHelp, model.session.showPalette, model.session.showMessages])
      show(false);
    model.session.go("check");
    model.session.store.setState({ pages: [] });
    model.composer.loadRequest(PAYMENT, { from: null });
    model.composer.focus(place);
  };
  /** Goes to a place, feeds all of it, and waits until each key was dealt with. */
  const feed = async (
    place: string,
    chunks: readonly { readonly text: string; readonly ms: number }[],
  ): Promise<void> => {
    // Drawn before the first key.
    start = place;
    screen.dispatcher.dispatch({ type: "key", name: "f23" });
    for (const { text, ms } of chunks) {
      screen.press(text);
      clock.wait(ms);
    }
    clock.wait(5_000);
    await new Promise<void>((resolve) => {
      dealtWith = resolve;
      screen.dispatcher.dispatch({ type: "key", name: "f24" });
    });
  };
  const places = fc.constantFrom("submit", "amount", "description", "history");
  await fc.assert(
    fc.asyncProperty(places, input, async (place, pieces) => {
      await feed(
        place,
        pieces.flatMap(({ chunks, ms }) => chunks.map((text) => ({ text, ms }))),
      );
      expect([isSent, model.session.store.getState().dialog]).toEqual([false, null]);
    }),
    { numRuns: 60 },
  );
  // The palette, before anything is looked for in it.
  for (const place of ["submit", "history"]) {
    await feed(place, [{ text: ":\r\r", ms: 0 }]);
    expect([isSent, model.session.store.getState().dialog]).toEqual([false, null]);
  }
  // What the test looks at does notice one.
  await feed("submit", [{ text: "\r", ms: 0 }]);
  await expect.poll(() => isSent || model.session.store.getState().dialog !== null).toBe(true);
});
