// One slide at a time, by key, button, swipe or address. It changes no text but the number of the slide.

(() => {
  const root = document.documentElement;
  /** An element that the page has, as what it is. @type {(id: string) => any} */
  const byId = (id) => document.getElementById(id);
  const slides = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".slide"))];
  const [back, next, notes] = ["back", "next", "notes"].map(byId);
  let at = -1;

  /** @type {(wanted: number, moved?: boolean) => void} */
  const show = (wanted, moved = true) => {
    const to = Math.max(0, Math.min(slides.length - 1, wanted));
    if (to === at) return;
    at = to;
    slides.forEach((slide, index) => slide.classList.toggle("now", index === at));
    back.disabled = at === 0;
    next.disabled = at === slides.length - 1;
    byId("place").textContent = at + 1 + " / " + slides.length;
    byId("track").style.width = (100 * (at + 1)) / slides.length + "%";
    if (!moved) return;
    history.replaceState(null, "", "#" + slides[at].id);
    slides[at].focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  const named = () => slides.findIndex(({ id }) => id === location.hash.slice(1));
  const toggleNotes = () => notes?.setAttribute("aria-pressed", root.classList.toggle("noted"));
  const ask = () => {
    const all = [...slides[at].querySelectorAll("details")];
    const open = all.some((each) => !each.open);
    for (const each of all) each.open = open;
  };

  /** @type {Record<string, () => void>} */
  const KEYS = {
    ArrowRight: () => show(at + 1),
    ArrowLeft: () => show(at - 1),
    PageDown: () => show(at + 1),
    PageUp: () => show(at - 1),
    Backspace: () => show(at - 1),
    Home: () => show(0),
    End: () => show(slides.length - 1),
    n: toggleNotes,
    w: ask,
  };
  addEventListener("keydown", (event) => {
    const { key, shiftKey, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (key === " " && /** @type {Element} */ (target).closest("button, summary") !== null) return;
    const act = key === " " ? () => show(at + (shiftKey ? -1 : 1)) : KEYS[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  back.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", () => show(at + 1));
  notes?.addEventListener("click", toggleNotes);
  addEventListener("hashchange", () => {
    if (named() >= 0) show(named());
  });

  /** @type {Touch | null} */
  let start = null;
  addEventListener(
    "touchstart",
    ({ touches }) => {
      start = touches.length === 1 ? touches[0] : null;
    },
    { passive: true },
  );
  addEventListener(
    "touchend",
    ({ changedTouches: [end] }) => {
      if (start === null || String(getSelection()) !== "") return;
      const [right, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
      if (Math.abs(right) > 60 && Math.abs(right) > 2 * Math.abs(down)) show(at + (right < 0 ? 1 : -1));
    },
    { passive: true },
  );

  root.classList.add("js");
  /** @type {HTMLElement} */ (document.querySelector(".walk")).hidden = false;
  if (notes !== null) notes.hidden = false;
  show(Math.max(0, named()), false);
})();
