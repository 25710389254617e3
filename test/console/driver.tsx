// The console of the tests: a home, a service and a clock as given, and what is pressed in it, seen and done.
// Import this file before any component: it decides about colours before Ink is loaded.

import { mount, type Mounted, type MountOptions } from "./harness.tsx";
import type { ReactNode } from "react";
import { onTestFinished, vi, type Mock } from "vitest";
import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { Context } from "#src/app/context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import { createConsoleModel, type ConsoleModel, type ConsoleModelOptions } from "#src/state/console-model.ts";
import { createReplays } from "#src/state/replay/replays.ts";
import type { ProgramRun, TextEditing } from "#src/state/session.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import type { Size } from "#src/ui/rows.ts";
import { keyName } from "../keys/standard.ts";
import { createFakeTime, type FakeTime } from "../state/fake-time.ts";
import { LIVE, profileContext } from "./live-context.ts";
import { withSandbox, type SandboxStub } from "./sandbox-stub.ts";
import { fakeEngine, type FakeEngine, type StoredRun } from "./replay-engine.ts";
import {
  putCredential,
  putEntries,
  testContext,
  type TestContext,
  type TestService,
} from "./test-context.ts";

export const KEY = {
  enter: "\r",
  esc: "\x1b",
  tab: "\t",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  clear: "\x15",
  erase: "\x7f",
  sendAnywhere: "\x12",
} as const;

/** Windows that people have, as columns and rows. */
export const WINDOWS = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

/** The same by name. */
export const SIZES: readonly Size[] = WINDOWS.map(([columns, rows]) => ({ columns, rows }));

/** What the shell leaves of windows to a screen. */
export const AREAS = [
  [60, 14],
  [60, 18],
  [80, 22],
  [100, 28],
  [140, 38],
  [200, 58],
] as const;

export interface Given extends MountOptions {
  /** A home that outlives the console; a new one unless told. */
  readonly home?: TestContext;
  /** What is different from the sandbox's, or with a name from `LIVE`. */
  readonly profile?: Partial<Profile>;
  readonly service?: TestService;
  /** The clock of the console; the service's unless told. */
  readonly now?: () => number;
  /** Keys of projects with a credential; the first one is in use. */
  readonly credentials?: readonly string[];
  readonly projects?: readonly Project[];
  readonly entries?: readonly HistoryEntry[];
  /** Runs of an engine for replays that does what the test says; the console's own engine without them. */
  readonly runs?: readonly StoredRun[];
  readonly options?: Partial<ConsoleModelOptions>;
  /** With an administrative plane that answers as the test says; options of the console by it. */
  readonly onSandbox?: (sandbox: SandboxStub) => Partial<ConsoleModelOptions>;
  /** The last change to what the console is over. */
  readonly context?: (context: Context) => Context;
  /** What is done before the first frame. */
  readonly before?: (model: ConsoleModel) => unknown;
  /** One area alone, without the shell around it. */
  readonly area?: (size: Size) => ReactNode;
}

/** What the console asked of the program around it. */
export interface Asked {
  readonly quit: Mock<() => void>;
  readonly interrupt: Mock<() => void>;
  readonly suspend: Mock<() => void>;
  readonly edit: Mock<(text: TextEditing) => void>;
  readonly run: Mock<(run: ProgramRun) => void>;
}

export interface Console {
  readonly screen: Mounted;
  readonly model: ConsoleModel;
  readonly home: TestContext;
  readonly sandbox: SandboxStub;
  readonly asked: Asked;
  readonly engine: FakeEngine;
  /** The time of the replays. */
  readonly time: FakeTime;
}

/** A model in a terminal, until the test ends. */
export function draw(
  model: ConsoleModel,
  { area, ...options }: MountOptions & Pick<Given, "area"> = {},
): { readonly screen: Mounted; readonly asked: Asked } {
  const asked: Asked = { quit: vi.fn(), interrupt: vi.fn(), suspend: vi.fn(), edit: vi.fn(), run: vi.fn() };
  const tree = (size: Size): ReactNode => (
    <ConsoleModelProvider value={model}>
      {area?.(size) ?? (
        <App onInterrupt={asked.interrupt} onSuspend={asked.suspend} onEdit={asked.edit} onRun={asked.run} />
      )}
    </ConsoleModelProvider>
  );
  const { columns = 80, rows = area === undefined ? 24 : 22 } = options;
  const screen = mount(tree({ columns, rows }), { bindings: BINDINGS, ...options, columns, rows });
  onTestFinished(() => screen.unmount());
  const resize = (width: number, height: number): void => {
    screen.resize(width, height);
    if (area !== undefined) screen.rerender(tree({ columns: width, rows: height }));
  };
  return { screen: { ...screen, resize }, asked };
}

/** Opens a console that is gone, with its home, when the test ends. */
export async function openConsole(given: Given = {}): Promise<Console> {
  const { service = {}, profile = {}, credentials = [], projects = [], entries = [], runs } = given;
  const isNamed = profile.name !== undefined;
  const home =
    given.home ?? (await (isNamed ? profileContext({ ...LIVE, ...profile }, service) : testContext(service)));
  const { baseUrl, projectsUrl } = { ...home.context.addresses(), ...profile };
  const changed: Context = {
    ...home.context,
    profile: { ...home.context.profile, ...profile },
    addresses: () => ({ baseUrl, projectsUrl }),
    ...(given.home === undefined ? {} : { close: () => Promise.resolve() }),
  };
  const sandbox = withSandbox(changed);
  // Only the sandbox's profile has such a plane.
  const over = given.onSandbox === undefined || isNamed ? changed : sandbox.context;
  const context = given.context?.(over) ?? over;
  for (const key of credentials) await putCredential(context, key);
  for (const project of projects) await (await context.projects()).put(project);
  await putEntries(context, entries);
  const now = given.now ?? context.now;
  const quit = vi.fn<() => void>();
  const built = createConsoleModel(context, {
    keyName,
    now,
    ascii: given.ascii ?? false,
    quit,
    ...given.options,
    ...given.onSandbox?.(sandbox),
  });
  const engine = fakeEngine([...(runs ?? [])]);
  const time = createFakeTime(now());
  const replays =
    runs === undefined ? built.replays : createReplays(context, built.session, engine, time.after);
  const model: ConsoleModel = { ...built, replays };
  if (credentials[0] !== undefined) model.session.setProject(credentials[0]);
  await given.before?.(model);
  onTestFinished(async () => {
    engine.finish("cancelled");
    if (runs !== undefined) await replays.close();
    await model.close();
    if (given.home === undefined) await home.remove();
  });
  const { screen, asked } = draw(model, given);
  if (given.area === undefined) await screen.until(/./);
  return { screen, model, home, sandbox, engine, time, asked: { ...asked, quit } };
}
