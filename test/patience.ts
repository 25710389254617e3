// What a test waits for comes late on a busy machine: the default of one second would make the clock decide.

import { vi } from "vitest";

const PATIENCE_MS = 30_000;
const { waitFor } = vi;

vi.waitFor = (condition, options = PATIENCE_MS) => waitFor(condition, options);
