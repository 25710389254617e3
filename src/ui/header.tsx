// The first row: product, environment, project, and the screens.

import { memo, type ReactNode } from "react";
import type { Role } from "#src/display/style.ts";
import { clip, widthOf } from "./fit.ts";
import { Line, type Span } from "./line.tsx";
import { useTheme, type Theme } from "./theme.ts";

export interface HeaderProps {
  readonly environment: { readonly word: string; readonly role: Role };
  /** Safe; null where it equals the environment. */
  readonly profile: string | null;
  /** Safe; null while there is none. */
  readonly project: string | null;
  /** Unusual conditions in a word or two: `CLOCK +1 d`. Always shown. */
  readonly marks?: readonly string[];
  readonly tabs: readonly { readonly key: string; readonly label: string; readonly current: boolean }[];
  readonly width: number;
}

export const Header = memo(function Header(props: HeaderProps): ReactNode {
  return <Line spans={headerSpans(props, useTheme())} />;
});

/** Fewest columns of profile and project. */
const LEAST_PLACE = 14;

/** Profile and project are left out below this width. */
const SHORTEST_PLACE = 5;

/** Fewest columns of a profile and project that had to be cut. */
const PLACE_WANTED = 24;

/** The spans of the header, `width` columns; on a narrow screen the project is cut before the tabs. */
export function headerSpans(props: HeaderProps, theme: Theme): Span[] {
  const { environment, profile, project, tabs, marks = [], width } = props;
  const badge = theme.color ? ` ${environment.word} ` : `[${environment.word}]`;
  const between = ` ${theme.sign("separator")} `;
  const place = [profile, project ?? "no project"].filter((part) => part !== null);
  const markSpans = marks.flatMap((mark, index): Span[] => [
    { text: theme.color && index > 0 ? between : " " },
    { text: theme.color ? mark : `[${mark}]`, role: "warning" },
  ]);
  const least = markSpans.length === 0 ? 0 : Math.min(LEAST_PLACE, widthOf(place.join(between)) + 2);
  const whole = tabs.flatMap((tab) => tabSpan(tab, `${tab.key} ${tab.label}`, theme));
  // Unusual conditions take precedence over the names of other screens.
  const isTight = textWidth([{ text: badge }, ...markSpans, ...whole]) + least + 1 > width;
  const tabSpans = isTight
    ? tabs.flatMap((tab) => tabSpan(tab, tab.current ? `${tab.key} ${tab.label}` : tab.key, theme))
    : whole;
  const widthWith = (name: string): number =>
    textWidth([{ text: name }, { text: badge }, ...markSpans, ...tabSpans]) + 1;
  // On a narrow screen the project matters more than the name of the product.
  const wanted = Math.min(PLACE_WANTED, widthOf(place.join(between)) + 2);
  const title = width - widthWith(" verdict ") < wanted ? "" : " verdict ";
  const room = width - widthWith(title);
  const told = place.join(between);
  // One or two letters of a name are useless.
  const isStub = room - 2 < Math.min(SHORTEST_PLACE, widthOf(told));
  const shown = isStub ? "" : clip(told, room - 2, theme.sign("ellipsis"));
  const middle = shown === "" ? "" : `  ${shown}`;
  return [
    ...(title === "" ? [] : [{ text: title, role: "heading" as const }]),
    { text: badge, role: environment.role },
    ...markSpans,
    { text: middle + " ".repeat(Math.max(0, room - widthOf(middle))) },
    ...tabSpans,
    { text: " " },
  ];
}

function tabSpan({ current }: { readonly current: boolean }, text: string, theme: Theme): Span[] {
  return [{ text: " " }, current ? { text: theme.color ? text : `[${text}]`, role: "accent" } : { text }];
}

function textWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}
