// Shows how the composed payment would be signed, and copies the request as a curl command.

import { join } from "node:path";
import { createStore } from "zustand/vanilla";
import type { ExplainedSigning } from "#src/actions/check/explain-signing.ts";
import type { Context } from "#src/app/context.ts";
import { recipeStatus } from "#src/contract/records/profile.ts";
import { safe } from "#src/display/safe.ts";
import { signingLines, validitySentence, type SigningLine } from "#src/display/signing-lines.ts";
import type { Page } from "#src/state/page.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { SecretCopy } from "#src/state/vault/secret-copy.ts";
import type { Checks } from "./checks.ts";
import type { Composer } from "./composer.ts";

export interface SigningState {
  /** What was signed last. */
  readonly lines: readonly SigningLine[];
  /** `kong, assumed`, or the recipe alone on the sandbox. */
  readonly recipe: string;
  /** Whether the recipe is known to be the service's; null on the sandbox. */
  readonly status: ReturnType<typeof recipeStatus>;
}

const FILE = "signed-request.sh";

/** @param copies.copy puts a text into the clipboard of the terminal; false where that cannot take it */
export function createSigningView(
  context: Context,
  session: Session,
  { composer, checks }: { readonly composer: Composer; readonly checks: Checks },
  copies: Pick<SecretCopy, "copy">,
) {
  const { profile } = context;
  const look = (status: SigningState["status"]): Pick<SigningState, "recipe" | "status"> => ({
    status,
    recipe: status === null ? profile.recipe : `${profile.recipe}, ${status}`,
  });
  const store = createStore<SigningState>(() => ({ lines: [], ...look(recipeStatus(profile)) }));
  let suggested = false;
  const stop = checks.store.subscribe(({ latest }) => {
    if (suggested || store.getState().status !== "assumed" || latest?.result?.outcome !== "answered") return;
    suggested = true;
    session.say(
      `The service answered a request signed with ${profile.recipe}: on Profiles (${session.keyName("shell.profiles")}), ${session.keyName("profiles.confirm")} records that this recipe is right.`,
      "note",
    );
  });

  const signed = async (): Promise<ExplainedSigning | null> => {
    const { request, blocked } = composer.draft();
    if (blocked !== null) {
      session.say(`${blocked.message} Correct this before you sign the payment.`, "error");
      return null;
    }
    return reportFaults(session, async () => {
      const [{ explainSigning }, { callAddresses }] = await Promise.all([
        import("#src/actions/check/explain-signing.ts"),
        import("#src/app/call-addresses.ts"),
      ]);
      return explainSigning(context, {
        call: "check",
        body: request,
        recipe: (await context.recipes()).byId(profile.recipe),
        addresses: await callAddresses(context),
        project: session.store.getState().project ?? undefined,
      });
    });
  };

  const page: Page<SigningState> = {
    screen: "check",
    store,
    exposes: true,
    view: ({ lines }) => ({
      title: "What is signed",
      lines,
      keys: { again: () => void signing.show(), copy: () => void signing.copy() },
    }),
  };

  const signing = {
    store,
    /** Reads what the recipe says of itself. Never rejects. */
    async load() {
      if (profile.environment === "SANDBOX") return;
      await reportFaults(session, async () => {
        const own = (await context.recipes()).byId(profile.recipe).status;
        store.setState(look(recipeStatus(profile, own)));
      });
    },
    /** Signs what is composed with the time of now and shows how. Never rejects. */
    async show() {
      const explained = await signed();
      if (explained === null) return;
      store.setState({ lines: signingLines(explained, store.getState().status) });
      session.show(page);
    },
    /** Signs again and copies a curl command, or writes it into a file where no clipboard takes it. Never rejects. */
    async copy() {
      const explained = await signed();
      if (explained === null) return;
      const { command, recipe } = explained;
      if (command === null) {
        session.say(`The recipe ${recipe} sends the secret itself, so no command is made.`, "error");
        return;
      }
      const holds = validitySentence(explained);
      if (copies.copy(command)) {
        session.say(`Copied as a curl command, without the secret. ${holds}`, "note");
        return;
      }
      await reportFaults(session, async () => {
        const path = join(context.home.state, FILE);
        const { writePrivateText } = await import("#src/actions/write-private-text.ts");
        await writePrivateText(path, `${command}\n`);
        session.say(
          `No clipboard is available: the curl command is in ${safe(path)}, without the secret. ${holds}`,
          "note",
        );
      });
    },
    /** Stops listening. */
    end: stop,
  };
  return signing;
}

export type SigningView = ReturnType<typeof createSigningView>;
