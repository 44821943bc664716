import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Verify a request. `body` is unparsed, header names are in lower case, `secret` begins with whsec_. */
export function isValid(body: string, headers: IncomingHttpHeaders, secret: string): boolean {
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${headers["webhook-id"]}.${timestamp}.${body}`).digest();
  return String(headers["webhook-signature"]).split(" ").some((signature) => {
    const [version, encoded] = signature.split(",");
    const given = Buffer.from(encoded ?? "", "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
