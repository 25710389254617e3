// The Profiles screen: the list of profiles, the one in use, and the form of one.

import { useEffect, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import type { ProfilesState } from "#src/state/profiles/profiles-state.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { fuzzyMatch } from "#src/ui/fuzzy.ts";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { PROFILES, PROFILES_FIELDS, PROFILES_FORM } from "./keys.ts";
import { profilesView } from "./view-model.ts";

const PAGE = 5;

/** Draws exactly `columns` x `rows`. */
export function ProfilesScreen(size: Size): ReactNode {
  const { profiles, context, session } = useConsole();
  const theme = useTheme();
  const state = useStore(profiles.store, (whole) => whole);
  const view = profilesView(useShown(state), size, { theme, here: context.profile.name });
  const draft = state.editing === null ? undefined : state.drafts[state.editing];

  const mouse = { go: profiles.select, focus: profiles.focus };

  /** Selects what is closest to the letters while they are typed. */
  const find = async (): Promise<void> => {
    const before = state.selected;
    const found = await session.askUntil({
      label: "Find",
      placeholder: "letters of a name",
      onChange: (text) => profiles.mark(closest(state.profiles, text) ?? before),
    });
    if (found === null) profiles.mark(before);
  };
  useEffect(() => profiles.watch(), [profiles]);
  useLayer(
    draft === undefined
      ? PROFILES.layer({
          profiles,
          state,
          here: context.profile.name,
          keyName: theme.keyName,
          find,
          go: profiles.select,
          page: PAGE,
        })
      : PROFILES_FORM.layer(profiles),
  );
  useLayer(PROFILES_FIELDS.layer(draft?.form ?? null, profiles));

  return <PaneScreen {...size} bands={view} mouse={mouse} />;
}

/** The name of the profile that has the letters closest to its beginning; null where none has them. */
function closest(profiles: ProfilesState["profiles"], typed: string): string | null {
  const found = profiles.flatMap(({ name }) => {
    const match = typed.trim() === "" ? null : fuzzyMatch(name, typed);
    return match === null ? [] : [{ name, far: match.distance }];
  });
  return found.toSorted((one, other) => one.far - other.far)[0]?.name ?? null;
}
