import type { APIMessage } from "discord-api-types/v10";
import type { Platform, RestExchange } from "../../../src/sandbox/platform/index.ts";
import { textOf } from "../stage.ts";

/** What a person did, and what they saw of it. Times are those of `performance.now()`. */
export interface Asked {
  readonly kind: string;
  /** Stands in what it makes, and nowhere else. */
  readonly mark: string;
  readonly sentAt: number;
  acknowledgedAt: number | undefined;
  /** When the answer was there; progress is none. */
  answeredAt: number | undefined;
  /** What the person read at the end. */
  text: string;
  /** The last answer as it was sent, as JSON. */
  body: string;
  /** Every answer that was sent, one after the other. */
  readonly answers: string[];
  /** Discord's own words, where the bot did not acknowledge it. */
  refusal: string | undefined;
}

/** Everything that people did, and what was sent to them. */
export type AskedLog = ReturnType<typeof followInteractions>;

const firstAnswer = /^\/interactions\/\d+\/([^/]+)\/callback$/u;
const laterAnswer = /^\/webhooks\/\d+\/([^/]+)(?:\/messages\/.+)?$/u;
const postedMessage = /^\/channels\/\d+\/messages\/\d+$/u;
const reference = /\bReference \w+/u;
/** "Thinking…", and the same for a press: the answer follows. */
const deferred: ReadonlySet<unknown> = new Set([5, 6]);

/** Follows all interactions of a platform by what crosses its wire. */
export function followInteractions(platform: Platform) {
  const all: Asked[] = [];
  const byToken = new Map<string, Asked>();
  let beginning: Asked | undefined;

  platform.onGatewayEvent(({ name, data }) => {
    if (name !== "INTERACTION_CREATE" || beginning === undefined) return;
    byToken.set((data as { readonly token: string }).token, beginning);
  });
  platform.onExchange((exchange) => {
    const { method, path, status, requestBody } = exchange;
    if (status > 299 || method === "GET" || method === "DELETE") return;
    if (method === "PATCH" && postedMessage.test(path)) noteDecision(all, requestBody);
    const first = firstAnswer.exec(path)?.[1];
    const asked = byToken.get(first ?? laterAnswer.exec(path)?.[1] ?? "");
    if (asked === undefined) return;
    if (first !== undefined) noteFirst(asked, exchange);
    else note(asked, requestBody);
  });

  return {
    all,
    /** Lets a person act. */
    ask(what: Pick<Asked, "kind" | "mark">, act: (asked: Asked) => Promise<unknown>) {
      const asked: Asked = {
        ...what,
        sentAt: performance.now(),
        text: "",
        body: "",
        answers: [],
        acknowledgedAt: undefined,
        answeredAt: undefined,
        refusal: undefined,
      };
      all.push(asked);
      beginning = asked;
      const acting = act(asked);
      beginning = undefined;
      acting.catch((error: unknown) => {
        asked.refusal = String(error);
      });
      return asked;
    },
    /** Those whose answer is not there. */
    waiting: () =>
      all.filter(({ answeredAt, refusal }) => answeredAt === undefined && refusal === undefined),
  };
}

function noteFirst(asked: Asked, { requestBody }: RestExchange): void {
  asked.acknowledgedAt ??= performance.now();
  const { type, data } = requestBody as { readonly type: number; readonly data?: unknown };
  if (!deferred.has(type)) note(asked, data);
}

/** Whoever pressed Approve sees the card change, even if the process that changes it is not the one that was asked. */
function noteDecision(all: readonly Asked[], card: unknown): void {
  const json = JSON.stringify(card ?? null);
  if (json.includes('"label":"Approve"')) return;
  for (const asked of all) {
    if (asked.kind !== "approve" || !json.includes(asked.mark)) continue;
    asked.answeredAt ??= performance.now();
  }
}

function note(asked: Asked, body: unknown): void {
  // Progress has a button that cancels.
  const json = JSON.stringify(body ?? null);
  if (json.includes(":cancel:")) return;
  asked.body = json;
  asked.answeredAt = performance.now();
  asked.text = textOf((body ?? {}) as APIMessage);
  asked.answers.push(asked.text);
}

/** Whether the person was told that it failed, or that nobody knows: failures have a reference to the log. */
export function saysFailure(text: string): boolean {
  return reference.test(text);
}

/** Nobody knows whether it was done, so whoever asked is told to look. */
const unsure = /\bmay (?:have|still|or may not)\b|\bcheck\b|\bhalfway\b/iu;

/** Whether the person was told that it failed and that nothing was done: they will ask again. */
export function saysNothingDone(text: string): boolean {
  return saysFailure(text) && !unsure.test(text);
}

/** Whether the bot refused before it began, because it had too much to do. */
export function saysTooBusy(text: string): boolean {
  return /too busy/iu.test(text);
}

/** A process that is killed right after it told somebody leaves them to be told once more, with another reference. */
export function withoutReference(text: string): string {
  return text.replace(reference, "");
}
