// What a prompt line tells the `ink` that its ink-text-input sees.

import { createContext } from "react";
import type { StandIns } from "./stand-ins.ts";

export interface PromptContents {
  readonly standIns: StandIns;
  /** The text as ink-text-input holds it: one UTF-16 unit for each grapheme. */
  readonly encoded: string;
  /** Level of the layer that the prompt belongs to; the prompt hears keys before it. */
  readonly level: number;
  /** Whether Enter is the prompt's; otherwise it goes on to the layer below. */
  readonly submits: boolean;
}

export const PromptContext = createContext<PromptContents | null>(null);
