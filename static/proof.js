// Solves the challenge of a form while somebody fills it in: looks for a number whose key begins as wanted (ALTCHA's
// protocol, apps/accounts/sign_in/proof_of_work.py). Sending waits for it; a form without a button sends itself.
const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function keyOf({ nonce, salt, cost, keyLength }, counter) {
  const password = new Uint8Array([...bytes(nonce), 0, 0, 0, 0]);
  new DataView(password.buffer).setUint32(password.length - 4, counter);
  const material = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const way = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
  return hex(await crypto.subtle.deriveBits(way, material, keyLength * 8));
}

async function proofOf(challenge) {
  for (let counter = 0; ; counter++) {
    const derivedKey = await keyOf(challenge.parameters, counter);
    if (derivedKey.startsWith(challenge.parameters.keyPrefix)) {
      return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    }
  }
}

const field = document.querySelector("input[data-challenge]");
// Browsers offer no cryptography to pages without https.
if (field && window.crypto?.subtle) {
  const { form } = field;
  const button = form.querySelector("button[type=submit]");
  let isWaiting = false;
  const solved = proofOf(JSON.parse(field.dataset.challenge)).then((proof) => { field.value = proof; });
  if (!button) solved.then(() => fetch(form.action, { method: "POST", body: new FormData(form) }));
  form.addEventListener("submit", (event) => {
    if (field.value) return;
    event.preventDefault();
    if (isWaiting) return;
    isWaiting = true;
    button.setAttribute("aria-busy", "true");
    solved.then(() => form.requestSubmit(button));
  });
}
