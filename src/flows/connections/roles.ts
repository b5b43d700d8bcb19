import { join, roleMention, type Text, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { RankRoles } from "../../store/index.ts";

/** From the highest on, as they are shown. */
export const mappedRanks = [
  "owner",
  "manager",
  "moderator",
] as const satisfies readonly (keyof RankRoles)[];

export type MappedRank = (typeof mappedRanks)[number];

/** So that a card can show them all. */
const mostRoles = 20;

/** Which roles count as what, one line a rank. */
export function mappedRoles(roles: RankRoles | undefined, words: Words): Text {
  const lines = mappedRanks.map((rank) => {
    const given = (roles?.[rank] ?? []).map(roleMention);
    const shown = given.length === 0 ? words.say("connect.roles.nobody") : join(given, " ");
    return words.md("connect.roles.line", {
      rank: words.say(`choices.rank.${rank}`),
      roles: shown,
    });
  });
  return join(lines);
}

/**
 * The mapping after a role was given one rank, or none: it counts as one thing only.
 * @throws InputError `too_many_roles`
 */
export function withRole(
  roles: RankRoles | undefined,
  role: string,
  rank: MappedRank | "none",
): Required<RankRoles> {
  const of = (each: MappedRank) => {
    const others = (roles?.[each] ?? []).filter((id) => id !== role);
    const ids = each === rank ? [...others, role] : others;
    if (ids.length > mostRoles) {
      throw new InputError(`more than ${mostRoles} roles of a rank`, {
        code: "too_many_roles",
        hint: `Up to ${mostRoles} roles can count as one rank. Take one away first.`,
        facts: { most: mostRoles },
      });
    }
    return ids;
  };
  return { owner: of("owner"), manager: of("manager"), moderator: of("moderator") };
}
