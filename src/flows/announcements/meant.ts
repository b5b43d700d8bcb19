import { type Ctx, channelOf, matching } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Feed } from "../../feeds/index.ts";

/**
 * The feed that an id, a channel's link or a title means; the only one when nothing is said.
 * @throws InputError `feed_not_found`, `feed_needed`
 */
export async function feedMeant(ctx: Ctx<unknown>, said: string | undefined): Promise<Feed> {
  const feeds = await ctx.feeds.all();
  if (said === undefined) {
    const [only] = feeds;
    if (only === undefined) throw notFound();
    if (feeds.length > 1) throw needed();
    return only;
  }
  const found = byId(feeds, said) ?? byTitle(feeds, said);
  if (found === undefined) throw notFound();
  return found;
}

function byId(feeds: readonly Feed[], said: string): Feed | undefined {
  const ref = channelOf(said);
  const source = ref !== undefined && "id" in ref ? ref.id : undefined;
  return feeds.find((feed) => feed.id === said || feed.source === source);
}

/** Only where it can mean no other. */
function byTitle(feeds: readonly Feed[], said: string): Feed | undefined {
  const candidates = feeds.map(({ id, title }) => ({ value: id, title }));
  const [first, ...others] = matching(said, candidates);
  const isExact = first?.title === said.trim();
  if (first === undefined || (others.length > 0 && !isExact)) return undefined;
  return feeds.find(({ id }) => id === first.value);
}

function notFound(): InputError {
  return new InputError("there is no such feed", {
    code: "feed_not_found",
    hint: "Choose one of the suggestions; /announce list shows all.",
    facts: { command: "announce list" },
  });
}

function needed(): InputError {
  return new InputError("several feeds could be meant", {
    code: "feed_needed",
    hint: "Several channels are announced here: choose one with the option “feed”.",
    facts: { option: "feed" },
  });
}
