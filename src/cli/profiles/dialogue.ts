// Questions of a dialogue, each of which an option answers as well.

import { askLine } from "#src/cli/ask.ts";
import type { Invocation } from "#src/cli/command.ts";
import { flagOf, type Values } from "#src/cli/option.ts";
import { wrapped } from "#src/cli/table.ts";
import { usage, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { checkField } from "#src/contract/fields/validate.ts";
import { PROFILE_FIELDS } from "#src/contract/records/profile-fields.ts";

export const STOPPED = "Stopped; nothing was saved.";

export interface Question {
  /** Name of the option that answers it. */
  readonly option: string;
  readonly label: string;
  /** What it means, in one line. */
  readonly meaning: string;
  readonly fallback?: string;
  /** What is wrong with an answer, worded to follow its name; null for nothing. */
  problem(text: string): string | null;
  /** What to answer, where the label and the problem make no sentence. */
  readonly remedy?: string;
}

export class Dialogue<Table> {
  /** False without a terminal: then each answer is an option or a default. */
  readonly asks: boolean;
  #invocation: Invocation<Table>;

  constructor(invocation: Invocation<Table>) {
    this.asks = invocation.stdin.isTTY === true;
    const [name] = invocation.args;
    this.#invocation = invocation;
    if (name !== undefined) this.set("name", name);
  }

  /** With the answers as options. */
  get invocation(): Invocation<Table> {
    return this.#invocation;
  }

  get options(): Values<Table> {
    return this.#invocation.options;
  }

  /** The answer there is already. */
  given(option: string): string | undefined {
    return (this.options as Readonly<Record<string, string>>)[option];
  }

  set(option: string, value: string): void {
    this.#invocation = { ...this.#invocation, options: { ...this.options, [option]: value } };
  }

  /** Asks until the answer is right. @throws Fault("usage") without a terminal for a missing or wrong option, Fault("interrupted") */
  async answer(question: Question): Promise<string> {
    const { option, meaning, fallback, problem } = question;
    const given = this.given(option) ?? (this.asks ? undefined : fallback);
    const flag = option === "name" ? "The name" : flagOf(option);
    if (given === undefined && !this.asks) throw usage`${flag} is missing. ${whole(meaning)}`;
    const wrong = given === undefined ? null : problem(given);
    if (wrong !== null && !this.asks) throw usage`${flag} ${whole(wrong)}; nothing was saved.`;
    if (wrong !== null) this.#invocation.output.complain(`${flag} ${wrong}.`);
    const text = wrong === null && given !== undefined ? given : await this.#typed(question);
    this.set(option, text);
    return text;
  }

  async #typed({ label, meaning, fallback, problem, remedy }: Question): Promise<string> {
    const { output } = this.#invocation;
    output.complain(["", ...wrapped("", meaning.split(" "), output.columns, " ")].join("\n"));
    const preset = fallback === undefined ? "" : ` [${fallback}]`;
    for (;;) {
      const text = (await askLine(this.#invocation, `${label}${preset}: `, STOPPED)) || (fallback ?? "");
      const wrong = text === "" ? "is required" : problem(text);
      if (wrong === null) return text;
      output.complain(remedy ?? `${label} ${wrong}.`);
    }
  }
}

/** Problems by the field table of profiles. */
export function fieldProblem(path: string): (text: string) => string | null {
  const field = PROFILE_FIELDS.find((each) => each.path === path)!;
  return (text) => {
    const [found] = checkField(field, text, { body: {}, now: 0, amountUnit: "minor" });
    return found === undefined ? cardProblem(text) : found.message.replace(`${path} `, "").replace(/\.$/, "");
  };
}

/** Continues a sentence that names the value; null for one without a card number. */
export function cardProblem(text: string): string | null {
  return findCardData(text) === null ? null : "must not hold a card number";
}
