// Search, filter, sorting and paging of the item table. It sets text only, never markup.

(() => {
  /** Indexes in a row of the data: sum of `MARK` in report-html.ts, verdict, first cell. */
  const ROW = { marks: 0, kind: 1, cells: 2 };
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
  const heads = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#items th"))];
  /** What a cell shows: a text, or the index of a verdict. @type {(cell: any) => string | number} */
  const shownOf = (cell) => (Array.isArray(cell) ? cell[0] : cell);
  const words = rows.map((row) =>
    [
      looks[row[ROW.kind]].word,
      ...row
        .slice(ROW.cells)
        .map(shownOf)
        .filter((text) => typeof text === "string"),
    ]
      .join("\n")
      .toLowerCase(),
  );
  let sorted = { by: 0, down: false };
  let page = 0;
  /** Indexes of rows. @type {number[]} */
  let shown = [];

  /** @type {(index: number) => any[]} */
  const sortedBy = (index) => {
    const cell = rows[index][ROW.cells + sorted.by];
    return Array.isArray(cell) ? cell.slice(1) : [cell];
  };
  /** A boolean, which is also subtracted. @type {(values: any[]) => any} */
  const nothing = (values) => values.some((value) => value === null || value === "");
  /** @type {(a: any[], b: any[]) => number} */
  const compare = (a, b) => {
    for (const [place, value] of a.entries()) {
      const order = typeof value === "string" ? collator.compare(value, b[place]) : value - b[place];
      if (order !== 0) return order;
    }
    return 0;
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
    indexes.sort((one, other) => {
      const [a, b] = [sortedBy(one), sortedBy(other)];
      // Rows without a value are last in both directions.
      if (nothing(a) || nothing(b)) return nothing(a) - nothing(b) || one - other;
      return (sorted.down ? compare(b, a) : compare(a, b)) || one - other;
    });
    shown = indexes;
    page = 0;
    draw();
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
      for (const [column, cell] of row.slice(ROW.cells).entries()) {
        const look = heads[column].className;
        const made = document.createElement(look === "key" ? "th" : "td");
        if (look === "key") made.scope = "row";
        if (look !== "") made.className = look;
        const text = shownOf(cell);
        if (typeof text === "number") mark(made, text);
        else if (look === "origin")
          for (const part of text.match(BREAKS) ?? []) made.append(part, document.createElement("wbr"));
        else made.textContent = text || "-";
        line.append(made);
      }
      drawn.append(line);
    }
    if (part.length === 0) {
      const line = document.createElement("tr");
      const empty = line.insertCell();
      empty.textContent = "No item matches.";
      empty.className = "why";
      empty.colSpan = heads.length;
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

  const sortable = heads.filter((head) => head.querySelector("button") !== null);
  const nameSort = () => {
    for (const head of sortable) {
      const mine = head === heads[sorted.by];
      head.setAttribute("aria-sort", mine ? (sorted.down ? "descending" : "ascending") : "none");
      /** @type {HTMLElement} */ (head.querySelector("button span")).textContent = mine
        ? sorted.down
          ? SIGN.down
          : SIGN.up
        : "";
    }
  };
  for (const head of sortable) {
    /** @type {HTMLElement} */ (head.querySelector("button")).addEventListener("click", () => {
      const by = heads.indexOf(head);
      sorted = { by, down: sorted.by === by ? !sorted.down : false };
      nameSort();
      select();
    });
  }
  nameSort();
  select();
})();
