import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

/** The beginning of an Ed25519 key in DER (RFC 8410), which the key's 32 bytes follow. */
const publicKeyStart = Buffer.from("302a300506032b6570032100", "hex");
const privateKeyStart = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param hex the 32 bytes of an Ed25519 key as 64 hexadecimal digits */
export function publicKeyFrom(hex: string): KeyObject {
  const der = Buffer.concat([publicKeyStart, Buffer.from(hex, "hex")]);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}

export interface SignedRequest {
  /** 128 hexadecimal digits. */
  readonly signature: string;
  /** Seconds since the epoch, as they were signed. */
  readonly timestamp: string;
  /** As it was sent: any change of it, even of spaces, makes the signature wrong. */
  readonly body: Buffer;
}

export function isSignedBy(key: KeyObject, { signature, timestamp, body }: SignedRequest): boolean {
  const signed = Buffer.concat([Buffer.from(timestamp, "latin1"), body]);
  return verify(null, signed, key, Buffer.from(signature, "hex"));
}

/**
 * The PING of the doctor, which asks the running bot through PUBLIC_URL as Discord does. Spaces, escapes and letters beyond
 * ASCII are there because a proxy that rewrites bodies changes them.
 */
export const doctorPing = '{"type": 1, "from":"greenroom\\u0020doctor", "text":"– ä 🎬"}\n';

export interface DoctorKeySource {
  readonly masterKey: Uint8Array;
  /** The application's, 64 hexadecimal digits in lower case. */
  readonly publicKey: string;
}

/**
 * What signs the doctor's PING. It is derived from what a bot and its doctor know, so they need no further secret, and a bot
 * of another application does not answer.
 */
export function doctorKeyFrom({ masterKey, publicKey }: DoctorKeySource): KeyObject {
  const seed = hkdfSync("sha256", masterKey, "", `greenroom doctor ping ${publicKey}`, 32);
  const der = Buffer.concat([privateKeyStart, Buffer.from(seed)]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** Header of a refusal that tells the doctor what arrived: a digest of what was signed, or `none` without a signature. */
export const arrivedHeader = "X-Arrived";

export function describeArrival({ timestamp, body }: Omit<SignedRequest, "signature">): string {
  return createHash("sha256").update(timestamp).update(body).digest("hex");
}

export function signatureHeaders(key: KeyObject, body: string, now: number) {
  const timestamp = `${Math.floor(now / 1_000)}`;
  return {
    "X-Signature-Ed25519": sign(null, Buffer.from(timestamp + body), key).toString("hex"),
    "X-Signature-Timestamp": timestamp,
  };
}
