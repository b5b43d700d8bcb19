import type { APIUser } from "discord-api-types/v10";
import { isFields } from "./check/check.ts";
import type { World } from "./world.ts";

export interface Mentions {
  readonly mentions: APIUser[];
  readonly mention_roles: string[];
  readonly mention_everyone: boolean;
}

export interface Pinging {
  /** The message's `allowed_mentions`. */
  readonly allowed: unknown;
  /** What is parsed without it. */
  readonly fallback: readonly string[];
  /** Whether its author may mention roles that not everyone may. */
  readonly mayCallAll: boolean;
}

/** Who is pinged by a text. */
export function mentionsOf(
  world: World,
  words: string,
  { allowed, fallback, mayCallAll }: Pinging,
): Mentions {
  const rules = isFields(allowed) ? allowed : { parse: fallback };
  const parse: readonly unknown[] = Array.isArray(rules.parse) ? rules.parse : [];
  const lists = (field: string, id: string): boolean => {
    const named = rules[field];
    return parse.includes(field) || (Array.isArray(named) && named.map(String).includes(id));
  };
  const ids = (pattern: RegExp): string[] => [
    ...new Set([...words.matchAll(pattern)].map((match) => match[1] ?? "")),
  ];
  const callable = world.cast.roles.filter((role) => role.mentionable || mayCallAll);
  const users = ids(/<@!?(\d+)>/g).filter((id) => lists("users", id));
  const known = [world.cast.bot, ...Object.values(world.cast.people).map((each) => each.user)];
  return {
    mentions: known.filter((user) => users.includes(user.id)),
    mention_roles: ids(/<@&(\d+)>/g).filter(
      (id) => lists("roles", id) && callable.some((role) => role.id === id),
    ),
    mention_everyone: parse.includes("everyone") && /@(everyone|here)\b/.test(words),
  };
}
