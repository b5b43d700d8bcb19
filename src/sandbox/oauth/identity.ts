import { createHash, createSign, generateKeyPair, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { once } from "../../once.ts";
import { accessLifetimeMs, type TokenHolder } from "./tokens.ts";

const keyBits = 2_048;

/** Who somebody is, for a client that asked for `openid`. */
interface IdentityClaims {
  readonly holder: TokenHolder;
  readonly scopes: readonly string[];
  readonly accessToken: string;
  readonly nonce: string | undefined;
  /** This server, as its tokens name it. */
  readonly issuer: string;
}

export type Identities = ReturnType<typeof createIdentities>;

/** Signs identity tokens and publishes the key to check them with. */
export function createIdentities(now: () => number) {
  const kid = randomUUID().replaceAll("-", "");
  /** Made when it is first needed: few tests need it, and it takes a while. */
  const keyPair = once(() => promisify(generateKeyPair)("rsa", { modulusLength: keyBits }));

  return {
    /** An identity token (https://openid.net/specs/openid-connect-core-1_0.html#IDToken). */
    async sign({ holder, scopes, accessToken, nonce, issuer }: IdentityClaims): Promise<string> {
      const { privateKey } = await keyPair();
      const hash = createHash("sha256").update(accessToken).digest();
      const at = Math.floor(now() / 1_000);
      const claims = {
        iss: issuer,
        azp: holder.clientId,
        aud: holder.clientId,
        ...describeProfile(holder, scopes),
        at_hash: hash.subarray(0, hash.length / 2).toString("base64url"),
        nonce,
        iat: at,
        exp: at + Math.floor(accessLifetimeMs / 1_000),
      };
      const content = [{ alg: "RS256", kid, typ: "JWT" }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const signature = createSign("sha256").update(content).sign(privateKey, "base64url");
      return `${content}.${signature}`;
    },
    /** The public key, as a JSON Web Key Set. */
    async keys(): Promise<object> {
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
