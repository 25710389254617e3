// Search, filter, sorting and paging of the item table. It sets text only, never markup.

(() => {
  /** Indexes of the columns in a row of the data. */
  const ROW = {
    seq: 0,
    key: 1,
    kind: 2,
    was: 3,
    expected: 4,
    /** Sum of `MARK` in report-html.ts. */
    marks: 5,
    amountText: 6,
    amount: 7,
    currency: 8,
    latencyText: 9,
    latency: 10,
    origin: 11,
    why: 12,
  };
  /** As in src/display/sign.ts and page-markup.ts, which a test compares. */
  const SIGN = { up: "↑", down: "↓" };
  const BREAKS = /[^/]{1,40}\/?|\//gu;
  /** Rows of a page, which a browser draws in a few milliseconds. */
  const SIZE = 100;
  /** An element that the page has, as what it is. @type {(id: string) => any} */
  const byId = (id) => document.getElementById(id);
  document.documentElement.classList.add("js");

  const unfold = byId("unfold");
  if (unfold !== null) {
    unfold.hidden = false;
    unfold.addEventListener("click", () => {
      byId("flips").classList.remove("folded");
      unfold.remove();
    });
  }

  /** @type {{ looks: { role: string, symbol: string, word: string }[], rows: any[][] }} */
  const { looks, rows } = JSON.parse(byId("data").textContent);
  const body = document.querySelector("#items tbody");
  if (body === null) return;
  /** @type {HTMLInputElement} */
  const search = byId("search");
  const filter = byId("filter");
  const verdict = byId("verdict");
  const found = byId("found");
  const place = byId("place");
  const back = byId("back");
  const next = byId("next");
  const collator = new Intl.Collator("en", { numeric: true });
  const words = rows.map((row) =>
    [row[ROW.key], row[ROW.origin], row[ROW.why], row[ROW.amountText], looks[row[ROW.kind]].word]
      .join("\n")
      .toLowerCase(),
  );
  /** @type {{ by: keyof typeof compareBy, down: boolean }} */
  let sorted = { by: "seq", down: false };
  let page = 0;
  /** Indexes of rows. @type {number[]} */
  let shown = [];

  /** A boolean, which is also subtracted. @type {(value: unknown) => any} */
  const nothing = (value) => value === null || value === -1;
  /** @satisfies {Record<string, (a: any[], b: any[]) => number>} */
  const compareBy = {
    seq: (a, b) => a[ROW.seq] - b[ROW.seq],
    key: (a, b) => collator.compare(a[ROW.key], b[ROW.key]),
    kind: (a, b) => a[ROW.kind] - b[ROW.kind],
    was: (a, b) => a[ROW.was] - b[ROW.was],
    amount: (a, b) => a[ROW.currency] - b[ROW.currency] || a[ROW.amount] - b[ROW.amount],
    latency: (a, b) => a[ROW.latency] - b[ROW.latency],
    origin: (a, b) => collator.compare(a[ROW.origin], b[ROW.origin]),
  };

  const select = () => {
    const asked = search.value
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const indexes = [];
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index];
      if (filter.value !== "" && (row[ROW.marks] & Number(filter.value)) === 0) continue;
      if (verdict.value !== "" && verdict.value !== String(row[ROW.kind])) continue;
      if (!asked.every((word) => words[index].includes(word))) continue;
      indexes.push(index);
    }
    const compare = compareBy[sorted.by];
    const column = ROW[sorted.by];
    indexes.sort((one, other) => {
      const a = rows[one];
      const b = rows[other];
      // Rows without a value are last in both directions.
      if (nothing(a[column]) || nothing(b[column])) {
        return nothing(a[column]) - nothing(b[column]) || a[ROW.seq] - b[ROW.seq];
      }
      return (sorted.down ? compare(b, a) : compare(a, b)) || a[ROW.seq] - b[ROW.seq];
    });
    shown = indexes;
    page = 0;
    draw();
  };

  /** @type {(row: HTMLTableRowElement, text: string, name: string) => HTMLTableCellElement} */
  const cell = (row, text, name) => {
    const made = row.insertCell();
    made.textContent = text;
    if (name !== "") made.className = name;
    return made;
  };
  /** @type {(parent: HTMLElement, kind: number) => void} */
  const mark = (parent, kind) => {
    const look = looks[kind];
    const made = document.createElement("span");
    made.className = "verdict " + look.role;
    const sign = document.createElement("span");
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = look.symbol;
    made.append(sign, " " + look.word);
    parent.append(made);
  };

  const draw = () => {
    const pages = Math.max(1, Math.ceil(shown.length / SIZE));
    const part = shown.slice(page * SIZE, (page + 1) * SIZE);
    const drawn = document.createDocumentFragment();
    for (const index of part) {
      const row = rows[index];
      const line = document.createElement("tr");
      cell(line, String(row[ROW.seq]), "number");
      const head = document.createElement("th");
      head.scope = "row";
      head.className = "key";
      head.textContent = row[ROW.key];
      line.append(head);
      const now = cell(line, "", "");
      mark(now, row[ROW.kind]);
      if (row[ROW.expected] !== -1) {
        const extra = document.createElement("span");
        extra.className = "extra";
        extra.textContent = "expected " + looks[row[ROW.expected]].word;
        now.append(extra);
      }
      const was = cell(line, "", "");
      if (row[ROW.was] === -1) was.textContent = "-";
      else mark(was, row[ROW.was]);
      cell(line, row[ROW.amountText], "number");
      cell(line, row[ROW.latencyText], "number");
      cell(line, row[ROW.why], "why");
      const origin = cell(line, "", "origin");
      for (const part of row[ROW.origin].match(BREAKS) ?? [])
        origin.append(part, document.createElement("wbr"));
      drawn.append(line);
    }
    if (part.length === 0) {
      const line = document.createElement("tr");
      const empty = cell(line, "No item matches.", "why");
      empty.colSpan = 8;
      drawn.append(line);
    }
    body.replaceChildren(drawn);
    /** @type {(count: number) => string} */
    const number = (count) => String(count).replace(/\B(?=(?:\d{3})+$)/g, " ");
    found.textContent =
      shown.length === rows.length
        ? number(rows.length) + " items"
        : number(shown.length) + " of " + number(rows.length) + " items";
    place.textContent = "Page " + number(page + 1) + " of " + number(pages);
    back.disabled = page === 0;
    next.disabled = page >= pages - 1;
  };

  /** @type {(by: number) => void} */
  const turn = (by) => {
    page += by;
    draw();
    byId("items").scrollIntoView({ block: "start" });
  };
  back.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(select, 120);
  });
  filter.addEventListener("change", select);
  verdict.addEventListener("change", select);

  const heads = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#items th[data-by]"))];
  const nameSort = () => {
    for (const head of heads) {
      const mine = head.dataset.by === sorted.by;
      head.setAttribute("aria-sort", mine ? (sorted.down ? "descending" : "ascending") : "none");
      /** @type {HTMLElement} */ (head.querySelector("button span")).textContent = mine
        ? sorted.down
          ? SIGN.down
          : SIGN.up
        : "";
    }
  };
  for (const head of heads) {
    /** @type {HTMLElement} */ (head.querySelector("button")).addEventListener("click", () => {
      const by = /** @type {keyof typeof compareBy} */ (head.dataset.by);
      sorted = { by, down: sorted.by === by ? !sorted.down : false };
      nameSort();
      select();
    });
  }
  nameSort();
  select();
})();
