// The page's only way out: messages to the program that shows it (MCP Apps, 2026-01-26).
const waiting = new Map();
let lastId = 0;
let onResult = () => {};

function send(message) {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function request(method, params) {
  lastId += 1;
  send({ id: lastId, method, params });
  return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
}

window.addEventListener("message", ({ source, data }) => {
  if (source !== window.parent || !data || data.jsonrpc !== "2.0") return;
  if (data.id !== undefined && waiting.has(data.id) && !data.method) {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) reject(new Error(data.error.message));
    else resolve(data.result);
  } else if (data.method === "ui/notifications/tool-result") {
    onResult(data.params);
  } else if (data.method === "ui/notifications/host-context-changed") {
    use(data.params);
  } else if (data.id !== undefined && data.method) {
    send({ id: data.id, result: {} });
  }
});

// Colors and fonts of the surrounding program.
function use(context) {
  if (!context) return;
  if (context.theme) document.documentElement.style.colorScheme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (value) document.documentElement.style.setProperty(name, value);
  }
}

async function connect(show) {
  onResult = (result) => show(result.structuredContent ?? {});
  const { hostContext } = await request("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "slipway", version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  });
  use(hostContext);
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  }).observe(document.body);
}

// Returns a tool's answer. Throws what went wrong and what to do.
async function call(name, args) {
  const result = await request("tools/call", { name, arguments: args });
  if (!result.isError) return result.structuredContent;
  const text = result.content?.[0]?.text ?? "";
  let detail = text;
  try { detail = JSON.parse(text).detail; } catch { /* It is a sentence already. */ }
  throw new Error(detail);
}

// Text from websites stays text.
function make(tag, { text, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function fill(...children) {
  document.querySelector("main").replaceChildren(...children);
}
