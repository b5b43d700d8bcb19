import {
  type Button,
  compact,
  cut,
  join,
  type ListReply,
  link,
  list,
  md,
  type Reply,
  type ReplyItem,
  reaches,
  type Select,
  type Words,
} from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import { maxEmptyPages, youtubePages } from "../../video/index.ts";
import { commentItem, type DecideState, presses, quoteComment } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { decideComments, decisionCalls } from "./decide.ts";
import {
  type DeepVideo,
  type HeldPage,
  type HeldPageTurn,
  readHeldPage,
  type ShownHeldComment,
  type WaitingState,
} from "./held-page.ts";
import { readToAsk } from "./kept.ts";
import {
  commentLabel,
  decisionTitle,
  decisionWarnings,
  describeKept,
  describeOutcome,
  summarizeOutcomes,
} from "./moderate.ts";

interface HeldDecision {
  readonly decision: DecideState;
  readonly turning: HeldPageTurn;
}

/** Six comments of this length take most of a message's 4,000 characters. */
const maxItemChars = 520;

const heldAction = {
  method: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list", "videos.list"],
} as const;

const turn = action<HeldPageTurn>({
  ...heldAction,
  name: "comments.held-turn",
  turnsPage: true,
  run: openPage,
});

const refresh = action<HeldPageTurn>({
  ...heldAction,
  name: "comments.held-refresh",
  run: openPage,
});

const choose = action<{ readonly page: HeldPage; readonly all?: true }>({
  ...heldAction,
  name: "comments.held-choose",
  run: async (ctx, { page, all }, { values }) =>
    drawPage(ctx, page, all === true ? page.shown.map(({ id }) => id) : values),
});

const ask = action<HeldDecision>({
  ...heldAction,
  name: "comments.held-ask",
  run: drawQuestion,
});

const decide = action<HeldDecision>({
  ...heldAction,
  name: "comments.held-decide",
  run: async (ctx, { decision, turning }) => {
    const { words } = ctx;
    const outcomes = await decideComments(ctx, decision);
    return list({
      title: summarizeOutcomes(decision, outcomes, words),
      text: join(describeKept(outcomes, words)),
      items: outcomes.map((outcome) => ({
        title: describeOutcome(decision, outcome, words),
        lines: [commentLabel(outcome, words, 200)],
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
  },
});

export const heldCommentActions: readonly FeatureAction<never>[] = [
  turn,
  refresh,
  choose,
  ask,
  decide,
];

/** @throws ConnectError `held_comments_unlinked`: YouTube shows what waits to the channel alone */
export async function openHeldComments(ctx: Ctx, states: readonly WaitingState[]): Promise<Reply> {
  if (!ctx.has("channel")) {
    throw new ConnectError("no channel is linked", {
      code: "held_comments_unlinked",
      facts: { command: "connect channel", isOwner: reaches(ctx.rank, "owner") },
    });
  }
  const [state = "heldForReview"] = states;
  return openPage(ctx, { states, place: { state, chunk: 0 }, before: [] });
}

/** Shows a page, or the next one that is not empty. Some lists never end, so it does not look far. */
async function openPage(ctx: Ctx, turning: HeldPageTurn): Promise<ListReply> {
  let page = await readHeldPage(ctx, turning);
  for (let passed = 0; passed < maxEmptyPages; passed++) {
    const isEmpty = page.shown.length === 0 && page.deep.length === 0;
    if (!isEmpty || page.next === undefined) break;
    page = await readHeldPage(ctx, { ...turning, place: page.next });
  }
  const { channelId, moderation } = ctx;
  const watches = await moderation.watches.all();
  const isWatched = watches.some(({ source }) => source === channelId);
  return drawPage(ctx, isWatched ? { ...page, isWatched } : page, []);
}

function drawPage(ctx: Ctx, page: HeldPage, chosen: readonly string[]): ListReply {
  const { words } = ctx;
  const { shown, place, before, next, deep } = page;
  const isFirst = before.length === 0 && next === undefined;
  const emptyRest = next === undefined ? "comments.held.empty_rest" : "common.empty_page";
  const empty = words.say(isFirst ? "comments.held.empty" : emptyRest);
  const hint =
    chosen.length === 0
      ? words.say("comments.held.hint")
      : words.say("comments.held.chosen", { count: chosen.length });
  return list({
    title: words.say(
      place.state === "likelySpam" ? "comments.held.title_spam" : "comments.held.title",
    ),
    text: shown.length > 0 ? hint : undefined,
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

function drawShown(ctx: Ctx, { comment, video }: ShownHeldComment, isChosen: boolean): ReplyItem {
  const { words, channelId } = ctx;
  // The page has its own buttons.
  const about = { words, rank: "member", channelId, video } as const;
  const { buttons: _, title, ...item } = commentItem(comment, about, maxItemChars);
  return { ...item, title: isChosen ? md`☑ ${title}` : title };
}

function drawDeep(words: Words, deep: readonly DeepVideo[]): ReplyItem {
  const links = deep.map(({ id, title }) => {
    const label = title === undefined ? words.say("common.untitled") : cut(title, 30);
    return link(label, youtubePages.video(id));
  });
  return { title: words.say("comments.held.deep"), lines: [join(links, " · ")] };
}

function drawSelect(words: Words, page: HeldPage, chosen: readonly string[]): Select {
  return {
    placeholder: words.say("comments.held.choose"),
    min: 0,
    max: page.shown.length,
    options: page.shown.map(({ id, comment, video }) => ({
      label: quoteComment(comment, words, 100),
      value: id,
      description: video ? words.say("comments.line.on", { video: cut(video, 80) }) : undefined,
      isDefault: chosen.includes(id),
    })),
    press: choose.press({ page }),
  };
}

function decidingButtons(words: Words, page: HeldPage, chosen: readonly string[]): Button[] {
  const { states, place, before } = page;
  const turning = { states, place, before };
  const count = chosen.length;
  const disabled = count === 0;
  const rejection = { ids: chosen, status: "rejected" } as const;
  return [
    {
      label: words.say("comments.held.approve", { count }),
      style: "success",
      disabled,
      press: decide.press({ decision: { ids: chosen, status: "published" }, turning }),
    },
    {
      label: words.say("comments.held.reject", { count }),
      style: "danger",
      disabled,
      press: ask.press({ decision: rejection, turning }),
    },
    {
      label: words.say("comments.held.ban", { count }),
      style: "danger",
      disabled,
      press: ask.press({ decision: { ...rejection, banAuthor: true }, turning }),
    },
    { label: words.say("comments.held.choose_all"), press: choose.press({ page, all: true }) },
  ];
}

function turningButtons(words: Words, page: HeldPage): Button[] {
  const { states, place, before, next, isWatched } = page;
  const back = before.at(-1);
  return compact([
    {
      label: words.say("comments.held.refresh"),
      press: refresh.press({ states, place, before }),
    },
    back !== undefined && {
      label: words.say("common.previous"),
      press: turn.press({ states, place: back, before: before.slice(0, -1) }),
    },
    next !== undefined && {
      label: words.say("common.next"),
      press: turn.press({ states, place: next, before: [...before, place] }),
    },
    isWatched && { label: words.say("watch.button.review"), press: presses.comment.review() },
  ]);
}

/** Asks before a rejection. This is a list because the page is one: a list message can only become another list. */
async function drawQuestion(ctx: Ctx, deciding: HeldDecision): Promise<ListReply> {
  const { words, channelId } = ctx;
  const { decision, turning } = deciding;
  const { ids, banAuthor } = decision;
  const { found, isKept } = await readToAsk(ctx, ids, decisionCalls(decision));
  const about = { words, rank: "member", channelId } as const;
  const unread = ids.length - found.size;
  const key = banAuthor === true ? "confirm_ban" : "confirm";
  return list({
    title: decisionTitle(decision, words),
    isQuestion: true,
    text: join(decisionWarnings(decision, words, isKept)),
    items: [...found.values()].map((comment) => commentItem(comment, about, maxItemChars)),
    ...(unread > 0
      ? { footer: words.say("comments.deciding.unread", { count: unread }) }
      : { footer: await ctx.price(...decisionCalls(decision)) }),
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
