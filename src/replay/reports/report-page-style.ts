// The style of every page for screen, phone and paper, with its colours, light and dark.

import { PAGE_DARK, PAGE_LIGHT, type PageColors } from "#src/replay/reports/page-color.ts";
import sheet from "./page/all.css";

export function pageStyle(): string {
  return [
    `:root{${variables(PAGE_LIGHT)}color-scheme:light}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${variables(PAGE_DARK)}color-scheme:dark}}`,
    `@media screen{:root[data-theme=dark]{${variables(PAGE_DARK)}color-scheme:dark}}`,
    ...Object.keys(PAGE_LIGHT.roles).map(
      (role) =>
        `.verdict.${role},.tile.${role} .figure,.note.${role}{color:var(--${role})}rect.${role}{fill:var(--${role})}td.flip.${role}{background:var(--${role}-tint);color:var(--${role})}`,
    ),
    sheet,
  ].join("\n");
}

function variables({ roles, tints, ...grounds }: PageColors): string {
  return [
    ...Object.entries(grounds),
    ...Object.entries(roles),
    ...Object.entries(tints).map(([role, color]) => [`${role}-tint`, color] as const),
  ]
    .map(([name, color]) => `--${name}:${color};`)
    .join("");
}
