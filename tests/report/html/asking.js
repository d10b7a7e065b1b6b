// What the tests of the page ask of it, in the page itself; the answers go into a <pre> of the dumped document.
const visible = (item) => !item.closest("[hidden]");
const shown = (selector) => [...document.querySelectorAll(selector)].filter(visible);
const places = () => shown(".place").map((item) => item.firstElementChild.textContent);
const filter = async (name, value) => {
  const form = document.getElementById("filter");
  form.reset();
  if (name) { form[name].value = value; form.dispatchEvent(new Event("input")); }
  await new Promise((done) => setTimeout(done, 400));
};
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
addEventListener("load", async () => {
  const found = {};
  try {
    found.before = places();
    found.bar = visible(document.getElementById("filter"));
    await filter("path", "DEVICE_INFO");
    found.by_path = [places(), shown(".kernel").map((item) => item.dataset.p), shown(".spots li a").map((a) => a.textContent)];
    await filter("c", "MUS301");
    found.by_code = [places(), shown(".kernel").length, shown(".renames .box").length, document.querySelector("#filter output").textContent];
    found.count = document.querySelector("#findings-MUS301 [data-count]").textContent;
    await filter("e", "hours");
    found.by_effort = shown(".place").map((item) => item.dataset.e);
    await filter("s", "error");
    found.by_severity = places();
    await filter("h", "differs");
    found.by_headline = shown(".kernel").map((item) => item.dataset.h);
    await filter("path", "no such file");
    found.nothing = [places().length, shown("[data-none]").length];
    await filter();
    found.after = places();
    const rename = document.querySelector(".renames details");
    location.hash = "MUS407";
    await new Promise((done) => setTimeout(done, 300));
    found.unfolded = document.getElementById("MUS407").open;
    press("j"); press("j");
    found.second = [...document.querySelectorAll(".box, .place")].filter((item) => item.checkVisibility()).indexOf(document.querySelector(".here"));
    found.focused = document.activeElement.tagName;
    press("k");
    found.first = [...document.querySelectorAll(".box, .place")].filter((item) => item.checkVisibility()).indexOf(document.querySelector(".here"));
    const theme = getComputedStyle(document.body).backgroundColor;
    press("t");
    found.theme = [theme, getComputedStyle(document.body).backgroundColor, document.documentElement.dataset.theme];
    press("?");
    found.help = visible(document.getElementById("keys"));
    found.fetched = performance.getEntriesByType("resource").map((entry) => entry.name);
  } catch (problem) { faults.push(String(problem)); }
  found.faults = faults;
  const out = document.createElement("pre");
  out.id = "asked";
  out.textContent = JSON.stringify(found);
  document.body.append(out);
});
