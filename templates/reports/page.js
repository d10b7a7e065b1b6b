"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const root = document.documentElement;

  // Theme: the system's, until somebody says otherwise. Storage may be forbidden for a file.
  const stored = (value) => { try { return value ? localStorage.setItem("theme", value) : localStorage.getItem("theme"); } catch { return null; } };
  const toggle = document.getElementById("theme");
  if (stored()) root.dataset.theme = stored();
  toggle.hidden = false;
  toggle.onclick = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    stored(root.dataset.theme);
  };

  // Filters. An item is hidden by what it is asked for and does not have; what it cannot have is not held against it.
  const form = document.getElementById("filter");
  if (form) {
    form.hidden = false;
    const place = (item) => (item.dataset.p || item.firstElementChild.textContent).toLowerCase();
    const fits = (item, key, wanted) => !wanted || item.dataset[key] === undefined || item.dataset[key].split(" ").includes(wanted);
    const run = () => {
      const path = form.path.value.trim().toLowerCase();
      const asked = ["c", "e", "s", "h"].map((key) => [key, form[key] ? form[key].value : ""]).filter(([, value]) => value);
      const active = path || asked.length;
      let shown = 0;
      const items = all("[data-p]");
      for (const item of items) {
        const fit = (!path || place(item).includes(path)) && asked.every(([key, value]) => fits(item, key, value));
        item.hidden = !fit;
        shown += fit;
      }
      for (const group of all("[data-group]").reverse()) {
        const inside = all("[data-p]", group);
        const left = inside.filter((item) => !item.hidden).length;
        group.hidden = active && !left;
        const count = group.querySelector("[data-count]");
        if (count) {
          count.dataset.count = count.dataset.count || count.textContent;
          count.textContent = active && left < inside.length ? `${left.toLocaleString("en")} of ${count.dataset.count}` : count.dataset.count;
        }
        if (active && left && left <= 40 && group.tagName === "DETAILS") group.open = true;
      }
      for (const part of all("[data-part]")) {
        const inside = all("[data-p]", part);
        part.querySelector("[data-none]").hidden = !active || !inside.length || inside.some((item) => !item.hidden);
      }
      form.querySelector("output").textContent = active ? `${shown.toLocaleString("en")} of ${items.length.toLocaleString("en")} shown` : "";
    };
    let waiting = 0;
    form.oninput = () => { clearTimeout(waiting); waiting = setTimeout(run, 120); };
    form.onsubmit = (event) => { event.preventDefault(); run(); };
    form.onreset = () => setTimeout(run);
    // A page come back to may have its form filled in; on a first visit there is nothing to do.
    addEventListener("pageshow", () => { if ([...form.elements].some((field) => field.value && field.name)) run(); });
  }

  // A link to something folded away unfolds it, and what it lies in.
  const unfold = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();

  // Keys: one item on and one back, fold, filter.
  let here = null;
  const step = (by) => {
    const items = all(".box, .place").filter((item) => item.checkVisibility ? item.checkVisibility() : item.offsetParent);
    if (!items.length) return;
    const at = items.indexOf(here);
    if (here) here.classList.remove("here");
    here = items[Math.max(0, Math.min(items.length - 1, at < 0 ? 0 : at + by))];
    here.classList.add("here");
    here.tabIndex = -1;
    (here.querySelector("summary, a") || here).focus({ preventScroll: true });
    here.scrollIntoView({ block: here.offsetHeight > innerHeight / 2 ? "start" : "nearest" });
  };
  const help = document.getElementById("keys");
  const keys = {
    j: () => step(1), k: () => step(-1), t: () => toggle.click(), "?": () => { if (help) help.hidden = !help.hidden; },
    o: () => { const box = here && here.closest("details"); if (box) box.open = !box.open; },
    "/": () => form && form.path.focus(), Escape: () => { if (help) help.hidden = true; if (form) { form.reset(); document.activeElement.blur(); } },
  };
  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape") || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  addEventListener("beforeprint", () => all("#meaning .box, .kernel").forEach((box) => { box.open = true; }));
})();
