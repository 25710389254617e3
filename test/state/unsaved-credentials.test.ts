// A credential that came and could not be saved: it is decided before anything else, and not lost by any way of failing.

import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import { storage, usage } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { formatDateTime } from "#src/display/time.ts";
import { openAge } from "#src/vault/age-file.ts";
import { TEST_SECRET } from "../console/test-context.ts";
import { guardedVault, PASSPHRASE, type GuardedVault } from "./guarded-vault.ts";
import { agree, submit } from "./answers.ts";
import { projectOf } from "../console/samples.ts";

const START = Date.UTC(2026, 10, 21, 12, 0, 0);
const KEY = "shop-9/low";

/** A console whose vault took the request's intent and not its answer, as on a disk that fills up in between. */
async function withUnsaved(): Promise<GuardedVault> {
  let block = (): void => undefined;
  const desk = await guardedVault("key_file", {
    now: () => START,
    credentialWaitS: 0,
    credential: async () => {
      block();
      const { credentialReady } = await import("../console/test-context.ts");
      return credentialReady();
    },
  });
  // Where the lock file belongs, a folder: nothing can be written any more.
  block = () => mkdirSync(`${desk.where.documentPath}.lock`);
  const { registrations } = desk.model;
  const projects = await desk.test.context.projects();
  await projects.put(
    projectOf({
      key: KEY,
      companyId: "company-test-1",
      merchantId: "shop-9",
      riskLevel: "low",
      name: "Shop 9",
      startedAt: START,
      provenStartAt: START,
    }),
  );
  await registrations.load();
  await vi.waitFor(() => expect(desk.model.unsavedCredentials.store.getState().waiting).toHaveLength(1), {
    timeout: 60_000,
  });
  return desk;
}

const unsavedOf = ({ model }: GuardedVault) => model.unsavedCredentials.store.getState();
const progressOf = ({ model }: GuardedVault) => model.registrations.store.getState().progress[KEY];

async function answer(desk: GuardedVault, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await vi.waitFor(() => expect(desk.model.session.store.getState().prompt).not.toBeNull());
    await submit(desk.model.session, text);
  }
}

describe("a credential that was not saved", () => {
  it("is saved by trying again once there is room", async () => {
    const desk = await withUnsaved();
    const { unsavedCredentials, registrations } = desk.model;
    await unsavedCredentials.retry();
    expect(unsavedOf(desk)).toMatchObject({ working: null, problem: expect.stringMatching(/\S/) });
    expect(unsavedOf(desk).waiting).toHaveLength(1);
    rmdirSync(`${desk.where.documentPath}.lock`);
    await unsavedCredentials.retry();
    expect(unsavedOf(desk).waiting).toEqual([]);
    expect(desk.vault.credential("sandbox", KEY, "embedded:sandbox").secret.expose()).toBe(TEST_SECRET);
    expect(registrations.store.getState().projects.find(({ key }) => key === KEY)?.state).toBe("ready");
    expect(progressOf(desk)).toBeUndefined();
  });

  it("goes into an age file, asked for with a passphrase typed twice", async () => {
    const desk = await withUnsaved();
    const path = join(desk.where.home, "rescued.age");
    const { unsavedCredentials } = desk.model;
    const first = unsavedCredentials.toFile();
    await answer(desk, path, "one passphrase", "another one");
    await first;
    expect(existsSync(path)).toBe(false);
    expect(unsavedOf(desk).waiting).toHaveLength(1);
    const second = unsavedCredentials.toFile();
    await answer(desk, path, PASSPHRASE, PASSPHRASE);
    await second;
    expect(unsavedOf(desk).waiting).toEqual([]);
    const plain = await openAge(readFileSync(path), {
      passphrase: () => Promise.resolve(new Secret(PASSPHRASE)),
    });
    expect(plain.toString("utf8")).toContain(TEST_SECRET);
    expect(progressOf(desk)).toMatchObject({ kind: "stopped", why: expect.stringContaining("rescued.age") });
  });

  it(
    "is given up after a question alone, which says until when it can be had again",
    { timeout: 60_000 },
    async () => {
      const desk = await withUnsaved();
      const { unsavedCredentials, session } = desk.model;
      expect(desk.model.summary()).toContain(`The credential of ${KEY} was not saved.`);
      void unsavedCredentials.giveUp();
      const { dialog } = session.store.getState();
      expect(dialog!.text).toContain(formatDateTime(START + CREDENTIAL_WINDOW_MS));
      expect(unsavedOf(desk).waiting).toHaveLength(1);
      await agree(session);
      expect(unsavedOf(desk).waiting).toEqual([]);
      expect(progressOf(desk)).toMatchObject({ kind: "stopped", retryAt: null });
    },
  );

  it("stays when writing fails in a way nobody thought of", async () => {
    const desk = await guardedVault("key_file");
    const unsaved = {
      fault: storage`The credential was received but not saved: the disk is full.`,
      projectKey: KEY,
      credential: { keyId: "k", projectId: "p", algorithm: "hmac-sha256", secret: new Secret("5ecret") },
      againUntil: null,
      save: () => Promise.reject(new TypeError("a defect")),
      writeTo: () => Promise.reject(usage`It exists already.`),
    } satisfies UnsavedCredential;
    const { unsavedCredentials } = desk.model;
    unsavedCredentials.add(unsaved);
    await unsavedCredentials.retry();
    expect(unsavedOf(desk)).toMatchObject({
      waiting: [unsaved],
      problem: expect.stringContaining("internal error"),
    });
    const writing = unsavedCredentials.toFile();
    await answer(desk, "somewhere.age", PASSPHRASE, PASSPHRASE);
    await writing;
    expect(unsavedOf(desk)).toMatchObject({ waiting: [unsaved], problem: "It exists already." });
    unsavedCredentials.reveal();
    expect(unsavedOf(desk).secondsLeft).toBe(10);
    desk.pass(10_000);
    expect(unsavedOf(desk).secondsLeft).toBeNull();
    const left = vi.fn();
    void unsavedCredentials.leave(left);
    expect(left).not.toHaveBeenCalled();
    await agree(desk.model.session);
    expect(left).toHaveBeenCalledOnce();
  });
});
