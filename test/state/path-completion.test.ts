// Paths that Tab completes, in prompts and in the fields of forms.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { NO_AUDIENCE } from "#src/display/audience.ts";
import { createForm, textOf, type EntryForm } from "#src/state/entry-form.ts";
import { formVerbs } from "#src/state/form-verbs.ts";
import { completedPath, pathCompletion } from "#src/state/path-completion.ts";
import type { Session } from "#src/state/session.ts";

const seenBy = (isThere: boolean): Session =>
  ({ audience: () => ({ ...NO_AUDIENCE, isThere }) }) as unknown as Session;

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "verdict-paths-"));
  onTestFinished(() => rm(path, { recursive: true }));
  await mkdir(join(path, "payloads"));
  for (const name of ["payroll 1.csv", "rules.yaml", ".hidden", "odd\u001b.csv"]) {
    await writeFile(join(path, name), "");
  }
  return path;
}

it("offers files and folders, none of them hidden or with control characters, and an audience none", async () => {
  const path = await folder();
  const offered = (typed: string, isThere = false): string[] =>
    pathCompletion(seenBy(isThere))(typed).candidates.map(({ label }) => label);
  expect(offered(`${path}/pay`).toSorted()).toEqual(["payloads/", "payroll 1.csv"]);
  expect(offered(`${path}/`)).toHaveLength(3);
  expect(offered(`${path}/odd`)).toEqual([]);
  expect(offered(`${path}/none/pay`)).toEqual([]);
  expect(offered("")).toEqual([]);
  expect(offered(`${path}/pay`, true)).toEqual([]);
});

it("completes the path at the end of a line alone", async () => {
  const path = await folder();
  const complete = pathCompletion(seenBy(false), /(?<=\sover\s+)\S*$/);
  expect(complete(`R.limit 1..9 over ${path}/ru`).candidates[0]?.text).toBe(
    `R.limit 1..9 over ${path}/rules.yaml`,
  );
  expect(complete("R.limit").candidates).toEqual([]);
});

it("takes what all that a path may mean have in common", async () => {
  const path = await folder();
  expect(completedPath(`${path}/p`)).toBe(`${path}/pay`);
  // Then the first of them, and none behind a whole name.
  expect(completedPath(`${path}/pay`)).toBe(`${path}/payloads/`);
  expect(completedPath(`${path}/rules.yaml`)).toBeNull();
  expect(completedPath(`${path}/r`)).toBe(`${path}/rules.yaml`);
  expect(completedPath("")).toBeNull();
});

it("completes on Tab in a field for files, and goes to the next field where nothing is to be completed", async () => {
  const path = await folder();
  const field = { kind: "text", label: "", help: "", remark: () => null } as const;
  const fields = [
    { ...field, path: "file", initial: `${path}/ru`, isPath: true },
    { ...field, path: "other", initial: `${path}/ru` },
  ] as const;
  let form: EntryForm = createForm(fields, "file");
  const session = { refusesTyping: () => false };
  const change = (changed: EntryForm): void => void (form = changed);
  const verbs = formVerbs({ session, form: () => form, change, close: () => true, send: async () => {} });
  verbs.tab();
  expect(form.focus).toBe("file");
  expect(textOf(form, "file")).toBe(`${path}/rules.yaml`);
  verbs.tab();
  expect(form.focus).toBe("other");
  verbs.tab();
  expect(textOf(form, "other")).toBe(`${path}/ru`);
  expect(form.focus).not.toBe("other");
});
