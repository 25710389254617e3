// The switch between light and dark colours.

"use strict";
(() => {
  const root = document.documentElement;
  const theme = /** @type {HTMLElement} */ (document.getElementById("theme"));
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => {
    theme.textContent = /** @type {string} */ (isDark() ? theme.dataset.light : theme.dataset.dark);
  };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  prefersDark.addEventListener("change", nameTheme);
  nameTheme();
})();
