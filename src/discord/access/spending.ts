import type { Bucket, QuotaState } from "../../budget/index.ts";
import type { Clients, Cost, UnitsSpent, VideoAccess } from "../declare/clients.ts";
import type { Message } from "../draw/render.ts";
import { join } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";
import type { Opened } from "./guard.ts";

export const buckets = ["units", "searches", "uploads"] as const satisfies readonly Bucket[];

type Spent = Readonly<Partial<Record<Bucket, number>>>;

/** What one interaction has spent so far, by what it travelled with: a key and a channel have budgets of their own. */
export interface Tally {
  add(access: VideoAccess, cost: Cost): void;
  readonly spent: readonly { readonly access: VideoAccess; readonly spent: Spent }[];
}

export function createTally(): Tally {
  const all: { access: VideoAccess; spent: Partial<Record<Bucket, number>> }[] = [];
  return {
    add: (access, { bucket, cost }) => {
      let entry = all.find((each) => isSame(each.access, access));
      if (entry === undefined) {
        entry = { access, spent: {} };
        all.push(entry);
      }
      entry.spent[bucket] = (entry.spent[bucket] ?? 0) + cost;
    },
    spent: all,
  };
}

function isSame(one: VideoAccess, other: VideoAccess): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What was spent of a bucket that was touched, and what is left of it. */
export interface SpentLine {
  /** `50 units` */
  readonly cost: string;
  /** `9,350 left today` */
  readonly left: string;
}

type LeftOf = (access: VideoAccess) => Promise<Readonly<Record<Bucket, QuotaState>>>;

/** A bucket of two budgets counts as one, with what is left of the emptier; for the person, where that is less. */
export async function spentLines(
  { spent: all }: Tally,
  { leftOf, words }: { readonly leftOf: LeftOf; readonly words: Words },
): Promise<readonly SpentLine[]> {
  const budgets = await Promise.all(
    all.map(async ({ access, spent }) => ({ spent, left: await leftOf(access) })),
  );
  return buckets.flatMap((bucket) => {
    const touched = budgets.filter(({ spent }) => (spent[bucket] ?? 0) > 0);
    if (touched.length === 0) return [];
    const count = touched.reduce((sum, { spent }) => sum + (spent[bucket] ?? 0), 0);
    const [emptiest] = touched.map(({ left }) => left[bucket]).sort((a, b) => least(a) - least(b));
    return [
      {
        cost: words.say("common.cost", { bucket, count }),
        left: leftText(emptiest, words),
      },
    ];
  });
}

function least({ bound, left }: QuotaState): number {
  return bound?.left ?? left;
}

function leftText(of: QuotaState | undefined, words: Words): string {
  if (of?.bound === undefined) return words.say("common.left", { left: of?.left ?? 0 });
  return words.say("common.left_of", { of: of.bound.of, left: of.bound.left });
}

/** `1 search · 99 left today · 2 units · 9,350 left today` */
export function spentText(lines: readonly SpentLine[]): string {
  return lines.flatMap(({ cost, left }) => [cost, left]).join(" · ");
}

/** The same reply with that at its foot; a question has said already what is left. */
export function withSpent(reply: Message, lines: readonly SpentLine[]): Message {
  if (lines.length === 0) return reply;
  const isAsk = reply.kind === "ask";
  return withFoot(reply, isAsk ? lines.map(({ cost }) => cost).join(" · ") : spentText(lines));
}

/** The same reply with who acts at its foot: said where it is not the channel that is meant without a word. */
export function withActing(reply: Message, channel: string, words: Words): Message {
  return withFoot(reply, words.say("common.acting", { channel }));
}

function withFoot(reply: Message, line: string): Message {
  if (reply.footer === undefined) return { ...reply, footer: line };
  if (reply.kind === "list") return { ...reply, footer: join([reply.footer, line], " · ") };
  return { ...reply, footer: `${reply.footer} · ${line}` };
}

/** `This costs 50 units; 9,350 are left today.` */
export function priceLine(cost: Cost, left: QuotaState, words: Words): string {
  const { bucket, cost: count } = cost;
  if (left.bound !== undefined) {
    const { of, limit, left: ofIt } = left.bound;
    return words.say("common.price_of", { bucket, count, of, limit, left: ofIt });
  }
  return words.say("common.price", { bucket, count, left: left.left });
}

interface SpentQuery {
  readonly guildId: string;
  readonly opened: Opened;
  readonly days: number;
}

/** `ctx.unitsSpent`: what a guild spent, each line with the connection that its project belongs to today. */
export async function unitsSpentBy(
  { guildId, opened, days }: SpentQuery,
  clients: Pick<Clients, "projectOf" | "unitsSpent">,
): Promise<readonly UnitsSpent[]> {
  const key = opened["video-key"]?.secret;
  const ofKey = key === undefined ? undefined : clients.projectOf({ key });
  const ofChannels = clients.projectOf({ channelOf: guildId });
  const kindOf = (project: string) => {
    if (project === ofKey) return "video-key";
    return project === ofChannels ? "channel" : "former";
  };
  const all = await clients.unitsSpent(guildId, days);
  return all.map((spent) => ({ ...spent, kind: kindOf(spent.project) }));
}
