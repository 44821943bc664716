// The editors of stories and interviews. They work without this file; with it, what is typed is kept on the server as one
// types, and in this browser for as long as the server does not have it. The rules are the server's: what stands against
// a text is told by the answer to each autosave, and nothing here decides which of two texts is right.
const EVERY_MS = 1000;
const RETRY_MS = [2000, 4000, 8000, 15000, 30000];
const TIMEOUT_MS = 20000;
const BATCH_CHARACTERS = 40000;
const BEHIND_THE_SAVE_BAR = { rootMargin: "0px 0px -96px 0px" };
const STATES = {
  saved: "All changes saved",
  kept: "Unsaved changes. Only you can see them.",
  saving: "Saving draft…",
  offline: "No connection. Your text is saved in this browser and sent once you're back online.",
  "signed-out": "You're signed out. Your text is saved in this browser.",
  "other-account": "Another account is signed in. Your text is saved in this browser for your own account.",
  conflict: "Some text was changed elsewhere. Review the notices before you save.",
  refused: "Some text can't be saved on the server. It's saved in this browser.",
  lost: "Your text isn't saved anywhere. Don't close this page.",
};

// ---- Counting, as apps/core/editing/plain_text.py does ----

// A text as apps/core/serializers.py cleans it before it is saved.
function cleaned(text, isLine) {
  const normal = text.replace(/\r\n?/g, "\n").normalize("NFC");
  const plain = normal.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (char) => ("\n\t\u200c\u200d".includes(char) ? char : ""));
  if (!/[^\p{Z}\p{Cc}\p{Cf}\p{Co}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0000}-\u{10ffff}]/u.test(plain)) return "";
  return isLine ? plain.trim().replace(/\s+/g, " ") : plain.trim();
}

const shownIn = (field) => cleaned(field.value, field instanceof HTMLInputElement);

function countedBy(pattern) {
  const words = new RegExp(pattern, "gu");
  return {
    words: (field) => (shownIn(field).match(words) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    characters: (field) => [...shownIn(field)].length,
  };
}

// ---- What the server does not have yet, in this browser's storage: one entry a field and window ----

function localCopies(prefix) {
  const window_ = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const own = (name) => `${prefix}${name}:${window_}`;
  return {
    works: true,
    put(name, entry) {
      try {
        localStorage.setItem(own(name), JSON.stringify({ ...entry, at: Date.now() }));
        this.works = true;
      } catch {
        this.works = false;
      }
    },
    drop: (name) => remove(own(name)),
    // What earlier visits left, the oldest first.
    left() {
      try {
        return Object.keys(localStorage)
          .filter((key) => key.startsWith(prefix))
          .map((key) => ({ key, name: key.slice(prefix.length).split(":")[0], ...JSON.parse(localStorage.getItem(key)) }))
          .sort((one, other) => one.at - other.at);
      } catch {
        return [];
      }
    },
    clear() {
      for (const { key } of this.left()) remove(key);
    },
  };
}

function remove(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without a storage there is nothing to remove.
  }
}

// ---- Talking to the server ----

class Trouble extends Error {
  constructor(state, problem = "") {
    super(state);
    this.state = state;
    this.problem = problem;
  }
}

function connection(form) {
  const { autosave } = form.dataset;
  const account = Number(form.dataset.account);
  const token = form.elements.csrfmiddlewaretoken;

  async function ask(options) {
    const answer = await fetch(autosave, { ...options, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
      throw new Trouble("offline");
    });
    if (answer.status === 401) throw new Trouble("signed-out");
    if (answer.status === 409) throw new Trouble("other-account");
    if (answer.status >= 500 || answer.status === 429) throw new Trouble("offline");
    return answer;
  }

  // Signing in anew, in another window, makes older tokens void.
  async function renew() {
    const answer = await ask({});
    if (!answer.ok) throw new Trouble("refused");
    const told = await answer.json();
    if (told.account !== account) throw new Trouble("other-account");
    token.value = told.token;
  }

  async function send(texts, opened, again = true) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token.value };
    const body = JSON.stringify({ account, texts, opened });
    // What is sent while the page closes may still arrive; browsers allow that for 64 KB.
    const answer = await ask({ method: "POST", headers, body, keepalive: document.hidden && body.length < 20000 });
    if (answer.status === 403 && again) {
      await renew();
      return send(texts, opened, false);
    }
    if (!answer.ok) throw new Trouble("refused", (await answer.json().catch(() => ({}))).problem);
    return answer.json();
  }

  return { renew, send };
}

// ---- One form ----

function start(form) {
  const fields = new Map([...form.querySelectorAll("[data-field]")].map((field) => [field.name, field]));
  const count = countedBy(form.dataset.pattern);
  const stored = localCopies(`slipway-editor:${form.dataset.editor}:${form.dataset.account}:`);
  const server = connection(form);
  const opened = JSON.parse(form.elements.opened.value);
  const status = form.querySelector("[data-state]");
  const unsent = new Set(); // fields whose text the server does not have, and is to get
  const blocked = new Set(); // fields that wait for a decision, or are too long
  // Texts that were sent and not answered. The server may have one, under a mark that is not known here: it is sent
  // again as it was before anything newer, or one's own words would look like another window's.
  const unanswered = new Map();
  const refused = new Set(); // fields whose text the server would not even read
  const overruling = new Map(); // by field the marks that put its text in place of another one, which was in view
  const marksOf = new WeakMap(); // the same, of each notice that is drawn
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) overruling.set(...marksOf.get(target));
  }, BEHIND_THE_SAVE_BAR);
  const unsaved = new Set([...fields.values()].filter((field) => field.dataset.unsaved === "yes").map((field) => field.name));
  let [timer, running, trouble, tries, isLeaving] = [0, null, "", 0, false];

  const beside = (kind, name) => form.querySelector(`[data-${kind}-of="${CSS.escape(name)}"]`);

  function showState() {
    let state = trouble;
    if (state && !stored.works) state = "lost";
    if (!state && (running || unsent.size)) state = "saving";
    if (!state && form.querySelector("[data-conflict]")) state = "conflict";
    if (!state && blocked.size) state = "refused";
    if (!state) state = unsaved.size ? "kept" : "saved";
    const discard = form.querySelector("[data-discard]");
    if (discard) discard.hidden = !unsaved.size;
    if (status.dataset.state === state) return;
    status.dataset.state = state;
    // What happens all the time is not read out.
    status.setAttribute("aria-live", ["saved", "kept", "saving"].includes(state) ? "off" : "polite");
    status.textContent = STATES[state];
    if (state !== "signed-out") return;
    const link = document.createElement("a");
    [link.href, link.target, link.textContent] = [form.dataset.signIn, "_blank", "Sign in (new window)"];
    status.append(" ", link);
  }

  function show(name, number) {
    const shown = form.querySelector(`[data-count="${CSS.escape(name)}"]`);
    if (shown) shown.textContent = number ?? count[shown.dataset.unit](fields.get(name));
    const total = form.querySelector("[data-total]");
    if (!total) return;
    const numbers = [...form.querySelectorAll('[data-count][data-unit="words"]')].map((one) => Number(one.textContent));
    total.textContent = numbers.reduce((sum, one) => sum + one, 0);
  }

  const put = (name) =>
    stored.put(name, { text: fields.get(name).value, opened: opened[name], unanswered: unanswered.get(name) });

  function typed(name) {
    show(name);
    put(name);
    unsaved.add(name);
    // Beside a text of another window nothing is sent before the person has chosen.
    if (!beside("conflict", name)?.querySelector('[data-conflict="typed"]')) {
      blocked.delete(name);
      unsent.add(name);
      schedule(trouble ? RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] : EVERY_MS);
    }
    showState();
  }

  function schedule(ms) {
    timer ||= setTimeout(sendUnsent, ms);
  }

  function showProblem(name, problem) {
    const told = document.createElement("p");
    [told.className, told.textContent] = ["error", problem];
    beside("problem", name).replaceChildren(...(problem ? [told] : []));
    fields.get(name).toggleAttribute("aria-invalid", false);
    if (problem) fields.get(name).setAttribute("aria-invalid", "true");
  }

  function block(name, sent, problem) {
    unanswered.delete(name);
    refused.add(name);
    blocked.add(name);
    if (fields.get(name).value === sent) unsent.delete(name);
    put(name);
    showProblem(name, problem);
  }

  // What stands against a text. A save overrules only what could be read before: anything else is shown first.
  function showConflict(name, told) {
    const place = beside("conflict", name);
    place.innerHTML = told.conflict;
    const notice = place.firstElementChild;
    if (!notice) {
      overruling.delete(name);
      return;
    }
    marksOf.set(notice, [name, told.overruling]);
    watcher.observe(notice);
  }

  function accept(name, sent, told) {
    opened[name] = told.opened;
    unanswered.delete(name);
    const field = fields.get(name);
    refused.delete(name);
    showConflict(name, told);
    showProblem(name, told.problem);
    if (told.is_unsaved) unsaved.add(name);
    else unsaved.delete(name);
    if (!told.is_kept) {
      blocked.add(name);
      unsent.delete(name);
      put(name);
    } else if (field.value === sent) {
      unsent.delete(name);
      stored.drop(name);
      show(name, told[form.querySelector(`[data-count="${CSS.escape(name)}"]`)?.dataset.unit]);
    } else put(name);
  }

  function batch() {
    const texts = {};
    let size = 0;
    for (const name of unsent) {
      const text = unanswered.get(name) ?? fields.get(name).value;
      if (size && size + text.length > BATCH_CHARACTERS) break;
      texts[name] = text;
      size += text.length;
    }
    return texts;
  }

  async function sendOnce(texts) {
    const names = Object.keys(texts);
    const marks = Object.fromEntries(names.map((name) => [name, opened[name]]));
    for (const name of names) {
      unanswered.set(name, texts[name]);
      put(name);
    }
    const told = await server.send(texts, marks).catch((error) => {
      if (error.state !== "refused") throw error;
      if (names.length === 1) block(names[0], texts[names[0]], error.problem);
    });
    // A text that the server refuses keeps no other from it.
    if (!told && names.length > 1) for (const name of names) await sendOnce({ [name]: texts[name] });
    if (!told) return;
    for (const name of names) {
      if (told.fields[name]) accept(name, texts[name], told.fields[name]);
      else block(name, texts[name], "");
    }
    form.elements.opened.value = JSON.stringify(opened);
    for (const [name, html] of Object.entries(told.parts)) {
      const part = form.querySelector(`[data-part="${CSS.escape(name)}"]`);
      if (part) part.innerHTML = html;
    }
  }

  async function sendAll() {
    while (unsent.size) await sendOnce(batch());
  }

  // Whether the server has everything that it can take.
  async function sendUnsent() {
    clearTimeout(timer);
    timer = 0;
    if (running) return running.then(() => (unsent.size ? sendUnsent() : !trouble));
    running = sendAll().then(
      () => [(trouble = ""), (tries = 0)],
      (error) => {
        // An answer that breaks off is no better than none.
        trouble = error.state ?? "offline";
        if (trouble === "refused") for (const name of unsent) blocked.add(name);
      },
    );
    showState();
    await running;
    running = null;
    if (trouble) schedule(RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)]);
    showState();
    return !trouble;
  }

  async function restore() {
    const found = stored.left().filter(({ key, name, text }) => {
      const field = fields.get(name);
      if (!field || typeof text !== "string") return false;
      const isShown = cleaned(text, field instanceof HTMLInputElement) === shownIn(field);
      if (isShown && field.dataset.kept !== "no") remove(key);
      return !isShown;
    });
    for (const [place, { key, name, text, opened: marks, unanswered: sent }] of found.entries()) {
      const field = fields.get(name);
      const isLast = !found.slice(place + 1).some((other) => other.name === name);
      if (isLast) {
        field.value = text;
        opened[name] = marks;
        if (typeof sent === "string") unanswered.set(name, sent);
        typed(name);
        remove(key);
      } else {
        // Of an earlier window: the server keeps it, or shows it beside the field.
        const before = typeof sent === "string" && (await server.send({ [name]: sent }, { [name]: marks }).catch(() => null));
        const known = before?.fields?.[name]?.opened ?? marks;
        const told = await server.send({ [name]: text }, { [name]: known }).catch(() => null);
        if (told?.fields[name]?.is_kept) remove(key);
      }
    }
    form.elements.opened.value = JSON.stringify(opened);
  }

  async function submit(event) {
    if (isLeaving) return;
    event.preventDefault();
    const { submitter } = event;
    const seen = Object.fromEntries(overruling);
    const [isDiscard, taken] = [submitter?.name === "discard", submitter?.name.startsWith("take_") ? submitter.value : ""];
    if (isDiscard) unsent.clear();
    if (taken) unsent.delete(taken);
    // With the words kept and a token that is good, nothing can happen to them on the way.
    if (!(await sendUnsent())) return;
    const [refusedOne] = isDiscard ? [] : [...refused].filter((name) => name !== taken);
    if (refusedOne) {
      fields.get(refusedOne).focus();
      return;
    }
    try {
      await server.renew();
    } catch (error) {
      trouble = error.state ?? "offline";
      showState();
      schedule(RETRY_MS[0]);
      return;
    }
    if (isDiscard) stored.clear();
    if (taken) stored.drop(taken);
    if (!isDiscard && !taken) form.elements.opened.value = JSON.stringify({ ...opened, ...seen });
    isLeaving = true;
    form.requestSubmit(submitter);
  }

  // What the browser puts back of its own accord would come without the marks that belong to it.
  form.autocomplete = "off";
  for (const name of fields.keys()) {
    show(name);
    if (fields.get(name).dataset.kept === "no") {
      put(name);
      blocked.add(name);
    }
  }
  form.addEventListener("input", ({ target }) => fields.has(target.name) && typed(target.name));
  form.addEventListener("submit", submit);
  addEventListener("online", sendUnsent);
  addEventListener("focus", () => trouble && sendUnsent());
  // A page out of the browser's memory has marks of before the save.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  document.addEventListener("visibilitychange", () => document.hidden && unsent.size && sendUnsent());
  addEventListener("beforeunload", (event) => !isLeaving && !stored.works && (unsent.size || blocked.size) && event.preventDefault());
  showState();
  restore();
}

for (const form of document.querySelectorAll("form[data-editor]")) start(form);
