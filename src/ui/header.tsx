// The first row: product, environment, project, and the screens.

import { memo, type ReactNode } from "react";
import type { Role } from "#src/display/style.ts";
import { clip, widthOf } from "./fit.ts";
import { Line, type Span } from "./line.tsx";
import { useTheme, type Theme } from "./theme.ts";

export interface HeaderProps {
  readonly environment: { readonly word: string; readonly role: Role };
  /** Safe; null where the environment says it already. */
  readonly profile: string | null;
  /** Safe; null while there is none. */
  readonly project: string | null;
  readonly tabs: readonly { readonly key: string; readonly label: string; readonly current: boolean }[];
  readonly width: number;
}

export const Header = memo(function Header(props: HeaderProps): ReactNode {
  return <Line spans={headerSpans(props, useTheme())} />;
});

/** Fewer columns of environment and project say too little. */
const PLACE_LEAST = 12;

/** The spans of the header, `width` columns; on a narrow screen the project is cut before the tabs. */
export function headerSpans(props: HeaderProps, theme: Theme): Span[] {
  const { environment, profile, project, tabs, width } = props;
  const badge = theme.color ? ` ${environment.word} ` : `[${environment.word}]`;
  const place = [profile, project ?? "no project"].filter((part) => part !== null);
  const tabSpans = tabs.flatMap((tab): Span[] => [
    { text: " " },
    tab.current
      ? { text: theme.color ? `${tab.key} ${tab.label}` : `[${tab.key} ${tab.label}]`, role: "accent" }
      : { text: `${tab.key} ${tab.label}` },
  ]);
  const widthWith = (name: string): number =>
    [name, badge, ...tabSpans.map(({ text }) => text)].reduce((sum, text) => sum + widthOf(text), 1);
  // Where it is narrow the project is worth more than the name of the product.
  const title = width - widthWith(" verdict ") < PLACE_LEAST ? "" : " verdict ";
  const room = width - widthWith(title);
  const shown = clip(
    place.join(` ${theme.sign("separator")} `),
    Math.max(0, room - 2),
    theme.sign("ellipsis"),
  );
  const middle = shown === "" ? "" : `  ${shown}`;
  return [
    ...(title === "" ? [] : [{ text: title, role: "heading" as const }]),
    { text: badge, role: environment.role },
    { text: middle + " ".repeat(Math.max(0, room - widthOf(middle))) },
    ...tabSpans,
    { text: " " },
  ];
}
