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
  /** What is unusual now, in a word or two each: `CLOCK +1 d`. It never goes. */
  readonly marks?: readonly string[];
  readonly tabs: readonly { readonly key: string; readonly label: string; readonly current: boolean }[];
  readonly width: number;
}

export const Header = memo(function Header(props: HeaderProps): ReactNode {
  return <Line spans={headerSpans(props, useTheme())} />;
});

/** At a pinch so many columns of profile and project do. */
const LEAST_PLACE = 14;

/** Profile and project are left out where they were cut to fewer columns. */
const SHORTEST_PLACE = 5;

/** Fewer columns of profile and project say too little, where they have more to say. */
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
  // What is unusual comes before the names of screens that nobody is on.
  const isTight = textWidth([{ text: badge }, ...markSpans, ...whole]) + least + 1 > width;
  const tabSpans = isTight
    ? tabs.flatMap((tab) => tabSpan(tab, tab.current ? `${tab.key} ${tab.label}` : tab.key, theme))
    : whole;
  const widthWith = (name: string): number =>
    textWidth([{ text: name }, { text: badge }, ...markSpans, ...tabSpans]) + 1;
  // Where it is narrow the project is worth more than the name of the product.
  const wanted = Math.min(PLACE_WANTED, widthOf(place.join(between)) + 2);
  const title = width - widthWith(" verdict ") < wanted ? "" : " verdict ";
  const room = width - widthWith(title);
  const told = place.join(between);
  // A letter or two of a name tell nothing.
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
