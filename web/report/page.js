// The page: reads the report, draws it in a language and a theme, and again when the reader chooses another one.
(() => {
  const LANGUAGES = { en: "English", zh: "中文" };
  const THEMES = ["auto", "light", "dark"];
  const chosen = new URLSearchParams(location.search);  // report.html?lang=zh&theme=dark
  const dark_screen = matchMedia("(prefers-color-scheme: dark)");
  const narrow = matchMedia("(max-width: 1000px)");
  const page = document.getElementById("page");
  let reading_at = null;
  let theme = first_of(THEMES, [chosen.get("theme"), remembered("theme")], "auto");
  language = first_of(Object.keys(LANGUAGES), [chosen.get("lang"), remembered("language"), ...navigator.languages.map((each) => each.slice(0, 2).toLowerCase())], "en");
  show_theme();

  const report = read_report();
  if (!report) return;
  const names = short_names(report.sources.map(({ name }) => String(name)));
  draw();
  follow_hash();

  function read_report() {
    try {
      const data = JSON.parse(document.getElementById("data").textContent);
      if (data.format !== 1) return fail(say("newer", data.format));
      if (!data.summary) data.summary = summary_of(data.sources);
      return data;
    } catch {
      return fail(say("broken"));
    }
  }

  // Of a run whose summary is lost.
  function summary_of(sources) {
    const sum = (key) => sources.reduce((total, source) => total + (source.documents === null ? 0 : source[key]), 0);
    return { read: sum("documents"), kept: sum("kept"), removed: sum("exact") + sum("near"), exact_copies: sum("exact"), near_duplicates: sum("near") };
  }

  function fail(text) {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    page.replaceChildren(element("p", { class: "failure", role: "alert" }, text));
    return null;
  }

  function draw() {
    forget_charts();
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    const subject = subject_of(report.run);
    document.title = subject ? `${say("title")}: ${subject}` : say("title");
    const sections = [
      overview_section(report),
      findings_section(report, names),
      similarity_section(report),
      search_section(report),
      sizes_section(report),
      sources_section(report, names),
      losses_section(report, names),
      least_section(report),
      changes_section(report),
      groups_section(report),
      passages_section(report),
      limits_section(report),
      resources_section(report),
      run_section(report),
    ];
    page.replaceChildren(
      element("a", { class: "skip", href: "#overview" }, say("skip")),
      element("header", {}, element("div", { class: "inner" }, element("div", { class: "titles" }, element("h1", {}, say("title")), subject && quoted(subject, "p", { class: "subject" })), controls())),
      element("div", { class: "inner columns" }, contents(sections), element("main", {}, sections)),
      element("div", { id: "announcements", class: "unseen", "aria-live": "polite" }));
    for (const box of document.querySelectorAll("details")) if (box.fill) box.fill();
    draw_charts();
    follow_reading(sections);
    document.documentElement.dataset.drawn = language;
  }

  function controls() {
    return element("div", { class: "controls" },
      choice(say("language"), Object.keys(LANGUAGES), language, choose_language, (name) => LANGUAGES[name], (name) => ({ lang: name === "zh" ? "zh-CN" : "en" })),
      choice(say("theme"), THEMES, theme, choose_theme, (name) => say(`theme_${name}`)),
      element("button", { type: "button", class: "print", onclick: () => print() }, say("print")));
  }

  function contents(sections) {
    const links = sections.map((each) => element("li", {}, element("a", { href: `#${each.id}` }, each.id === "overview" ? say("overview") : each.querySelector("h2").textContent)));
    return element("nav", { "aria-label": say("contents") }, element("details", { open: !narrow.matches }, element("summary", {}, say("contents")), element("ul", {}, links)));
  }

  // Marks the section that is being read.
  function follow_reading(sections) {
    if (typeof IntersectionObserver !== "function") return;
    reading_at?.disconnect();
    reading_at = new IntersectionObserver((entries) => {
      const entered = entries.find((entry) => entry.isIntersecting);
      if (!entered) return;
      for (const link of document.querySelectorAll("nav a")) {
        if (link.getAttribute("href") === `#${entered.target.id}`) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }, { rootMargin: "-20% 0px -75% 0px" });
    for (const each of sections) reading_at.observe(each);
  }

  function choose_language(name) {
    language = name;
    remember("language", name);
    const from_top = scrollY;
    draw();
    scrollTo(0, from_top);
    document.querySelector(`[data-choice="${name}"]`).focus({ preventScroll: true });
  }

  function choose_theme(name) {
    theme = name;
    remember("theme", name);
    show_theme();
    draw_charts();
  }

  function show_theme() {
    document.documentElement.dataset.theme = theme === "auto" ? (dark_screen.matches ? "dark" : "light") : theme;
  }

  dark_screen.addEventListener("change", () => {
    show_theme();
    draw_charts();
  });

  narrow.addEventListener("change", () => {
    const list = document.querySelector("nav details");
    if (list) list.open = !narrow.matches;
  });

  let in_matrix = matrix_sources();
  addEventListener("resize", () => {
    if (matrix_sources() === in_matrix) return;
    in_matrix = matrix_sources();
    document.getElementById("losses").replaceWith(losses_section(report, names));
  });

  // Paper is white, and has no boxes to open.
  let closed = [];
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
    closed = [...document.querySelectorAll("details.removal:not([open]), details.group:not([open])")];
    for (const box of closed) {
      box.open = true;
      box.fill();
    }
    draw_charts();
  });
  addEventListener("afterprint", () => {
    for (const box of closed) box.open = false;
    closed = [];
    show_theme();
    draw_charts();
  });

  // The sections did not exist when the browser looked for the one that the address names.
  function follow_hash() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target) target.scrollIntoView();
  }

  function subject_of(run) {
    return run.directory || common_folder(report.sources.map(({ name }) => String(name))).slice(0, -1) || (names.length === 1 ? names[0] : "");
  }

  function first_of(allowed, wanted, otherwise) {
    return wanted.find((each) => allowed.includes(each)) || otherwise;
  }

  // Pages of files have no storage in some browsers.
  function remembered(key) {
    try {
      return localStorage.getItem(`neardup-report-${key}`);
    } catch {
      return null;
    }
  }
  function remember(key, value) {
    try {
      localStorage.setItem(`neardup-report-${key}`, value);
    } catch {
      // The choice holds until the page is closed.
    }
  }
})();
