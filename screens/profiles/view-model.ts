// The Profiles screen as rows: the list, the details of one profile, or its form. Pure.

import { placeText } from "#src/display/count.ts";
import { DEFAULT_DEADLINE_S, PROFILE_FIELDS } from "#src/contract/records/profile-fields.ts";
import {
  acceptedForms,
  addressWarning,
  type Profile,
  registrationNumbering,
} from "#src/contract/records/profile.ts";
import { shownAddress } from "#src/display/address.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { ENVIRONMENT_ROLE } from "#src/display/verdict.ts";
import { shownForm } from "#src/state/entry-form.ts";
import {
  isChanged,
  NEW,
  selectedProfile,
  type ProfileDraft,
  type ProfilesState,
} from "#src/state/profiles/profiles-state.ts";
import { arranged, filledBand } from "#src/ui/arranged.ts";
import { fit, widthOf, wrap } from "#src/ui/fit.ts";
import { formRows } from "#src/ui/form-view.ts";
import { listRows, type ListColumn } from "#src/ui/list.ts";
import type { Band, PaneView } from "#src/ui/pane.tsx";
import { AXIS, fillRows, fitRow, hiddenNote, textRows, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface ProfilesRenderOptions {
  readonly theme: Theme;
  /** Name of the profile in use. */
  readonly here: string;
}

/** Columns of the labels of the details. */
const LABEL = Math.max(...PROFILE_FIELDS.map(({ label }) => widthOf(label))) + 2;

/** The list and the details of one profile: side by side on a wide screen, else stacked. */
export function profilesView(state: ProfilesState, size: Size, options: ProfilesRenderOptions): Band[] {
  const { columns, rows } = size;
  const { editing, drafts } = state;
  const draft = editing === null ? undefined : drafts[editing];
  if (draft !== undefined) {
    return [formBand(draft, state.working, size, options)];
  }
  const profile = selectedProfile(state);
  if (profile === null) {
    const said = state.fault ?? "Reading the profiles.";
    const drawn = textRows(safe(said, { max: 600 }), columns, options.theme, {
      role: state.fault === null ? null : "error",
    });
    return [filledBand({ title: "Profiles", width: columns }, drawn, Math.max(0, rows - 1))];
  }
  const list = (width: number, height: number): PaneView =>
    listPane(state, profile, { columns: width, rows: height }, options);
  const detail = (width: number, height: number): PaneView =>
    detailPane(state, profile, { columns: width, rows: height }, options);
  // The list keeps at least a third of the screen; the details are ordered by importance.
  const upper = (bodies: number): number => {
    const free = bodies - detailRows(state, profile, columns, options).length;
    return Math.max(1, Math.min(Math.max(2, state.profiles.length), Math.max(Math.floor(rows / 3), free)));
  };
  return arranged(size, { least: 50, share: 0.45, most: 90, upper }, [list, detail]);
}

function formBand(
  draft: ProfileDraft,
  working: boolean,
  { columns, rows }: Size,
  options: ProfilesRenderOptions,
): Band {
  const { theme } = options;
  const { form, before, stale } = draft;
  const warning = stale
    ? textRows(
        "Another session changed this profile. Your changes are still here; verdict asks before it saves them.",
        columns,
        theme,
        { role: "warning", limit: 2 },
      )
    : [];
  const height = Math.max(1, rows - 1 - warning.length);
  const action = working ? "Saving" : before === null ? "Save the new profile" : "Save";
  const head = {
    title: before === null ? "New profile" : `Profile ${safe(before.name, { max: 64 })}`,
    note: isChanged(draft) ? "not saved" : undefined,
    width: columns,
  };
  const drawn = [...warning, ...formRows(shownForm(form), { action, width: columns, height, theme })];
  return filledBand(head, drawn, drawn.length);
}

function listPane(
  state: ProfilesState,
  chosen: Profile,
  { columns, rows }: Size,
  options: ProfilesRenderOptions,
): PaneView {
  const { profiles, drafts } = state;
  const at = profiles.indexOf(chosen);
  const unsaved = drafts[NEW] === undefined ? "" : "a new one is not saved ";
  const list = { items: profiles, selected: at, columns: profileColumns(state, options) };
  return {
    title: "Profiles",
    note: `${unsaved}${placeText(at + 1, profiles.length)}`,
    width: columns,
    focused: true,
    rows: fillRows(listRows(list, { columns, rows }, options.theme).rows, columns, rows),
  };
}

/** Name, environment and address say themselves what they are. */
function profileColumns(
  { profiles, inUse, drafts }: ProfilesState,
  { theme, here }: ProfilesRenderOptions,
): ListColumn<Profile>[] {
  return [
    {
      title: "",
      share: 0.8,
      least: 18,
      most: Math.max(18, ...profiles.map(({ name }) => widthOf(safe(name)))),
      cell: ({ name }) => safe(name, { max: 64 }),
    },
    {
      title: "",
      width: 9,
      cell({ environment }, width) {
        const badge = theme.color ? ` ${environment} ` : theme.bracketed(environment);
        const rest = " ".repeat(Math.max(0, width - widthOf(badge)));
        return [{ text: badge, role: ENVIRONMENT_ROLE[environment] }, { text: rest }];
      },
    },
    {
      title: "",
      share: 1,
      cell({ name, readOnly, baseUrl }) {
        const facts = [
          name === here ? "here" : null,
          name === inUse && name !== here ? "in use" : null,
          readOnly === true ? "read-only" : null,
          drafts[name] === undefined ? null : "not saved",
          baseUrl === "" ? "embedded" : shownAddress(baseUrl),
        ];
        return facts.filter((fact) => fact !== null).join(` ${theme.sign("separator")} `);
      },
    },
  ];
}

function detailPane(
  state: ProfilesState,
  profile: Profile,
  { columns, rows }: Size,
  options: ProfilesRenderOptions,
): PaneView {
  const drawn = detailRows(state, profile, columns, options);
  const more = hiddenNote(0, Math.max(0, drawn.length - rows), options.theme);
  return {
    title: safe(profile.name, { max: 64 }),
    note: state.drafts[profile.name] === undefined ? more : "typed and not saved",
    width: columns,
    focused: false,
    rows: fillRows(drawn, columns, rows),
  };
}

/** The details of a profile, most important first, because a low screen cuts them. */
function detailRows(
  state: ProfilesState,
  profile: Profile,
  width: number,
  { theme }: ProfilesRenderOptions,
): Row[] {
  const embedded = "the embedded sandbox of this home";
  const status = state.recipes[profile.name] ?? null;
  const address = (url: string): readonly [text: string, role?: Role] => {
    if (url === "") return [embedded];
    const isPlain = addressWarning({ ...profile, baseUrl: url, projectsUrl: url }) !== null;
    return isPlain
      ? [`${shownAddress(url)}, this machine without encryption`, "warning"]
      : [shownAddress(url)];
  };
  const values: Readonly<Record<string, readonly [text: string, role?: Role]>> = {
    environment: [
      profile.environment === "LIVE" ? "LIVE: checks are real payments" : profile.environment,
      ENVIRONMENT_TEXT[profile.environment],
    ],
    read_only: profile.readOnly === true ? ["yes: nothing is sent", "warning"] : ["no"],
    base_url: address(profile.baseUrl),
    projects_url: address(profile.projectsUrl),
    company_id: [profile.companyId ?? "the company of the newest key"],
    recipe: status === "assumed" ? [`${profile.recipe} (assumed)`, "warning"] : [recipeText(profile, status)],
    amount_unit: [profile.amountUnit],
    currency_numbering: [profile.currencyNumbering ?? "iso-4217"],
    registration_currency_numbering: [registrationNumbering(profile)],
    answers:
      acceptedForms(profile).length === 0
        ? ["JSON"]
        : [`JSON, ${acceptedForms(profile).join(", ")}`, "warning"],
    credential_wait_s: [`${profile.credentialWaitS} s`],
    deadline_s: [`${profile.deadlineS ?? DEFAULT_DEADLINE_S} s`],
    ca: [profile.ca ?? "system certificates"],
    proxy: [profile.proxy ?? "from the environment variables"],
  };
  return PROFILE_FIELDS.flatMap(({ path, label }): Row[] => {
    const [text, role] = values[path] ?? [];
    if (text === undefined) return [];
    return wrap(safe(text, { max: 1_000 }), Math.max(1, width - AXIS - LABEL - 1)).map((line, index) => {
      const name = fit("", AXIS) + fit(index === 0 ? label : "", LABEL);
      return fitRow(
        [
          { text: name, role: "quiet" },
          { text: line, role: role ?? null },
        ],
        width,
        theme,
      );
    });
  });
}

const ENVIRONMENT_TEXT: Readonly<Record<Profile["environment"], Role>> = {
  SANDBOX: "note",
  TEST: "warning",
  LIVE: "error",
};

function recipeText({ recipe }: Profile, status: "confirmed" | null): string {
  return status === null ? recipe : `${recipe} (${status})`;
}
