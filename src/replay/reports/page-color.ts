// Colours of the report page by role, light and dark, with a contrast of at least 4.5:1 for every text.

import type { Role } from "#src/display/style.ts";

/** Roles that have a colour on the page. */
export type PageRole = Extract<Role, "pass" | "block" | "challenge" | "doubt" | "fault" | "accent">;

export interface PageColors {
  readonly ground: string;
  /** Background of cards and tables. */
  readonly surface: string;
  /** Heads of tables, hovered rows. */
  readonly raised: string;
  readonly text: string;
  /** Labels and notes. */
  readonly muted: string;
  readonly line: string;
  /** For text, and for bars without text on them. */
  readonly roles: Readonly<Record<PageRole, string>>;
  /** Background of a cell that has text in `text` and in the colour of its role. */
  readonly tints: Readonly<Record<PageRole, string>>;
}

export const PAGE_LIGHT: PageColors = {
  ground: "#f6f7f9",
  surface: "#ffffff",
  raised: "#f1f3f6",
  text: "#16202c",
  muted: "#556070",
  line: "#dde2e9",
  roles: {
    pass: "#14713f",
    block: "#b3261e",
    challenge: "#8a5a00",
    doubt: "#7a36b1",
    fault: "#7a36b1",
    accent: "#1f5fa8",
  },
  tints: {
    pass: "#e7f4ec",
    block: "#fcebe9",
    challenge: "#fbf2dd",
    doubt: "#f3eafb",
    fault: "#f3eafb",
    accent: "#e6effa",
  },
};

export const PAGE_DARK: PageColors = {
  ground: "#0e1319",
  surface: "#161d26",
  raised: "#1e2732",
  text: "#e7ecf2",
  muted: "#a0acba",
  line: "#2c3745",
  roles: {
    pass: "#5ccb8b",
    block: "#ff8f86",
    challenge: "#e9b949",
    doubt: "#cda2f5",
    fault: "#cda2f5",
    accent: "#84b8f5",
  },
  tints: {
    pass: "#14301f",
    block: "#3d1b1a",
    challenge: "#352a10",
    doubt: "#2d1f3d",
    fault: "#2d1f3d",
    accent: "#16293f",
  },
};
