// verdict project register: registers a project, and with --wait fetches its credential as well.

import { register as registerProject } from "#src/actions/register/register.ts";
import type { CommandRun, Options } from "#src/cli/command.ts";
import { EXIT, exitOfCall } from "#src/cli/exit-code.ts";
import { registrationJson } from "#src/cli/json-shapes.ts";
import { Fault } from "#src/contract/fault.ts";
import { registrationFields } from "#src/contract/fields/registration-fields.ts";
import { readField } from "#src/contract/fields/validate.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import { RISK_LEVELS, type RegistrationRequest } from "#src/contract/wire/wire.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { fetchAndReport } from "./credential.ts";
import { prepareRescue } from "./rescue-credential.ts";

export const register: CommandRun = async (invocation) => {
  const { options, output, signal } = invocation;
  const context = await invocation.context();
  const request = readRequest(options, context.profile.currencyNumbering);
  // Fails before anything is sent when --rescue could not work.
  await prepareRescue(invocation);
  const key = `${request.merchant_id}/${request.risk_level}`;

  const done = await registerProject(
    context,
    { request, again: options.flag("again") },
    signal,
    () => undefined,
  );
  const { result } = done;
  if (options.flag("json")) output.json(registrationJson(context.profile.name, key, result));
  else if (result.registered) {
    output.line(`Registered ${safe(key)}${result.message === null ? "" : `: ${safe(result.message)}`}`);
  }
  if (!result.registered) output.complain(result.explanation);
  if (options.flag("wait") && done.goOn) {
    return fetchAndReport(
      invocation,
      context,
      { merchant_id: request.merchant_id, risk_level: request.risk_level },
      true,
    );
  }
  if (!options.flag("json") && done.project?.state === "ready") {
    output.line(`The credential of ${safe(key)} is in the vault already.`);
  } else if (!options.flag("json") && done.goOn) {
    output.advise(
      `Next, in ${context.profile.credentialWaitS} s or later but within 24 hours: verdict project credential --merchant-id ${shellWord(request.merchant_id)} --risk-level ${request.risk_level} --wait`,
    );
  }
  return signal.aborted ? EXIT.interrupted : exitOfCall(result, result.registered);
};

function readRequest(options: Options, numbering: CurrencyNumbering | undefined): RegistrationRequest {
  const value = (path: string, option: string): string | number => {
    const field = registrationFields(numbering).find((each) => each.path === path)!;
    const read = readField(field, options.text(option)!);
    if ("error" in read) throw new Fault("usage", `--${path.replaceAll("_", "-")}: ${read.error}`);
    return read.value;
  };
  const description = options.text("description");
  return {
    merchant_id: value("merchant_id", "merchantId") as string,
    name: value("name", "name") as string,
    ...(description === undefined ? {} : { description: value("description", "description") as string }),
    currency: value("currency", "currency") as number,
    risk_level: RISK_LEVELS.find((level) => level === options.text("riskLevel"))!,
  };
}
