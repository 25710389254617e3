import { describe, expect, test } from "vitest";
import { showField } from "#src/contract/fields/validate.ts";
import { PROFILE_FIELDS, profileOfTexts, profileValues } from "#src/contract/records/profile-fields.ts";
import { SANDBOX_PROFILE, type Profile } from "#src/contract/records/profile.ts";
import { validateProfile } from "#src/contract/records/validate-profile.ts";
import { isLoopbackHost, serviceUrlProblem } from "#src/contract/wire/service-url.ts";

const PROFILE: Profile = {
  name: "acme-test",
  environment: "TEST",
  baseUrl: "https://check.example/api",
  projectsUrl: "https://projects.example",
  recipe: "http-signatures",
  amountUnit: "minor",
  credentialWaitS: 180,
};

describe("a profile", () => {
  test("that is whole has no findings, and the built-in one neither", () => {
    expect(validateProfile(PROFILE)).toEqual([]);
    expect(validateProfile(SANDBOX_PROFILE)).toEqual([]);
  });

  test("may name a company, a proxy or none, a deadline, and send nothing", () => {
    const own = { companyId: "acme", proxy: "http://proxy.example:3128", deadlineS: 300, readOnly: true };
    expect(validateProfile({ ...PROFILE, ...own })).toEqual([]);
    expect(validateProfile({ ...PROFILE, proxy: "direct" })).toEqual([]);
  });

  test.each([
    [{ name: "p4111111111111111" }, "name"],
    [{ baseUrl: "https://check.example/4111111111111111" }, "base_url"],
    [{ projectsUrl: "https://4111111111111111.example" }, "projects_url"],
    [{ companyId: "4111-1111-1111-1111" }, "company_id"],
  ])("holds no card number: %o", (change, path) => {
    const [found] = validateProfile({ ...PROFILE, ...change });
    expect(found).toMatchObject({ path, severity: "error" });
    expect(found!.message).not.toContain("4111");
  });

  test("is the same after it went through the texts of a form", () => {
    const own = { companyId: "acme", proxy: "direct", deadlineS: 9, readOnly: true, ca: "/etc/a.pem" };
    const answers = ["html", "201"] as const;
    const profile = { ...PROFILE, ...own, answers, confirmedRecipe: PROFILE.recipe };
    for (const each of [PROFILE, profile]) {
      const values = profileValues(each);
      const texts = Object.fromEntries(
        PROFILE_FIELDS.map((field) => [field.path, showField(field, values[field.path])]),
      );
      expect(profileOfTexts(texts, each)).toEqual(each);
    }
    for (const end of ["", "/projects", "/projects/", "/projects/credential"])
      expect(profileOfTexts({ projects_url: `https://p.example/reg${end}` }, null).projectsUrl).toBe(
        "https://p.example/reg",
      );
    const other = profileOfTexts({ name: "x", recipe: "kong" }, profile);
    expect(other.confirmedRecipe).toBeUndefined();
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "../x" }, "name"],
    [{ name: "-x" }, "name"],
    [{ name: "Acme" }, "name"],
    [{ environment: "PROD" as "LIVE" }, "environment"],
    [{ baseUrl: "" }, "base_url"],
    [{ baseUrl: "http://check.example" }, "base_url"],
    [{ projectsUrl: "ftp://projects.example" }, "projects_url"],
    [{ recipe: "" }, "recipe"],
    [{ amountUnit: "cents" as "minor" }, "amount_unit"],
    [{ credentialWaitS: -1 }, "credential_wait_s"],
    [{ credentialWaitS: 1.5 }, "credential_wait_s"],
    [{ credentialWaitS: 86_401 }, "credential_wait_s"],
    [{ ca: "company.pem" }, "ca"],
    [{ ca: "" }, "ca"],
    [{ ca: "/etc/a\u001bb.pem" }, "ca"],
    [{ companyId: "two words" }, "company_id"],
    [{ companyId: "" }, "company_id"],
    [{ deadlineS: 0 }, "deadline_s"],
    [{ deadlineS: Number.NaN }, "deadline_s"],
    [{ proxy: "proxy.example" }, "proxy"],
    [{ proxy: "socks5://proxy.example" }, "proxy"],
    [{ proxy: "http://me:hunter2@proxy.example" }, "proxy"],
    [{ proxy: "http://me@proxy.example" }, "proxy"],
    [{ proxy: "http://:hunter2@proxy.example" }, "proxy"],
  ])("with %j is refused for it", (change, path) => {
    const findings = validateProfile({ ...PROFILE, ...change });
    expect(findings).toMatchObject([{ path, severity: "error" }]);
    expect(findings[0]!.message).toMatch(new RegExp(`^${path} .*\\.$`));
  });
});

describe("an address of a service", () => {
  test.each([
    "https://service.example",
    "https://service.example:8443/path/",
    "https://192.0.2.1",
    "http://127.0.0.1:8080",
    "http://127.255.255.254",
    "http://localhost:1",
    "http://LOCALHOST",
    "http://[::1]:8080/x",
    "http://2130706433",
  ])("may be called: %s", (text) => {
    expect(serviceUrlProblem(text)).toBeNull();
  });

  test.each([
    "",
    "service.example",
    "/v1",
    "http://service.example",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://user@service.example",
    "https://user:word@service.example",
    "https://service.example?x=1",
    "https://service.example/#x",
    "https://service.example?",
  ])("is refused: %j", (text) => {
    expect(serviceUrlProblem(text)).toMatch(/^must /);
  });

  test("loopback is decided by the host alone", () => {
    expect(["127.0.0.1", "localhost", "::1", "[::1]"].every(isLoopbackHost)).toBe(true);
    expect(["127.0.0.1.x", "x127.0.0.1", "128.0.0.1", "localhost.x", "", "::2"].some(isLoopbackHost)).toBe(
      false,
    );
  });
});
