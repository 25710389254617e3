// verdict project register: registers a project, and with --wait fetches its credential as well.

import { register as registerProject } from "#src/actions/register/register.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT, exitOfCall } from "#src/cli/exit-code.ts";
import { registrationJson } from "#src/cli/json-shapes.ts";
import { Dialogue } from "#src/cli/profiles/dialogue.ts";
import { usage, whole } from "#src/contract/fault.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { registrationFields } from "#src/contract/fields/registration-fields.ts";
import { readField } from "#src/contract/fields/validate.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { fetchAndReport } from "./credential.ts";
import { prepareRescue } from "./rescue-credential.ts";
import type { PROJECT_REGISTER } from "./check-options.ts";
import type { Values } from "#src/cli/option.ts";

type Registering = Values<typeof PROJECT_REGISTER>;

export const register: CommandRun<typeof PROJECT_REGISTER> = async (invocation) => {
  const { options, output, signal } = invocation;
  const context = await invocation.context();
  const fields = registrationFields(registrationNumbering(context.profile));
  const request = readRequest(await answered(invocation, fields), fields);
  // Fails before anything is sent when --rescue could not work.
  await prepareRescue(invocation);
  const key = `${request.merchant_id}/${request.risk_level}`;

  const done = await registerProject(context, { request, again: options.again }, signal, () => undefined);
  const { result } = done;
  if (options.json) output.json(registrationJson(context.profile.name, key, result));
  else if (result.registered) {
    output.line(`Registered ${safe(key)}${result.message === null ? "" : `: ${safe(result.message)}`}`);
  }
  if (!result.registered) output.complain(result.explanation);
  if (options.wait && done.goOn) {
    return fetchAndReport(
      invocation,
      context,
      { merchant_id: request.merchant_id, risk_level: request.risk_level },
      true,
    );
  }
  if (!options.json && done.project?.state === "ready") {
    output.line(`The credential of ${safe(key)} is in the vault already.`);
  } else if (!options.json && done.goOn) {
    output.advise(
      `Next, in ${context.profile.credentialWaitS} s or later but within 24 hours: verdict project credential --merchant-id ${shellWord(request.merchant_id)} --risk-level ${request.risk_level} --wait`,
    );
  }
  return signal.aborted ? EXIT.interrupted : exitOfCall(result, result.registered);
};

/** The options, with the answers of a person to those that are missing. @throws Fault("interrupted") */
async function answered(
  invocation: Invocation<typeof PROJECT_REGISTER>,
  fields: readonly Field[],
): Promise<Registering> {
  const dialogue = new Dialogue(invocation);
  for (const field of fields.filter(({ required }) => required)) {
    const option = optionOf(field);
    if (dialogue.given(option) !== undefined) continue;
    const { label, help, choices } = field;
    await dialogue.answer({
      option,
      label,
      meaning: choices === undefined ? help : `${help} One of ${choices.join(", ")}.`,
      problem(text) {
        const read = readField(field, text);
        return "error" in read ? read.error.replace(`${field.path} `, "").replace(/\.$/, "") : null;
      },
    });
  }
  return dialogue.options;
}

/** Name of the option for a field: `merchantId`. */
function optionOf({ path }: Field): "merchantId" | "name" | "currency" | "description" {
  return path.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as ReturnType<typeof optionOf>;
}

function readRequest(options: Registering, fields: readonly Field[]): RegistrationRequest {
  const value = (path: string): string | number => {
    const field = fields.find((each) => each.path === path)!;
    const read = readField(field, options[optionOf(field)]!);
    if ("error" in read) throw usage`--${path.replaceAll("_", "-")}: ${whole(read.error)}`;
    return read.value;
  };
  const description = options.description;
  return {
    merchant_id: value("merchant_id") as string,
    name: value("name") as string,
    ...(description === undefined ? {} : { description: value("description") as string }),
    currency: value("currency") as number,
    risk_level: options.riskLevel,
  };
}
