// Pages over a screen: one lies on another, each belongs to its screen, and an audience sees none that exposes.

import { beforeEach, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Page, ScreenName } from "#src/state/page.ts";
import { createSession, hiddenByPresenter, openPage, type Session } from "#src/state/session.ts";
import { keyName } from "../keys/standard.ts";

const page = (screen: ScreenName, exposes?: true): Page => ({
  screen,
  store: createStore(() => ({})),
  ...(exposes && { exposes }),
  view: () => ({ title: screen, lines: [] }),
});

let session: Session;
const top = (): Page | undefined => openPage(session.store.getState());
beforeEach(() => {
  session = createSession({ keyName, quit: () => undefined });
});

it("lie on each other, and the one below is there again", () => {
  const [one, other] = [page("check"), page("check")];
  session.show(one);
  session.show(other);
  expect(top()).toBe(other);
  session.show(one);
  expect(top()).toBe(one);
  session.closePage(one);
  expect(top()).toBe(other);
  session.closePage(other);
  expect(top()).toBeUndefined();
});

it("stay on their screen while another one is open", () => {
  const rules = page("rules");
  session.show(rules);
  expect(top()).toBeUndefined();
  session.go("rules");
  expect(top()).toBe(rules);
});

it("that expose are closed by presenter mode, and refused while it is on", () => {
  const [open, exposing] = [page("check"), page("check", true)];
  session.show(open);
  session.show(exposing);
  session.setPresenter(1);
  expect(top()).toBe(open);
  session.show(exposing);
  expect(top()).toBe(open);
  expect(session.store.getState().toasts.at(-1)!.text).toBe(hiddenByPresenter(keyName));
  session.setPresenter(null);
  session.show(exposing);
  expect(top()).toBe(exposing);
  session.close();
});
