// Export and import as age files: what goes out comes back, and nothing comes in that was not looked at.

import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";

import { Secret } from "#src/contract/secret.ts";
import type { Vault } from "#src/vault/vault.ts";
import { BASE, CREDENTIAL, KEY, OTHER, PASSPHRASE, place, PROJECTS, SECRET, type Place } from "./place.ts";

interface Ends {
  readonly from: Place;
  readonly source: Vault;
  readonly target: Vault;
  readonly file: string;
  readonly identity: Secret;
  readonly recipients: readonly string[];
}

async function ends(): Promise<Ends> {
  const [from, to] = [place(), place()];
  const source = await from.open();
  await source.put(KEY);
  await source.put(CREDENTIAL);
  const identity = await generateIdentity();
  return {
    from,
    source,
    target: await to.open(),
    file: join(from.home, "keys.age"),
    identity: new Secret(`# made by a test\n${identity}\n`),
    recipients: [await identityToRecipient(identity)],
  };
}

/** An age file with this inside, for the identity of the ends. */
async function fileOf(content: unknown, { recipients }: Ends): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipients[0]!);
  return encrypter.encrypt(typeof content === "string" ? content : JSON.stringify(content));
}

const exported = (entry: Record<string, unknown>): unknown => ({
  format: "verdict/vault-export",
  schema: 1,
  entries: [
    {
      kind: "integration_key",
      profile: "live",
      company_id: "company-1",
      key_id: "key",
      algorithm: "hmac-sha256",
      bound_to: PROJECTS,
      secret: SECRET,
      ...entry,
    },
  ],
});

describe("an exported vault", () => {
  it.each([
    ["by a passphrase", false],
    ["by a passphrase, armored", true],
  ])("comes back whole %s", async (_, armored) => {
    const { source, target, file } = await ends();
    await source.exportAge(file, { passphrase: PASSPHRASE }, { armored });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "latin1").startsWith("-----BEGIN AGE")).toBe(armored);
    expect(readFileSync(file, "latin1")).not.toContain(SECRET);
    const plan = await target.importAge(readFileSync(file), {
      passphrase: () => Promise.resolve(PASSPHRASE),
    });
    expect(plan.items.map(({ state }) => state)).toEqual(["new", "new"]);
    expect(JSON.stringify(plan)).not.toContain(SECRET);
    // Nothing before it is said.
    expect(target.list()).toEqual([]);
    expect(await plan.apply({ replace: false })).toBe(2);
    expect(target.credential("live", "merchant-7/low", BASE).secret.expose()).toBe(`${SECRET}-2`);
    expect(target.integrationKey("live", PROJECTS)?.secret.expose()).toBe(SECRET);
  });

  it("is opened by the identity of a recipient only, and holds what was chosen", async () => {
    const all = await ends();
    const { source, target, file, identity, recipients } = all;
    const [id] = source.list().map((entry) => entry.id);
    const { entries } = await source.exportAge(file, { recipients }, { ids: [id!] });
    expect(entries.map(({ kind }) => kind)).toEqual(["integration_key"]);
    const bytes = readFileSync(file);
    expect((await target.importAge(bytes, { identities: identity })).items).toHaveLength(1);
    const stranger = new Secret(await generateIdentity());
    await expect(target.importAge(bytes, { identities: stranger })).rejects.toThrow(
      /sealed for other people/,
    );
    await expect(
      target.importAge(bytes, { passphrase: () => Promise.reject(new Error("asked")) }),
    ).rejects.toThrow(/for recipients/);
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity.expose().split("\n")[1]!);
    const inside = JSON.parse(await decrypter.decrypt(bytes, "text")) as { entries: { secret: string }[] };
    expect(inside.entries.map(({ secret }) => secret)).toEqual([SECRET]);
  });

  it("never takes the place of a file, a folder or a link", async () => {
    const { from, source, recipients } = await ends();
    const there = join(from.home, "there");
    writeFileSync(there, "mine");
    mkdirSync(join(from.home, "folder"));
    symlinkSync(there, join(from.home, "link"));
    symlinkSync(join(from.home, "nowhere"), join(from.home, "dangling"));
    for (const name of ["there", "folder", "link", "dangling"]) {
      await expect(source.exportAge(join(from.home, name), { recipients })).rejects.toMatchObject({
        code: "usage",
      });
    }
    expect(readFileSync(there, "utf8")).toBe("mine");
    expect(existsSync(join(from.home, "nowhere"))).toBe(false);
    await expect(source.exportAge(join(from.home, "no/such/x.age"), { recipients })).rejects.toMatchObject({
      code: "storage",
    });
  });

  it.each(["age1", "age1qqqq", "ssh-ed25519 AAAA", "", "-----BEGIN"])("is not made for %j", async (bad) => {
    const { source, file } = await ends();
    await expect(source.exportAge(file, { recipients: [bad] })).rejects.toMatchObject({ code: "bad_input" });
    expect(existsSync(file)).toBe(false);
  });

  it("is not made of an empty vault", async () => {
    const { target, file, recipients } = await ends();
    await expect(target.exportAge(file, { recipients })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("an import", () => {
  it("says what is there already, and overwrites nothing unless it is told to", async () => {
    const all = await ends();
    const { source, target, file, identity, recipients } = all;
    await source.exportAge(file, { recipients });
    await target.put(KEY);
    await target.put({ ...CREDENTIAL, secret: new Secret("another-one") });
    const plan = await target.importAge(readFileSync(file), { identities: identity });
    expect(plan.items.map(({ state }) => state)).toEqual(["same", "other"]);
    expect(await plan.apply({ replace: false })).toBe(0);
    expect(target.credential("live", "merchant-7/low", BASE).secret.expose()).toBe("another-one");
    expect(await plan.apply({ replace: true })).toBe(1);
    expect(target.credential("live", "merchant-7/low", BASE).secret.expose()).toBe(`${SECRET}-2`);
    expect(target.list()).toHaveLength(2);
    const [former] = target.former();
    expect(target.reveal(former!.id).expose()).toBe("another-one");
  });

  it("looks again at what another process has put in between", async () => {
    const all = await ends();
    const { source, target, file, identity, recipients } = all;
    await source.exportAge(file, { recipients });
    const plan = await target.importAge(readFileSync(file), { identities: identity });
    await target.put({ ...CREDENTIAL, secret: new Secret("came-meanwhile") });
    expect(await plan.apply({ replace: false })).toBe(1);
    expect(target.credential("live", "merchant-7/low", BASE).secret.expose()).toBe("came-meanwhile");
  });

  it("refuses a wrong passphrase in words", async () => {
    const { source, target, file } = await ends();
    await source.exportAge(file, { passphrase: PASSPHRASE });
    const failing = target.importAge(readFileSync(file), { passphrase: () => Promise.resolve(OTHER) });
    await expect(failing).rejects.toMatchObject({
      code: "bad_input",
      message: "The passphrase of the file is wrong; try again.",
    });
  });

  it("refuses a file with a byte flipped, and one that was cut, anywhere", async () => {
    const all = await ends();
    const { source, target, file, identity, recipients } = all;
    await source.exportAge(file, { recipients });
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at += 3) {
      const flipped = Buffer.from(good);
      flipped[at]! ^= 1;
      for (const bad of [flipped, good.subarray(0, at)]) {
        await expect(target.importAge(bad, { identities: identity }), `byte ${at}`).rejects.toMatchObject({
          code: "bad_input",
        });
      }
    }
  });

  it.each([
    ["nothing", ""],
    ["other JSON", "{}"],
    ["no JSON", "hello"],
    ["an export of a newer version", { format: "verdict/vault-export", schema: 2, entries: [] }],
    ["a key twice", '{"format":"verdict/vault-export","schema":1,"entries":[],"entries":[]}'],
    ["a secret with a line feed", exported({ secret: "a\r\nx-evil: 1" })],
    ["a key id that is empty", exported({ key_id: "" })],
    ["a company id that is a number", exported({ company_id: 7 })],
    ["no address", exported({ bound_to: undefined })],
    ["an address without TLS", exported({ bound_to: "http://check.example" })],
    ["an address with a password", exported({ bound_to: "https://a:b@check.example" })],
    ["an unknown kind", exported({ kind: "root_key" })],
    ["a profile with a separator", exported({ profile: "../live" })],
    [
      "a project without a risk level",
      exported({ kind: "project_credential", project: "x", project_id: "p" }),
    ],
  ])("refuses %s inside, and repeats no secret", async (_, content) => {
    const all = await ends();
    const failing = all.target.importAge(await fileOf(content, all), { identities: all.identity });
    await expect(failing).rejects.toMatchObject({ code: "bad_input" });
    await expect(failing).rejects.not.toThrow(SECRET);
    expect(all.target.list()).toEqual([]);
  });

  it("refuses two entries of one owner", async () => {
    const all = await ends();
    const one = exported({}) as { entries: unknown[] };
    const twice = { ...one, entries: [one.entries[0], one.entries[0]] };
    await expect(
      all.target.importAge(await fileOf(twice, all), { identities: all.identity }),
    ).rejects.toThrow(/same owner/);
  });

  it("names an identity file that holds none, and repeats nothing of it", async () => {
    const all = await ends();
    const file = await fileOf(exported({}), all);
    const bad = new Secret("AGE-SECRET-KEY-1NOTREALLY");
    const failing = all.target.importAge(file, { identities: bad });
    await expect(failing).rejects.toMatchObject({ code: "bad_input" });
    await expect(failing).rejects.not.toThrow("NOTREALLY");
    await expect(all.target.importAge(file, { identities: new Secret("# only a remark\n") })).rejects.toThrow(
      /holds no identity/,
    );
  });

  it("refuses a file that asks for endless work", async () => {
    const all = await ends();
    const encrypter = new Encrypter();
    encrypter.setScryptWorkFactor(10);
    encrypter.setPassphrase(PASSPHRASE.expose());
    const file = Buffer.from(await encrypter.encrypt("{}"));
    const harder = Buffer.from(file.toString("latin1").replace(/^(-> scrypt \S+) 10$/m, "$1 30"), "latin1");
    expect(harder.equals(file)).toBe(false);
    await expect(
      all.target.importAge(harder, { passphrase: () => Promise.resolve(PASSPHRASE) }),
    ).rejects.toMatchObject({ code: "bad_input" });
  });
});
