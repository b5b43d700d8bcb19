import { setTimeout as wait } from "node:timers/promises";
import type { APIMessage } from "discord-api-types/v10";
import { query } from "../databases/shared-server.ts";
import { type Asked, saysFailure, saysNothingDone, withoutReference } from "./asked.ts";
import type { Load } from "./load.ts";
import type { StandIns } from "./stand-ins.ts";

/** What became of every command and every held comment: descriptions in words, grouped by what went wrong. */
export type Verdict = Awaited<ReturnType<typeof judge>>;

/** The longest time to wait for answers and cards. */
const patienceMs = 240_000;
const lookEveryMs = 500;
/** The words of Discord's stand-in, over the gateway and over HTTP. */
const saysLate = /did not respond (?:within 3 s|as it must: The operation was aborted)/u;

interface JudgedCampaign {
  readonly standIns: StandIns;
  readonly load: Load;
  readonly storeUrl: string;
}

/** Waits until everything is answered and shown, or time is up; then compares what was said with what was done. */
export async function judge(campaign: JudgedCampaign) {
  const { load } = campaign;
  await settle(campaign);
  const { all } = load.asked;
  const silent = all.filter(
    ({ acknowledgedAt, answeredAt }) => acknowledgedAt !== undefined && answeredAt === undefined,
  );
  const effects = await effectsOf(campaign);
  const failures = new Map<string, string[]>();
  for (const one of all.filter(({ text }) => saysFailure(text))) {
    const title = one.text.split("\n")[0] ?? "";
    failures.set(title, [...(failures.get(title) ?? []), describeAsked(one)]);
  }
  const { late = [], unacknowledged = [] } = Object.groupBy(
    all.filter(({ acknowledgedAt }) => acknowledgedAt === undefined),
    ({ refusal = "" }) => (saysLate.test(refusal) ? "late" : "unacknowledged"),
  );
  return {
    commands: all.length,
    /** How many commands per second were really sent. */
    perSecond: rateOf(all),
    held: load.held.size,
    /** Commands that were answered with a failure or an unknown outcome, by the answer's title. */
    failures,
    /** Discord said that the bot did not respond correctly. */
    unacknowledged: unacknowledged.map(describeAsked),
    /** Discord waited three seconds in vain, as happens on a slow machine. */
    late: late.map(describeAsked),
    /** Never answered. */
    silent: silent.map(describeAsked),
    /** Done or answered more than once. */
    twice: [
      ...all
        .filter(({ answers }) => new Set(answers.map(withoutReference)).size > 1)
        .map(describeAsked),
      ...all.flatMap((one) => describeTimes(one, effects, (times) => times > 1)),
      ...cardsThat(load, effects.cards, (times) => times > 1),
      ...(effects.credits > effects.pictures
        ? [`${effects.credits} pictures were charged, ${effects.pictures} were asked for`]
        : []),
    ],
    /** Done although people were told that nothing was done or that the bot did not respond, so they will try again. */
    doneAnyway: all
      .filter(isNothingExpected)
      .flatMap((one) => describeTimes(one, effects, (times) => times > 0)),
    /** Confirmed but not done; also held comments without a card. */
    lost: [...missingIn(all, effects), ...cardsThat(load, effects.cards, (times) => times === 0)],
    acknowledgeMs: mostOf(all, ({ sentAt, acknowledgedAt = sentAt }) => acknowledgedAt - sentAt),
    answerMs: mostOf(all, ({ sentAt, answeredAt = sentAt }) => answeredAt - sentAt),
  };
}

/** Whether the person believes that nothing was done. */
function isNothingExpected({ acknowledgedAt, text }: Asked): boolean {
  return acknowledgedAt === undefined || saysNothingDone(text);
}

function rateOf(all: readonly Asked[]): number {
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return (all.length * 1_000) / (last.sentAt - first.sentAt);
}

function mostOf(all: readonly Asked[], value: (one: Asked) => number): number {
  return all.reduce((most, one) => Math.max(most, value(one)), 0);
}

function describeAsked({ kind, mark, refusal, answers }: Asked): string {
  const words = answers.map((text) => text.slice(0, 80).replaceAll("\n", " / "));
  return [kind, mark, refusal ?? "", ...words].join(" · ");
}

/** Waits for decisions too: they are sent some seconds after the press, and by another process if theirs was killed. */
async function settle(campaign: JudgedCampaign): Promise<void> {
  const { load, standIns } = campaign;
  const until = performance.now() + patienceMs;
  const isOver = async () =>
    load.asked.waiting().length === 0 &&
    cardsThat(load, cardsIn(standIns), (times) => times === 0).length === 0 &&
    missingIn(load.asked.all, { approve: await approvalsIn(campaign) }).length === 0;
  while (performance.now() < until && !(await isOver())) await wait(lookEveryMs);
  // Time for duplicates to appear.
  await wait(2_000);
}

/** What was confirmed but was not done. */
function missingIn(all: readonly Asked[], effects: Partial<Effects>): readonly string[] {
  return all
    .filter(({ answeredAt, text }) => answeredAt !== undefined && !saysFailure(text))
    .flatMap((one) => describeTimes(one, effects, (times) => times === 0));
}

/** How often each thing is there, by the mark in its text. */
interface Effects {
  readonly playlist: ReadonlyMap<string, number>;
  readonly comment: ReadonlyMap<string, number>;
  readonly approve: ReadonlyMap<string, number>;
  readonly cards: ReadonlyMap<string, number>;
  readonly credits: number;
  readonly pictures: number;
}

/** A cut-out of a small picture costs a quarter of a credit. */
const creditsPerPicture = 0.25;

async function effectsOf(campaign: JudgedCampaign): Promise<Effects> {
  const { standIns, load } = campaign;
  const all = `part=snippet&maxResults=50`;
  const playlists = await standIns.readList(`playlists?mine=true&${all}`);
  const comments = await standIns.readList(`commentThreads?videoId=${load.videoId}&${all}`);
  return {
    playlist: marksIn(playlists, /heron\d+/gu),
    comment: marksIn(comments, /heron\d+/gu),
    approve: await approvalsIn(campaign),
    cards: cardsIn(standIns),
    credits: (await standIns.creditsSpent()) / creditsPerPicture,
    pictures: load.asked.all.filter(({ kind }) => kind === "picture").length,
  };
}

/** How often each held comment was approved, according to the records. */
async function approvalsIn({ load, storeUrl }: JudgedCampaign): Promise<Effects["approve"]> {
  const rows = await query(storeUrl, "select data from audit_log");
  const decisions = rows.map(({ data }) => JSON.parse(String(data)) as Decision);
  const approved = decisions.filter(({ act }) => act === "approved");
  const words = approved.map(({ commentId }) => load.held.get(commentId)?.word ?? "");
  return marksIn(words, /kestrel\d+/gu);
}

interface Decision {
  readonly act: string;
  readonly commentId: string;
}

/** How many messages in the channel show each held comment. */
function cardsIn({ platform }: StandIns): ReadonlyMap<string, number> {
  const posted = platform.people("owner").messages().filter(isPosted);
  return marksIn(posted, /kestrel\d+/gu);
}

/** Whether the message is not an answer to an interaction. */
function isPosted({ interaction_metadata: asked }: APIMessage): boolean {
  return asked === undefined;
}

function marksIn(all: readonly unknown[], mark: RegExp): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const one of all) {
    const found = JSON.stringify(one).match(mark) ?? [];
    for (const word of new Set(found)) times.set(word, (times.get(word) ?? 0) + 1);
  }
  return times;
}

function describeTimes(
  one: Asked,
  effects: Partial<Effects>,
  isWrong: (times: number) => boolean,
): readonly string[] {
  if (one.kind !== "playlist" && one.kind !== "comment" && one.kind !== "approve") return [];
  const there = effects[one.kind];
  if (there === undefined) return [];
  const times = there.get(one.mark) ?? 0;
  return isWrong(times) ? [`${times} times: ${describeAsked(one)}`] : [];
}

function cardsThat(
  { held }: Load,
  cards: ReadonlyMap<string, number>,
  isWrong: (times: number) => boolean,
): readonly string[] {
  return [...held.values()].flatMap(({ word }) => {
    const times = cards.get(word) ?? 0;
    return isWrong(times) ? [`${times} cards: ${word}`] : [];
  });
}
