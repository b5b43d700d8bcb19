import type { Notification } from "../../channel-messages.ts";
import { withTimeout } from "../../clock.ts";
import type { VideoClient } from "../../video/index.ts";
import {
  type CommentRule,
  type HeldComment,
  type RuleBook,
  toItemRef,
  type Watch,
} from "../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../room.ts";
import type { ModerationNotifications } from "../types.ts";
import {
  asAdvice,
  type createVerdictFinder,
  type FoundVerdicts,
  type RuleVerdict,
} from "./verdicts/find-verdicts.ts";

export { asAdvice, type RuleVerdict };

/** After this long, comments go to people without a verdict. */
const judgeTimeoutMs = 30_000;

export type CommentJudge = ReturnType<typeof createJudge>;

export type VerdictFinder = ReturnType<typeof createVerdictFinder>;

interface AdviceRequest extends ServerWatch {
  /** What everybody sees, where nothing else can be read. */
  readonly client?: VideoClient | undefined;
}

export type CommentAdviser = ReturnType<typeof createAdviser>;

/**
 * What a server's rules say of comments that are not stored: the advice, and the likeness of their texts. It carries nothing
 * out. @throws what the rule engine throws, and where it takes too long
 */
export function createAdviser(room: ModerationRoom, find: VerdictFinder) {
  const { clock, engine, records } = room;
  return async (
    { client, ...at }: AdviceRequest,
    items: readonly HeldComment[],
  ): Promise<readonly Pick<HeldComment, "advice" | "likeness">[]> => {
    const { guildId, watch } = at;
    const book = await records.rules.read(guildId);
    if (items.length === 0 || !book.rules.some(({ isOn }) => isOn)) return items.map(() => ({}));
    return withTimeout(
      async (signal) => {
        const texts = items.map(({ comment }) => comment.text);
        const read = await engine.readTexts(guildId, texts, signal);
        const request = { items, book, read, signal, publicClient: client };
        const { verdicts, off } = await find(guildId, watch, request);
        await switchOff(room, at, off);
        return items.map((_, index) => {
          const { does: __, ...advice } = verdicts[index] ?? {};
          const likeness = read.likenesses[index];
          return { likeness, ...("kind" in advice && { advice }) };
        });
      },
      { timeoutMs: judgeTimeoutMs, clock },
    );
  };
}

/**
 * Runs a server's rules on new comments of a watch. Returns one verdict per comment, in the same order, or undefined if no rule
 * matched. Verdicts to act stop at the daily cap; beyond it they become advice. Never throws: a rule that fails is logged.
 */
export function createJudge(room: ModerationRoom, find: VerdictFinder) {
  const { clock, engine, log, records } = room;

  return async (
    guildId: string,
    watch: Watch,
    items: readonly HeldComment[],
  ): Promise<readonly (RuleVerdict | undefined)[]> => {
    try {
      const book = await records.rules.read(guildId);
      const { verdicts, off } = await withTimeout(
        async (signal) => {
          const texts = items.map(({ comment }) => comment.text);
          const read = await engine.readTexts(guildId, texts, signal);
          // Also without rules: rules that are added later count earlier comments.
          await noteLikenesses(room, guildId, items, read.likenesses);
          if (!book.rules.some(({ isOn }) => isOn)) return { verdicts: [], off: [] };
          return find(guildId, watch, { items, book, read, signal });
        },
        { timeoutMs: judgeTimeoutMs, clock },
      );
      if (verdicts.length === 0) return items.map(() => undefined);
      await switchOff(room, { guildId, watch }, off);
      const acts = verdicts.filter((verdict) => verdict?.does === "act").length;
      const { taken, isFirstOver, day } = await takeDailyRoom(room, guildId, acts);
      if (isFirstOver) {
        const facts = { ...reportChannel({ guildId, watch }, book), dailyCap: book.dailyCap, day };
        await notifySafely(room, { name: "rules-capped", facts });
      }
      return capActs(verdicts, taken);
    } catch (error) {
      log.error("rules could not be asked", { guildId, watch: watch.id, error });
      return items.map(() => undefined);
    }
  };
}

function noteLikenesses(
  { database, records }: ModerationRoom,
  guildId: string,
  items: readonly HeldComment[],
  likenesses: readonly (string | undefined)[],
): Promise<void> {
  return database.transaction(async () => {
    for (const [at, item] of items.entries()) {
      const likeness = likenesses[at];
      if (likeness === undefined) continue;
      await records.comments.changeSilently(guildId, toItemRef(item), (stored) =>
        stored.likeness === likeness ? stored : { ...stored, likeness },
      );
    }
  });
}

/**
 * Reserves as many automatic acts as today's cap allows. They are reserved before anything is done, so that all watches, in all
 * processes, share one cap. `isFirstOver`: the cap was exceeded for the first time today.
 * @throws ServiceError `store_unavailable`
 */
async function takeDailyRoom(room: ModerationRoom, guildId: string, wanted: number) {
  const { timeZone = "UTC" } = await room.settings(guildId);
  // Swedish writes dates as ISO 8601 does.
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(room.clock.now());
  let share = { taken: 0, isFirstOver: false, day };
  if (wanted === 0) return share;
  await room.records.rules.changeStored(guildId, (book) => {
    const today = book.acted?.day === day ? book.acted : { day, count: 0 };
    const taken = Math.max(0, Math.min(wanted, book.dailyCap - today.count));
    const isOver = taken < wanted;
    share = { taken, isFirstOver: isOver && today.isOver !== true, day };
    const count = today.count + taken;
    return { ...book, acted: { ...today, count, ...(isOver && { isOver }) } };
  });
  return share;
}

/** Turns verdicts beyond the cap into advice. */
function capActs(
  verdicts: readonly (RuleVerdict | undefined)[],
  room: number,
): readonly (RuleVerdict | undefined)[] {
  let left = room;
  return verdicts.map((verdict) => {
    if (verdict?.does !== "act") return verdict;
    left -= 1;
    return left < 0 ? asAdvice(verdict) : verdict;
  });
}

/**
 * Switches off rules that cost too much, and notifies the server. A rule that somebody changed meanwhile stays on.
 * @throws ServiceError `store_unavailable`
 */
async function switchOff(
  room: ModerationRoom,
  at: ServerWatch,
  off: FoundVerdicts["off"],
): Promise<void> {
  for (const { rule, why } of off) {
    let isOff = false;
    const book = await room.records.rules.changeStored(at.guildId, (stored) => {
      isOff = stored.rules.some((one) => isSameRule(one, rule));
      const switched = { isOn: false, off: { why, at: room.clock.now() } };
      const rules = stored.rules.map((one) =>
        isSameRule(one, rule) ? { ...one, ...switched } : one,
      );
      return isOff ? { ...stored, rules } : stored;
    });
    if (book === undefined || !isOff) continue;
    const { id, name } = rule;
    const facts = { ...reportChannel(at, book), rule: { id, name }, why };
    await notifySafely(room, { name: "rule-switched-off", facts });
  }
}

function isSameRule(one: CommentRule, { id, test }: CommentRule): boolean {
  return one.id === id && one.isOn && JSON.stringify(one.test) === JSON.stringify(test);
}

/** The log channel, or else the watch's channel unless that is a forum. */
function reportChannel(
  { guildId, watch }: ServerWatch,
  { logChannelId, logMayBePublic }: Pick<RuleBook, "logChannelId" | "logMayBePublic">,
): Pick<ModerationNotifications["rules-capped"], "guildId" | "channelId" | "mayBePublic"> {
  if (logChannelId !== undefined) {
    return { guildId, channelId: logChannelId, mayBePublic: logMayBePublic };
  }
  if (watch.isForum) return { guildId };
  return { guildId, channelId: watch.channelId, mayBePublic: watch.mayBePublic };
}

/** Never throws, because a failed notification must not stop the rules. */
async function notifySafely(
  { notify, log }: ModerationRoom,
  notification: Notification<"rules-capped" | "rule-switched-off">,
): Promise<void> {
  try {
    await notify(notification);
  } catch (error) {
    log.warn("the server could not be notified about rules", { ...notification, error });
  }
}
