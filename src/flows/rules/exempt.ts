import {
  type ChannelRef,
  type Ctx,
  card,
  join,
  link,
  matching,
  notice,
  pages,
  type Reply,
  type Suggest,
  type Text,
} from "../../discord/index.ts";
import type { RuleBook } from "../../moderation/index.ts";
import { type Author, findAuthors } from "./draft.ts";
import { mayReadMembers } from "./list.ts";

interface Exempting {
  readonly add?: readonly ChannelRef[] | undefined;
  readonly remove?: string | undefined;
  readonly members?: boolean | undefined;
}

/** Whom no rule touches: changes it, and shows it. @throws InputError `rule_authors` */
export async function exempt(ctx: Ctx, { add, remove, members }: Exempting): Promise<Reply> {
  const { rules } = ctx.moderation;
  const before = await rules.book();
  const added = add === undefined ? [] : await findAuthors(ctx, add);
  const taken = remove === undefined ? undefined : authorCalled(before, remove);
  if (remove !== undefined && taken === undefined) {
    return notice({
      tone: "warning",
      title: ctx.words.say("rules.exempt.not_there"),
      isPrivate: true,
    });
  }
  const isChange = added.length > 0 || taken !== undefined || members !== undefined;
  if (!isChange) return shown(ctx, before, "rules.exempt.title");
  const kept = before.spared.authors.filter(({ id }) => id !== taken?.id);
  const authors = [...new Map([...kept, ...added].map((author) => [author.id, author])).values()];
  const after = await rules.configure({
    spared: { authors, ...(members !== undefined && { members }) },
  });
  return shown(ctx, after, "rules.exempt.saved");
}

function authorCalled({ spared }: RuleBook, said: string): Author | undefined {
  const name = said.trim().toLowerCase();
  return spared.authors.find(
    (author) => name.includes(author.id.toLowerCase()) || author.name?.toLowerCase() === name,
  );
}

async function shown(
  ctx: Ctx,
  { spared }: RuleBook,
  title: "rules.exempt.title" | "rules.exempt.saved",
): Promise<Reply> {
  const { words } = ctx;
  const { members, authors } = spared;
  const lines: Text[] = [
    words.say("rules.exempt.channel"),
    words.say(members ? "rules.exempt.members_on" : "rules.exempt.members_off"),
    ...authors.map(({ id, name }) => link(name ?? id, pages.channel(id))),
    ...(authors.length === 0 ? [words.say("rules.exempt.nobody")] : []),
  ];
  const isUnread = members && !(await mayReadMembers(ctx));
  const listed = join(lines.map((line) => join(["•", line], " ")));
  return card({
    title: words.say(title),
    text: isUnread ? join([listed, words.say("rules.members_unread")], "\n\n") : listed,
    isPrivate: true,
  });
}

/** Those on the list, by name. */
export const exemptAuthors: Suggest = async (typed, { moderation, rank }) => {
  if (rank === "member") return [];
  const { spared } = await moderation.rules.book();
  const candidates = spared.authors.map(({ id, name }) => ({ value: id, title: name ?? id }));
  return matching(typed, candidates)
    .slice(0, 25)
    .map(({ value, title }) => ({ value, name: title.slice(0, 100) }));
};
