// Tables and blocks of the generated pages.

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  // One key may stand in several scopes of a screen; a reader sees it once.
  return [line(headings), line(headings.map(() => "---")), ...new Set(rows.map(line))];
}

/** With an empty line before it; nothing for no lines. */
export function codeBlock(kind: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `\`\`\`${kind}`, ...lines, "```"];
}
