// The first row, in slots that never change their order: product, environment, profile, project, what is unusual, screens.

import { Box } from "ink";
import { memo, type ReactNode } from "react";
import type { Role } from "#src/display/style.ts";
import { fitTail, widthOf, spansWidth } from "./fit.ts";
import { Line, type Span } from "./line.tsx";
import { useMouse } from "./mouse.ts";
import { fitRow } from "./rows.ts";
import { useTheme, type Theme } from "./theme.ts";

export interface HeaderProps {
  readonly environment: { readonly word: string; readonly role: Role };
  /** Safe; null where it equals the environment. */
  readonly profile: string | null;
  /** Safe; null while there is none, empty while it is looked for. */
  readonly project: string | null;
  /** Unusual conditions in a word or two: `CLOCK +1 d`. Always shown. */
  readonly marks?: readonly string[];
  readonly tabs: readonly { readonly key: string; readonly label: string; readonly current: boolean }[];
  readonly width: number;
  /** The row is the upper edge of the frame of a live service. */
  readonly edge?: boolean;
  /** A tab was clicked. @param label of it */
  readonly onTab?: (label: string) => void;
}

export const Header = memo(function Header(props: HeaderProps): ReactNode {
  const spans = headerSpans(props, useTheme());
  const ref = useMouse({ rows: [spans], ...(props.onTab === undefined ? {} : { focus: props.onTab }) });
  return (
    <Box ref={ref} flexShrink={0}>
      <Line spans={spans} />
    </Box>
  );
});

/** The name of the product, the words of all screens, and the word of the open one stand from these widths on. */
const WITH_NAME = 140;
const WITH_WORDS = 120;
const WITH_OPEN_WORD = 70;
/** Fewest columns of a profile that was cut, and of a project beside it. */
const LEAST_PROFILE = 4;
const LEAST_PROJECT = 12;

/** The spans of the header, `width` columns. An edge is one ground, or lies between two blocks where there is no colour. */
export function headerSpans({ edge = false, ...props }: HeaderProps, theme: Theme): Span[] {
  // A screen reader hears the open screen alone.
  if (theme.ascii === "words")
    return slotSpans({ ...props, tabs: props.tabs.filter(({ current }) => current) }, false, theme);
  if (!edge) return slotSpans(props, !theme.color, theme);
  const slots = slotSpans({ ...props, width: props.width - 2 }, true, theme);
  const block = { text: theme.sign("barFull"), role: "live" as const };
  return theme.color
    ? [{ text: ` ${slots.map(({ text }) => text).join("")} `, role: "live" }]
    : [block, ...slots, block];
}

/** @param bracketed marks what is special by brackets and by no colour. Names of product and screens give way before a letter of the project is lost. */
function slotSpans(props: HeaderProps, bracketed: boolean, theme: Theme): Span[] {
  const { environment, profile, project, marks = [], width } = props;
  // A plate reaches one column to the left, so that all words of the slot begin in the same column.
  const hasPlate = theme.color && environment.word !== "SANDBOX";
  const word = hasPlate ? ` ${environment.word} ` : theme.bracketed(environment.word);
  const badge: Span[] = [
    { text: hasPlate || !theme.color ? " " : "  " },
    { text: word, role: environment.role },
  ];
  const markSpans = marks.flatMap((mark): Span[] => [
    { text: "  " },
    { text: bracketed ? `[${mark}]` : mark, role: "warning" },
  ]);
  const name: Span[] = width >= WITH_NAME ? [{ text: "  verdict  ", role: "quiet" }] : [];
  const digits = tabSpans(props, "none", bracketed);
  const openWord = tabSpans(props, "open", bracketed);
  const tight = tabSpans(props, "tight", bracketed);
  const words = tabSpans(props, "all", bracketed);
  const shrinking: (readonly [readonly Span[], readonly Span[]])[] = [
    ...(width >= WITH_WORDS ? [[name, words] as const, [[], words] as const, [[], tight] as const] : []),
    ...(width >= WITH_OPEN_WORD ? [[[], openWord] as const] : []),
    [[], digits],
  ];
  const told = [profile, project ?? "no project"].filter(
    (part): part is string => part !== null && part !== "",
  );
  const fixed = spansWidth([...badge, ...markSpans]) + 2;
  // A word in front of the names of screens would be read as one of them.
  const apart = marks.length > 0 ? 2 : 1;
  const whole = fixed + widthOf(told.join(` ${theme.sign("separator")} `)) + apart;
  const [title, shown] =
    shrinking.find((slots) => whole + spansWidth(slots.flat()) <= width) ?? shrinking.at(-1)!;
  const room = width - fixed - spansWidth([...title, ...shown]) - 1;
  const place = placeText(told, room, theme);
  const spans: Span[] = [
    ...title,
    ...badge,
    { text: `  ${place}`, role: "heading" },
    ...markSpans,
    { text: " ".repeat(Math.max(0, room - widthOf(place))) },
    ...shown,
  ];
  // The last column stays blank.
  return [...fitRow(spans, width, theme)];
}

/** Profile and project in at most `room` columns: first the profile loses its beginning, then the project. */
function placeText(told: readonly string[], room: number, theme: Theme): string {
  const between = ` ${theme.sign("separator")} `;
  const project = told.at(-1) ?? "";
  const [profile] = told.length > 1 ? told : [];
  const tail = (text: string, width: number): string => fitTail(text, width, theme.sign("ellipsis"));
  const cut = (text: string, width: number): string => (widthOf(text) <= width ? text : tail(text, width));
  if (profile === undefined) return cut(project, room);
  const beside = Math.max(Math.min(LEAST_PROFILE, widthOf(profile)), room - widthOf(project + between));
  const left = room - beside - widthOf(between);
  // Of two stubs neither can be told: the project alone says more.
  if (left < Math.min(LEAST_PROJECT, widthOf(project))) return cut(project, room);
  return `${cut(profile, beside)}${between}${cut(project, left)}`;
}

/** The screens with the words of all of them, also closer together, of the open one, or of none. */
function tabSpans(
  { tabs }: HeaderProps,
  words: "all" | "tight" | "open" | "none",
  bracketed: boolean,
): Span[] {
  const withWords = words === "all" || words === "tight";
  return tabs.flatMap(({ key, label, current }): Span[] => {
    const text = withWords || (words === "open" && current) ? `${key} ${label}` : key;
    return [
      { text: words === "all" ? "  " : " " },
      current
        ? { text: bracketed ? `[${text}]` : text, role: "heading" }
        : { text, role: "quiet", hit: label },
    ];
  });
}
