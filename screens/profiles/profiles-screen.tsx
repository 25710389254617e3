// The Profiles screen: the list of profiles, the one in use, and the form of one.

import { Box } from "ink";
import { useEffect, type ReactNode } from "react";
import { moveHandlers } from "#src/keys/move-bindings.ts";
import { reasons, useLayer } from "#src/keys/use-layer.ts";
import { type ProfilesState, selectedProfile, whyNotChange } from "#src/state/profiles/profiles-state.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { buttonLayer, formLayer } from "#src/ui/form-layer.ts";
import { fuzzyMatch } from "#src/ui/fuzzy.ts";
import { mouseOn } from "#src/ui/mouse.ts";
import { Bands } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import type { ProfileBook } from "#src/state/profiles/profiles.ts";
import { profilesView } from "./view-model.ts";

const PAGE = 5;

/** Draws exactly `columns` x `rows`. */
export function ProfilesScreen({ columns, rows, zoom }: Size): ReactNode {
  const { profiles, context, session } = useConsole();
  const theme = useTheme();
  const state = useStore(profiles.store, (whole) => whole);
  const view = profilesView(
    usePresented(state),
    { columns, rows, zoom },
    { theme, here: context.profile.name },
  );
  const draft = state.editing === null ? undefined : state.drafts[state.editing];

  const mouse = { go: profiles.select, focus: profiles.focus };

  /** Selects what is closest to the letters while they are typed. */
  const find = (): void => {
    const before = state.selected;
    session.ask({
      label: "Find",
      placeholder: "letters of a name",
      onChange: (text) => profiles.mark(closest(state.profiles, text) ?? before),
      onSubmit: () => undefined,
      onCancel: () => profiles.mark(before),
    });
  };
  useEffect(() => profiles.watch(), [profiles]);
  useLayer(
    draft === undefined ? listLayer(profiles, state, context.profile.name, theme, find) : openLayer(profiles),
  );
  useLayer(formLayer("profiles", draft?.form ?? null, profiles));

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Bands bands={view.map((band) => ({ ...band, panes: mouseOn(band.panes, mouse) }))} />
    </Box>
  );
}

/** The name of the profile that has the letters closest to its beginning; null where none has them. */
function closest(profiles: ProfilesState["profiles"], typed: string): string | null {
  const found = profiles.flatMap(({ name }) => {
    const match = typed.trim() === "" ? null : fuzzyMatch(name, typed);
    return match === null ? [] : [{ name, far: match.distance }];
  });
  return found.toSorted((one, other) => one.far - other.far)[0]?.name ?? null;
}

type Layer = Parameters<typeof useLayer>[0];

function openLayer(profiles: ProfileBook): Layer {
  const layer = buttonLayer("profiles.form", profiles);
  return { ...layer, handlers: { ...layer.handlers, "profiles.discard": () => profiles.discard() } };
}

function listLayer(
  profiles: ProfileBook,
  state: ProfilesState,
  here: string,
  { keyName }: Theme,
  find: () => void,
): Layer {
  const fixed = whyNotChange(state, keyName);
  const profile = selectedProfile(state);
  const isHere = profile?.name === here;
  return {
    scope: "profiles",
    level: 1,
    handlers: {
      "profiles.use": () => void profiles.use(),
      "profiles.add": () => profiles.add(),
      "profiles.edit": () => profiles.edit(),
      "profiles.confirm": () => void profiles.toggleRecipe(),
      "profiles.readOnly": () => void profiles.toggleReadOnly(),
      "profiles.remove": () => profiles.remove(),
      "profiles.find": find,
      ...moveHandlers("profiles", (to) => profiles.select(to), PAGE),
    },
    disabled: reasons({
      "profiles.edit": fixed,
      "profiles.confirm": fixed,
      "profiles.readOnly": fixed,
      "profiles.remove":
        fixed ?? (isHere ? `The console is on the profile ${here}; use another one first.` : null),
    }),
  };
}
