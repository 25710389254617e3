// The fenced blocks of a page: `sh` runs, `text` below one is what it prints, `console` is only shown.

export interface Block {
  readonly kind: string;
  /** Of its first line in the page, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { kind: string; line: number; indent: number; fence: string; lines: string[] } | null = null;
  for (const [index, text] of page.split("\n").entries()) {
    const [, indent = "", fence, kind = ""] = /^(\s*)(`{3,})(\w*)\s*$/.exec(text) ?? [];
    if (open === null) {
      if (fence !== undefined) open = { kind, line: index + 2, indent: indent.length, fence, lines: [] };
    } else if (fence === open.fence && kind === "") {
      blocks.push(open);
      open = null;
    } else open.lines.push(text.slice(open.indent));
  }
  return blocks;
}
