import {
  action,
  ask,
  type Ctx,
  channelMention,
  join,
  notice,
  type Reply,
} from "../../discord/index.ts";
import type { Feed, ReleaseKind } from "../../feeds/index.ts";
import { feedMeant } from "./meant.ts";
import { placeLines } from "./show.ts";

interface Meant {
  readonly id: string;
  readonly title: string;
}

export async function pause(ctx: Ctx<unknown>, said: string | undefined): Promise<Reply> {
  const { words } = ctx;
  const { id, title } = await feedMeant(ctx, said);
  const feed = await ctx.feeds.pause(id, ctx.userId);
  if (feed === undefined) return gone(ctx);
  return notice({
    tone: "good",
    title: words.say("announce.paused.title", { channel: title }),
    text: words.md("announce.paused.text", { resume: words.command("announce resume") }),
    buttons: [{ ...resumeButton(ctx, feed), label: words.say("announce.paused.press") }],
  });
}

/** Goes on after a pause, and switches on what the bot has switched off. */
export async function resume(ctx: Ctx<unknown>, said: string | undefined): Promise<Reply> {
  return resumed(ctx, await feedMeant(ctx, said));
}

async function resumed(ctx: Ctx<unknown>, { id }: Pick<Feed, "id">): Promise<Reply> {
  const { words } = ctx;
  const feed = await ctx.feeds.resume(id);
  if (feed === undefined) return gone(ctx);
  return notice({
    tone: "good",
    title: words.say("announce.resumed.title", { channel: feed.title }),
    text: join([...placeLines(feed, words), words.say("announce.resumed.text")], "\n"),
  });
}

/** Switches a feed on again; it hangs on what tells that one is off, too. */
const resumeAgain = action<{ readonly id: string }>({
  name: "announce.resume-again",
  answer: "private",
  by: "anyone",
  rank: "manager",
  run: (ctx, { id }) => resumed(ctx, { id }),
});

export function resumeButton({ words }: Pick<Ctx<unknown>, "words">, { id }: Pick<Feed, "id">) {
  return { label: words.say("announce.off.resume"), press: resumeAgain.press({ id }) };
}

interface Tested {
  readonly feed: string | undefined;
  readonly kind: ReleaseKind | undefined;
}

/** @throws InputError `feed_without_video`, `feed_kind_missing`; what the desk and the video client throw */
export async function test(ctx: Ctx<unknown>, { feed, kind }: Tested): Promise<Reply> {
  const { words } = ctx;
  const { id } = await feedMeant(ctx, feed);
  const { channelId } = await ctx.feeds.test(id, kind);
  return notice({
    tone: "good",
    title: words.say("announce.tested.title"),
    text: words.md("announce.tested.text", { channel: channelMention(channelId) }),
  });
}

export async function questionRemove(ctx: Ctx<unknown>, said: string | undefined): Promise<Reply> {
  const { words } = ctx;
  const feed = await feedMeant(ctx, said);
  const { id, title } = feed;
  return ask({
    title: words.say("announce.remove.ask", { channel: title }),
    text: join([...placeLines(feed, words), words.say("announce.remove.text")], "\n"),
    confirm: {
      label: words.say("announce.remove.press"),
      style: "danger",
      press: removeNow.press({ id, title }),
    },
  });
}

const removeNow = action<Meant>({
  name: "announce.remove-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  rank: "manager",
  run: async (ctx, { id, title }) => {
    if (!(await ctx.feeds.remove(id))) return gone(ctx);
    return notice({
      tone: "good",
      title: ctx.words.say("announce.remove.done", { channel: title }),
    });
  },
});

export const stepActions = [resumeAgain, removeNow] as const;

function gone({ words }: Ctx<unknown>): Reply {
  return notice({ tone: "warning", title: words.say("announce.gone"), isPrivate: true });
}
