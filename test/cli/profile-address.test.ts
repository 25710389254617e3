// Addresses of profiles that are not what they look like: letters of other scripts, and a LIVE service on this machine.

import { expect, test } from "vitest";
import { shownAddress } from "#src/display/address.ts";
import { homeOfTests } from "./in-process.ts";

const home = homeOfTests();

/** Cyrillic letters alone. */
const APPLE = "https://\u0430\u0440\u0440\u04cf\u0435.com";
const NAMED = `${APPLE} (xn--80ak6aa92e.com)`;

test.each([
  [APPLE, NAMED],
  ["https://b\u00fccher.example/api", "https://b\u00fccher.example/api (xn--bcher-kva.example)"],
  ["https://%D0%B0pple.com", "https://%D0%B0pple.com (xn--pple-43d.com)"],
  ["http://127.1:80", "http://127.1:80 (127.0.0.1)"],
  ["https://Service.Example:443/api", "https://Service.Example:443/api"],
  ["https://xn--bcher-kva.example", "https://xn--bcher-kva.example"],
  ["http://[::1]:8787", "http://[::1]:8787"],
  ["embedded:sandbox", "embedded:sandbox"],
  ["no address", "no address"],
  ["", ""],
])("%s is shown as %s", (typed, shown) => expect(shownAddress(typed)).toBe(shown));

test("a look-alike host is named as it is asked for, wherever a profile is added, listed or shown", async () => {
  const added = await home.run(["profile", "add", "fruit", "--base-url", APPLE]);
  expect(added).toMatchObject({ code: 0 });
  expect(added.stdout).toContain(`Its address is ${NAMED}.`);
  expect((await home.run("profile list")).stdout).toContain(NAMED);
  const shown = (await home.run("profile show fruit")).stdout;
  expect(shown.split(NAMED)).toHaveLength(3);
});

test("a LIVE profile with an address of this machine is warned of, a test profile is not", async () => {
  const add = ["profile", "add", "tunnel", "--base-url", "http://127.0.0.1:8443"];
  expect((await home.run(add)).stderr).toBe("");
  expect((await home.run("profile show tunnel")).stderr).toBe("");
  const warning =
    /tunnel is LIVE, and http:\/\/127\.0\.0\.1:8443 is this machine, without encryption: .*tunnel/;
  const live = await home.run([...add, "--environment", "live"]);
  expect(live).toMatchObject({ code: 0, stderr: expect.stringMatching(warning) });
  expect((await home.run("profile show tunnel")).stderr).toMatch(warning);
});
