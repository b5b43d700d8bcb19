import {
  type Ctx,
  join,
  notice,
  type Reply,
  roleMention,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { RankRoles } from "../../store/index.ts";

/** From the highest on, as they are shown. */
export const mappedRanks = [
  "owner",
  "manager",
  "moderator",
] as const satisfies readonly (keyof RankRoles)[];

type MappedRank = (typeof mappedRanks)[number];

/** So that a card can show them all. */
const mostRoles = 20;

interface RoleChoice {
  readonly role: string | undefined;
  readonly rank: MappedRank | "none" | undefined;
}

/** Maps with both options, shows the mapping with none; with one alone it says what is missing. */
export async function mapRole(ctx: Ctx, { role, rank }: RoleChoice): Promise<Reply> {
  const { settings, words } = ctx;
  if (role === undefined || rank === undefined) {
    const isHalf = role !== undefined || rank !== undefined;
    return notice({
      tone: isHalf ? "warning" : "info",
      title: words.say(isHalf ? "connect.roles.half" : "connect.roles.title"),
      text: words.md("connect.roles.text", { roles: mappedRoles(settings.roles, words) }),
    });
  }
  // Everybody has that role without it being listed among their roles: mapping it would do nothing or far too much.
  if (role === ctx.guildId) {
    return notice({ tone: "warning", title: words.say("connect.roles.everyone") });
  }
  const roles = withRole(settings.roles, role, rank);
  await ctx.changeSettings({ roles });
  const name = roleMention(role);
  return notice({
    tone: "good",
    title: words.say("connect.roles.saved"),
    text: words.md("connect.roles.saved_text", {
      change: words.md("connect.roles.change", { role: name, rank }),
      roles: mappedRoles(roles, words),
    }),
  });
}

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
 * The mapping after a role was given a rank, or none; a role has one rank at most.
 * @throws InputError `too_many_roles`
 */
function withRole(
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
        facts: { most: mostRoles },
      });
    }
    return ids;
  };
  return { owner: of("owner"), manager: of("manager"), moderator: of("moderator") };
}
