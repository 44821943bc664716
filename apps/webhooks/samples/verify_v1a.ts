import { createPublicKey, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Verify a request. `body` is unparsed, header names are in lower case, `publicKey` begins with whpk_. */
export function isValid(body: string, headers: IncomingHttpHeaders, publicKey: string): boolean {
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.from(`${headers["webhook-id"]}.${timestamp}.${body}`);
  return String(headers["webhook-signature"]).split(" ").some((signature) => {
    const [version, encoded] = signature.split(",");
    return version === "v1a" && verify(null, signed, key, Buffer.from(encoded ?? "", "base64"));
  });
}
