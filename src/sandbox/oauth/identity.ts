import { createHash, createSign, generateKeyPair, type KeyObject, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { accessLifetimeMs, type TokenHolder } from "./tokens.ts";

const keyBits = 2_048;

/** Who somebody is, for a client that asked for `openid`. */
interface IdentityClaims {
  readonly holder: TokenHolder;
  readonly scopes: readonly string[];
  readonly accessToken: string;
  readonly nonce: string | undefined;
  /** This service, as its tokens name it. */
  readonly issuer: string;
}

/** Signs identity tokens and publishes the key to check them with. */
export interface Identities {
  /** An identity token (https://openid.net/specs/openid-connect-core-1_0.html#IDToken). */
  sign(identity: IdentityClaims): Promise<string>;
  /** The public key, as a JSON Web Key Set. */
  keys(): Promise<object>;
}

/** The key is made when it is first needed: few tests need it, and making it takes a while. */
export function createIdentities(now: () => number): Identities {
  const kid = randomUUID().replaceAll("-", "");
  let pair: Promise<{ publicKey: KeyObject; privateKey: KeyObject }> | undefined;
  const keyPair = () => {
    pair ??= promisify(generateKeyPair)("rsa", { modulusLength: keyBits });
    return pair;
  };

  return {
    async sign(identity) {
      const { privateKey } = await keyPair();
      const content = [{ alg: "RS256", kid, typ: "JWT" }, describeClaims(identity, now())]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const signature = createSign("sha256").update(content).sign(privateKey, "base64url");
      return `${content}.${signature}`;
    },
    async keys() {
      const { publicKey } = await keyPair();
      return { keys: [{ ...publicKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid }] };
    },
  };
}

/** The claims about an account that the scopes cover. */
export function describeProfile({ account }: TokenHolder, scopes: readonly string[]): object {
  const { id, name, email } = account;
  return {
    sub: id,
    ...(scopes.includes("email") && { email, email_verified: true }),
    ...(scopes.includes("profile") && { name }),
  };
}

function describeClaims(identity: IdentityClaims, now: number): object {
  const { holder, scopes, accessToken, nonce, issuer } = identity;
  const hash = createHash("sha256").update(accessToken).digest();
  const at = Math.floor(now / 1_000);
  return {
    iss: issuer,
    azp: holder.clientId,
    aud: holder.clientId,
    ...describeProfile(holder, scopes),
    at_hash: hash.subarray(0, hash.length / 2).toString("base64url"),
    ...(nonce !== undefined && { nonce }),
    iat: at,
    exp: at + Math.floor(accessLifetimeMs / 1_000),
  };
}
