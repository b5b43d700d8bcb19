import { action, type Button, type Ctx, join, list, type Reply } from "../../discord/index.ts";
import type { FeedStatus } from "../../feeds/index.ts";
import { placeLines, statusLines, titleOf } from "./show.ts";

const perPage = 5;
/** As many as a server may have (`too_many_feeds`). */
const most = 25;

interface Turn {
  /** From 0. */
  readonly page: number;
}

const turn = action<Turn>({
  name: "announce.turn",
  answer: "update",
  by: "requester",
  rank: "manager",
  run: (ctx, { page }) => show(ctx, page),
});

export const listActions = [turn] as const;

/** What is announced where, and how it goes. */
export async function show(ctx: Ctx<unknown>, wanted = 0): Promise<Reply> {
  const { words } = ctx;
  const feeds = [...(await ctx.feeds.all())].sort((a, b) => a.title.localeCompare(b.title));
  const found = await Promise.all(feeds.map(({ id }) => ctx.feeds.status(id)));
  const all = found.filter((status) => status !== undefined);
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const page = Math.min(wanted, pages - 1);
  const units = all.reduce((sum, { unitsADay }) => sum + unitsADay, 0);
  return list({
    title: words.say("announce.list.title"),
    ...(all.length === 0
      ? {}
      : { text: words.say("announce.list.total", { count: all.length, most, units }) }),
    items: all.slice(page * perPage, (page + 1) * perPage).map((status) => itemOf(status, words)),
    empty: words.md("announce.list.empty", { command: words.command("announce add") }),
    ...(pages === 1
      ? {}
      : {
          footer: words.say("common.page", { page: page + 1 }),
          buttons: turns(ctx, page, pages),
        }),
  });
}

function itemOf(status: FeedStatus, words: Ctx["words"]) {
  const { feed } = status;
  return {
    title: titleOf(feed),
    lines: [join(placeLines(feed, words), "\n"), ...statusLines(status, words)],
  };
}

function turns({ words }: Ctx<unknown>, page: number, pages: number): readonly Button[] {
  const to = (label: "previous" | "next", at: number): Button => ({
    label: words.say(`common.${label}`),
    disabled: at < 0 || at >= pages,
    press: turn.press({ page: at }),
  });
  return [to("previous", page - 1), to("next", page + 1)];
}
