// Asks the browser for a passkey and sends its answer with the form. The options stand in the form's data-options;
// where that is empty, they are asked for at the form's address, so that only who presses the button gets a session.
const PROBLEMS = {
  InvalidStateError: "This device already has a passkey for your account.",
  NotAllowedError: "No passkey used. Try again or choose another method.",
};
const isAble = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

async function optionsOf(form) {
  if (form.dataset.options) return JSON.parse(form.dataset.options).publicKey;
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`the options were refused: ${answer.status}`);
  return (await answer.json()).request_options.publicKey;
}

async function askFor(form) {
  const options = await optionsOf(form);
  return form.dataset.passkey === "create"
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

function tell(form, text) {
  const place = form.querySelector("[role=alert]");
  place.textContent = text;
  place.hidden = !text;
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("button[type=submit]");
  form.hidden = false;
  if (!isAble) {
    button.disabled = true;
    tell(form, "This browser doesn't support passkeys.");
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    tell(form, "");
    button.disabled = true;
    try {
      form.elements.credential.value = JSON.stringify(await askFor(form));
      form.submit();
    } catch (error) {
      tell(form, PROBLEMS[error.name] ?? "Something went wrong. Reload the page or choose another method.");
      button.disabled = false;
    }
  });
}
