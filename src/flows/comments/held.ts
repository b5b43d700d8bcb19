import {
  type Action,
  action,
  type Button,
  type Ctx,
  commentItem,
  compact,
  cut,
  type DecideState,
  type Item,
  join,
  type List,
  link,
  list,
  md,
  pages,
  quoteOf,
  type Reply,
  type Select,
  type Words,
} from "../../discord/index.ts";
import { callsFor, type Decided, decideComments } from "./decide.ts";
import { findComments } from "./find.ts";
import {
  type DeepVideo,
  type Page,
  readPage,
  type Shown,
  type Turning,
  type WaitingState,
} from "./held-page.ts";
import { labelOf, outcomeOf, summaryOf, titleOf, warningsOf } from "./moderate.ts";

interface Deciding {
  readonly decision: DecideState;
  readonly turning: Turning;
}

// Of the 4,000 characters of a message six comments get nine in ten.
const itemText = 520;

const shared = {
  answer: "update",
  by: "requester",
  row: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list", "videos.list"],
} as const;

const turn = action<Turning>({
  ...shared,
  name: "comments.held-turn",
  run: (ctx, turning) => openPage(ctx, turning),
});

const choose = action<{ readonly page: Page; readonly all?: true }>({
  ...shared,
  name: "comments.held-choose",
  run: async (ctx, { page, all }, { values }) =>
    drawPage(ctx, page, all === true ? page.shown.map(({ id }) => id) : values),
});

const ask = action<Deciding>({
  ...shared,
  name: "comments.held-ask",
  run: (ctx, deciding) => drawQuestion(ctx, deciding),
});

const decide = action<Deciding>({
  ...shared,
  name: "comments.held-decide",
  run: async (ctx, { decision, turning }) =>
    drawDecided(ctx, { decision, turning }, await decideComments(ctx, decision)),
});

export const held: {
  /** The first page of comments that wait, read anew. */
  open(ctx: Ctx, states: readonly WaitingState[]): Promise<Reply>;
  readonly actions: readonly Action<never>[];
} = {
  open: (ctx, states) => {
    const [state = "heldForReview"] = states;
    return openPage(ctx, { states, place: { state, chunk: 0 }, before: [] });
  },
  actions: [turn, choose, ask, decide],
};

/** Skips empty pages while there are more. */
async function openPage(ctx: Ctx, turning: Turning): Promise<List> {
  const page = await readPage(ctx, turning);
  const isEmpty = page.shown.length === 0 && page.deep.length === 0;
  if (isEmpty && page.next !== undefined) return openPage(ctx, { ...turning, place: page.next });
  return drawPage(ctx, page, []);
}

function drawPage(ctx: Ctx, page: Page, chosen: readonly string[]): List {
  const { words } = ctx;
  const { shown, place, before, next, deep } = page;
  const isFirst = before.length === 0 && next === undefined;
  const empty = words.say(isFirst ? "comments.held.empty" : "comments.held.empty_rest");
  const hint =
    chosen.length === 0
      ? words.say("comments.held.hint")
      : words.say("comments.held.chosen", { count: chosen.length });
  return list({
    title: words.say(
      place.state === "likelySpam" ? "comments.held.title_spam" : "comments.held.title",
    ),
    ...(shown.length > 0 ? { text: hint } : {}),
    items: [
      ...shown.map((one) => drawShown(ctx, one, chosen.includes(one.id))),
      ...(deep.length === 0 ? [] : [drawDeep(words, deep)]),
    ],
    empty,
    isPrivate: true,
    selects: shown.length === 0 ? [] : [drawSelect(words, page, chosen)],
    buttons: [
      ...(shown.length === 0 ? [] : decidingButtons(words, page, chosen)),
      ...turningButtons(words, page),
    ],
  });
}

function drawShown(ctx: Ctx, { comment, video }: Shown, isChosen: boolean): Item {
  const { words, channelId } = ctx;
  // Its buttons are those of the page.
  const about = { words, rank: "member", channelId, video } as const;
  const { buttons: _, title, ...item } = commentItem(comment, about, itemText);
  return { ...item, title: isChosen ? md`☑ ${title}` : title };
}

function drawDeep(words: Words, deep: readonly DeepVideo[]): Item {
  const links = deep.map(({ id, title }) => {
    const label = title === undefined ? words.say("common.untitled") : cut(title, 30);
    return link(label, pages.video(id));
  });
  return { title: words.say("comments.held.deep"), lines: [join(links, " · ")] };
}

function drawSelect(words: Words, page: Page, chosen: readonly string[]): Select {
  return {
    placeholder: words.say("comments.held.choose"),
    min: 0,
    max: page.shown.length,
    options: page.shown.map(({ id, comment, video }) => ({
      label: quoteOf(comment, words, 100),
      value: id,
      ...(video ? { description: words.say("comments.line.on", { video: cut(video, 80) }) } : {}),
      isDefault: chosen.includes(id),
    })),
    press: choose.press({ page }),
  };
}

function decidingButtons(words: Words, page: Page, chosen: readonly string[]): Button[] {
  const { states, place, before } = page;
  const turning = { states, place, before };
  const count = chosen.length;
  const disabled = count === 0;
  const deciding = (decision: Omit<DecideState, "ids">): Deciding => ({
    decision: { ids: chosen, ...decision },
    turning,
  });
  const rejected = { status: "rejected" } as const;
  return [
    {
      label: words.say("comments.held.approve", { count }),
      style: "success",
      disabled,
      press: decide.press(deciding({ status: "published" })),
    },
    {
      label: words.say("comments.held.reject", { count }),
      style: "danger",
      disabled,
      press: ask.press(deciding(rejected)),
    },
    {
      label: words.say("comments.held.ban", { count }),
      style: "danger",
      disabled,
      press: ask.press(deciding({ ...rejected, banAuthor: true })),
    },
    { label: words.say("comments.held.choose_all"), press: choose.press({ page, all: true }) },
  ];
}

function turningButtons(words: Words, page: Page): Button[] {
  const { states, place, before, next } = page;
  const back = before.at(-1);
  const refresh = turn.press({ states, place, before });
  return compact([
    { label: words.say("comments.held.refresh"), press: refresh },
    back !== undefined && {
      label: words.say("common.previous"),
      press: turn.press({ states, place: back, before: before.slice(0, -1) }),
    },
    next !== undefined && {
      label: words.say("common.next"),
      press: turn.press({ states, place: next, before: [...before, place] }),
    },
  ]);
}

/** A list, like the page that it replaces: a message that was sent as a list can only become another list. */
async function drawQuestion(ctx: Ctx, deciding: Deciding): Promise<List> {
  const { words, own, signal, channelId } = ctx;
  const { decision, turning } = deciding;
  const { ids, banAuthor } = decision;
  const found = await findComments(own, ids, signal);
  const about = { words, rank: "member", channelId } as const;
  const unread = ids.length - found.size;
  const key = banAuthor === true ? "confirm_ban" : "confirm";
  return list({
    title: titleOf(decision, words),
    text: join(warningsOf(decision, words)),
    items: [...found.values()].map((comment) => commentItem(comment, about, itemText)),
    ...(unread > 0
      ? { footer: words.say("comments.deciding.unread", { count: unread }) }
      : { footer: await ctx.price(...callsFor(decision)) }),
    isPrivate: true,
    buttons: [
      {
        label: words.say(`comments.held.${key}`, { count: ids.length }),
        style: "danger",
        press: decide.press(deciding),
      },
      { label: words.say("comments.held.back"), press: turn.press(turning) },
    ],
  });
}

function drawDecided(
  { words }: Ctx,
  { decision, turning }: Deciding,
  outcomes: readonly Decided[],
): List {
  return list({
    title: summaryOf(decision, outcomes, words),
    items: outcomes.map((outcome) => ({
      title: outcomeOf(decision, outcome, words),
      lines: [labelOf(outcome, words, 200)],
    })),
    isPrivate: true,
    buttons: [
      {
        label: words.say("comments.held.continue"),
        style: "primary",
        press: turn.press(turning),
      },
    ],
  });
}
