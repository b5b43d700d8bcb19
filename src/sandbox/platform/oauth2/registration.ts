import { randomBytes } from "node:crypto";
import type { PersonName } from "../../types.ts";
import type { World } from "../world.ts";

/** What an app asks a person for, checked. */
export interface Authorization {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  /** Of PKCE, S256. */
  readonly challenge: string | undefined;
}

interface Code extends Authorization {
  readonly person: PersonName;
}

/** What a token of either kind stands for; the two of one consent share it. */
export interface Grant {
  readonly person: PersonName;
  readonly scopes: readonly string[];
}

/** Things that are found by a secret and end by themselves; `take` gives one out once. */
interface Kept<T> {
  put(value: T): string;
  find(secret: string): T | undefined;
  take(secret: string): T | undefined;
  drop(fits: (value: T) => boolean): void;
}

/** The app's registration for signing people in, with everything that is under way. */
export interface Registration {
  readonly clientSecret: string;
  /** Where people may be sent back to: exactly these addresses. */
  readonly redirectUris: Set<string>;
  readonly questions: Kept<Authorization>;
  readonly codes: Kept<Code>;
  readonly accessTokens: Kept<Grant>;
  readonly refreshTokens: Kept<Grant>;
}

const questionLifeMs = 10 * 60_000;
// discord/discord-api-docs#2526
const codeLifeMs = 100_000;
/** https://docs.discord.com/developers/topics/oauth2 (a week). */
export const accessLifeMs = 604_800_000;
const refreshLifeMs = 180 * 86_400_000;
const secretBytes = 24;

function secret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

function createKept<T>(now: () => number, lifeMs: number): Kept<T> {
  const all = new Map<string, { readonly value: T; readonly endsAt: number }>();
  const find = (key: string): T | undefined => {
    const found = all.get(key);
    return found !== undefined && found.endsAt > now() ? found.value : undefined;
  };
  return {
    put(value) {
      for (const [key, { endsAt }] of all) if (endsAt <= now()) all.delete(key);
      const key = secret();
      all.set(key, { value, endsAt: now() + lifeMs });
      return key;
    },
    find,
    take(key) {
      const found = find(key);
      all.delete(key);
      return found;
    },
    drop(fits) {
      for (const [key, { value }] of all) if (fits(value)) all.delete(key);
    },
  };
}

export function createRegistration({ now }: Pick<World, "now">): Registration {
  return {
    clientSecret: secret(),
    redirectUris: new Set(),
    questions: createKept(now, questionLifeMs),
    codes: createKept(now, codeLifeMs),
    accessTokens: createKept(now, accessLifeMs),
    refreshTokens: createKept(now, refreshLifeMs),
  };
}
