// Addresses of services as they are typed.

import { expect, test } from "vitest";
import { readServiceUrl, serviceUrlProblem } from "#src/contract/wire/service-url.ts";

test.each([
  ["risk.example.com", "https://risk.example.com"],
  ["//risk.example.com/base", "https://risk.example.com/base"],
  ["///risk.example.com", "https://risk.example.com"],
  ["https:risk.example.com", "https://risk.example.com"],
  ["https:/risk.example.com", "https://risk.example.com"],
  ["https:////10.0.0.1/v1/check", "https://10.0.0.1"],
  ["HTTPS://risk.example.com", "HTTPS://risk.example.com"],
  ["//127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["localhost:8080", "http://localhost:8080"],
  ["risk.example.com:8443/", "https://risk.example.com:8443/"],
])("%s is %s", (typed, meant) => {
  expect(readServiceUrl(typed)).toBe(meant);
  expect(serviceUrlProblem(meant)).toBeNull();
});

test.each([
  "ftp://risk.example.com",
  "mailto:a",
  "https://",
  "//",
  "http://risk.example.com",
  "https://u:p@risk.example.com",
])("%s is refused", (typed) => expect(serviceUrlProblem(readServiceUrl(typed))).toMatch(/^must /));
