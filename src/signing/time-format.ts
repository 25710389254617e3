// Times and nonces as recipes write them. Readers accept exactly what writers write.

import { randomBytes, randomUUID } from "node:crypto";
import type { NonceFormat, TimeFormat } from "./recipe.ts";

/** @param ms ms since the epoch; formats without milliseconds cut them off */
export function formatTime(format: TimeFormat, ms: number): string {
  switch (format) {
    case "http-date":
      return new Date(ms).toUTCString();
    case "unix-s":
      return String(Math.floor(ms / 1000));
    case "unix-ms":
      return String(Math.floor(ms));
    case "iso8601":
      return new Date(ms).toISOString();
    case "amz-basic":
      return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
  }
}

/** @returns ms since the epoch, or null for anything but the format's one way of writing that time */
export function parseTime(format: TimeFormat, text: string): number | null {
  const ms = lenientTime(format, text);
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 && formatTime(format, ms) === text ? ms : null;
}

function lenientTime(format: TimeFormat, text: string): number {
  switch (format) {
    case "http-date":
    case "iso8601":
      return Date.parse(text);
    case "unix-s":
      return Number(text) * 1000;
    case "unix-ms":
      return Number(text);
    case "amz-basic":
      return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  }
}

export function createNonce(format: NonceFormat): string {
  if (format === "uuid4") return randomUUID();
  return randomBytes(nonceDigits(format) / 2).toString("hex");
}

export function isNonce(format: NonceFormat, text: string): boolean {
  if (format === "uuid4") {
    return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text);
  }
  return text.length === nonceDigits(format) && /^[0-9a-f]+$/.test(text);
}

function nonceDigits(format: `hex:${number}`): number {
  return Number(format.slice("hex:".length));
}
