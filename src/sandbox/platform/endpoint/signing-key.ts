import { generateKeyPairSync, sign } from "node:crypto";

/** The key of an application, with which Discord signs what it posts to the application's addresses. */
export interface SigningKey {
  /** `verify_key` of the application: 64 hexadecimal digits. */
  readonly publicKey: string;
  /** In hexadecimal digits, over the time stamp and the body as it is sent. */
  sign(timestamp: string, body: string): string;
}

export function createSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return {
    publicKey: Buffer.from(x, "base64url").toString("hex"),
    sign: (timestamp, body) =>
      sign(null, Buffer.from(timestamp + body), privateKey).toString("hex"),
  };
}
