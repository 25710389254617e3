// The key table of the console: the keys of the shell, of every screen and of every widget.

import * as check from "#screens/check/keys.ts";
import * as demo from "#screens/demo/keys.ts";
import * as history from "#screens/history/keys.ts";
import * as labels from "#screens/labels/keys.ts";
import * as profiles from "#screens/profiles/keys.ts";
import * as register from "#screens/register/keys.ts";
import * as replay from "#screens/replay/keys.ts";
import * as rescue from "#screens/unsaved-credential/keys.ts";
import * as rules from "#screens/rules/keys.ts";
import * as vault from "#screens/vault/keys.ts";
import type { Binding } from "#src/keys/binding.ts";
import { JUMPS } from "#src/keys/form-commands.ts";
import * as dialogs from "#src/ui/dialog-keys.ts";
import { COPY } from "./copy-keys.ts";
import * as shell from "./keys.ts";

/** In the order of the documented table. */
export const BINDINGS: readonly Binding[] = [
  check.CHECK,
  check.LIBRARY,
  check.CHECK_FIELD,
  check.CHECK_HISTORY,
  check.CHECK_QUESTION,
  register.REGISTER,
  register.REGISTER_ROW,
  register.REGISTER_BY_HAND,
  register.REGISTER_FIELDS,
  vault.VAULT,
  vault.VAULT_FORM,
  vault.VAULT_FIELDS,
  rescue.RESCUE,
  history.HISTORY,
  history.HISTORY_RANGE,
  COPY,
  replay.REPLAY,
  replay.REPLAY_FINDING,
  replay.REPLAY_LIVE,
  replay.REPLAY_SETUP,
  replay.REPLAY_FIELDS,
  rules.RULES_DRAFT,
  rules.RULES,
  profiles.PROFILES,
  profiles.PROFILES_FORM,
  profiles.PROFILES_FIELDS,
  labels.LABELS_SCREEN,
  demo.DEMO_AUTO,
  demo.DEMO_PAUSED,
  demo.DEMO,
  demo.DEMO_ASKED,
  demo.DEMO_RUNNING,
  demo.DEMO_STOPPED,
  demo.DEMO_DAY,
  demo.DEMO_CHOICE,
  dialogs.CONFIRM,
  dialogs.PROMPT,
  JUMPS,
  shell.PALETTE,
  shell.PROJECTS,
  shell.PAGE,
  shell.HELP,
  shell.HELP_FIND,
  shell.MESSAGES,
  shell.MESSAGES_FIND,
  shell.LOCK,
  shell.SHELL,
].flatMap(({ bindings }) => bindings);
