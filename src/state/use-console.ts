// Gives React components the console's state.

import { createContext, use } from "react";
import type { ConsoleModel } from "./console-model.ts";

const ConsoleContext = createContext<ConsoleModel | null>(null);

/** `<ConsoleModelProvider value={model}>` */
export const ConsoleModelProvider = ConsoleContext.Provider;

/** @throws outside of a `ConsoleModelProvider`, which is a mistake of ours */
export function useConsole(): ConsoleModel {
  const model = use(ConsoleContext);
  if (model === null) throw new Error("useConsole needs a ConsoleModelProvider around it.");
  return model;
}
