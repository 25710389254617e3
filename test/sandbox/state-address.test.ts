// Addresses of a server of states.

import { describe, expect, it } from "vitest";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";

describe("an address of --state", () => {
  it.each([
    ["valkey://cache", { nodes: [{ host: "cache", port: 6379 }], tls: false, database: 0, user: null }],
    ["redis://127.0.0.1:7000/3", { nodes: [{ host: "127.0.0.1", port: 7000 }], tls: false, database: 3 }],
    ["redis+sentinel://a/primary", { nodes: [{ host: "a", port: 26_379 }], tls: false, sentinel: "primary" }],
    ["rediss+sentinel://a/primary", { nodes: [{ host: "a", port: 26_379 }], tls: true, sentinel: "primary" }],
    ["rediss://verdict@[::1]:7000", { nodes: [{ host: "::1", port: 7000 }], tls: true, user: "verdict" }],
    ["valkeys://a%40b@cache/", { user: "a@b", tls: true, database: 0 }],
    ["unix:/run/valkey/s", { nodes: "/run/valkey/s", tls: false, user: null, database: 0 }],
    ["unix://verdict@/run/s?db=2", { nodes: "/run/s", user: "verdict", database: 2 }],
    [
      "valkey+sentinel://a,b:5000/primary/1",
      {
        nodes: [
          { host: "a", port: 26_379 },
          { host: "b", port: 5000 },
        ],
        sentinel: "primary",
        database: 1,
      },
    ],
  ])("%s", (text, read) => {
    expect(readStateAddress(text)).toMatchObject(read);
  });

  it.each([
    "valkey://",
    "valkey://a,b",
    "valkey://a:0",
    "valkey://a:70000",
    "valkey://a/x",
    "valkey://a/1/2",
    "valkey+sentinel://a",
    "valkey+sentinel://a/",
    "http://a",
    "unix:relative",
    "valkey://a@b@c",
    "valkey://%zz@a",
    "valkey://u%@a",
    "valkey+sentinel://a/%zz",
  ])("refuses %s", (text) => {
    expect(() => readStateAddress(text)).toThrow("is not understood");
  });

  it.each([
    "valkey://u:pass-1@a",
    "rediss://:pass-1@a/0",
    "valkey+sentinel://u:pass-1@a/m",
    "unix://u:pass-1@/s",
    "valkey://u%3Apass-1@a",
    "rediss://%3apass-1@a/0",
    "valkey+sentinel://u%3Apass-1@a/m",
    "unix://u%3Apass-1@/s",
  ])("refuses the password of %s, and does not repeat it", (text) => {
    expect(() => readStateAddress(text)).toThrow("--state-password-file");
    expect(() => readStateAddress(text)).not.toThrow("pass-1");
  });
});
