import type { APIMessage } from "discord-api-types/v10";
import type { Platform, RestExchange } from "../../../src/sandbox/platform/index.ts";
import { textOf } from "../stage.ts";

/** What a person did, and what they saw afterwards. Times are those of `performance.now()`. */
export interface Asked {
  readonly kind: string;
  /** A text that is in what the action makes, and nowhere else. */
  readonly mark: string;
  readonly sentAt: number;
  acknowledgedAt: number | undefined;
  /** When the answer was there; progress does not count. */
  answeredAt: number | undefined;
  /** The text that the person read last. */
  text: string;
  /** The last answer as it was sent, as JSON. */
  body: string;
  /** Every answer that was sent, in order. */
  readonly answers: string[];
  /** The error of the stand-in for Discord, if the bot did not acknowledge the action. */
  refusal: string | undefined;
}

/** Everything that people did, and the answers that they got. */
export type AskedLog = ReturnType<typeof followInteractions>;

const firstAnswer = /^\/interactions\/\d+\/([^/]+)\/callback$/u;
const laterAnswer = /^\/webhooks\/\d+\/([^/]+)(?:\/messages\/.+)?$/u;
const postedMessage = /^\/channels\/\d+\/messages\/\d+$/u;
const reference = /\bReference \w+/u;
/** "Thinking…", and its counterpart for a press: the answer follows. */
const deferred: ReadonlySet<unknown> = new Set([5, 6]);

/** Follows all interactions of a stand-in by its traffic. */
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
    /** Lets a person do something. */
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
    /** Actions without an answer. */
    waiting: () =>
      all.filter(({ answeredAt, refusal }) => answeredAt === undefined && refusal === undefined),
  };
}

function noteFirst(asked: Asked, { requestBody }: RestExchange): void {
  asked.acknowledgedAt ??= performance.now();
  const { type, data } = requestBody as { readonly type: number; readonly data?: unknown };
  if (!deferred.has(type)) note(asked, data);
}

/** A press on Approve counts as answered when the card changes, whichever process changes it. */
function noteDecision(all: readonly Asked[], card: unknown): void {
  const json = JSON.stringify(card ?? null);
  if (json.includes('"label":"Approve"')) return;
  for (const asked of all) {
    if (asked.kind !== "approve" || !json.includes(asked.mark)) continue;
    asked.answeredAt ??= performance.now();
  }
}

function note(asked: Asked, body: unknown): void {
  // Progress has a Cancel button.
  const json = JSON.stringify(body ?? null);
  if (json.includes(":cancel:")) return;
  asked.body = json;
  asked.answeredAt = performance.now();
  asked.text = textOf((body ?? {}) as APIMessage);
  asked.answers.push(asked.text);
}

/** Whether the person read that it failed, or that the outcome is unknown: failures have a reference to the log. */
export function saysFailure(text: string): boolean {
  return reference.test(text);
}

/** Words that say that the outcome is unknown, so the person is told to check. */
const unsure = /\bmay (?:have|still|or may not)\b|\bcheck\b|\bhalfway\b/iu;

/** Whether the person read that it failed and that nothing was done: they will try again. */
export function saysNothingDone(text: string): boolean {
  return saysFailure(text) && !unsure.test(text);
}

/** Whether the bot refused because it had too much to do. */
export function saysTooBusy(text: string): boolean {
  return /too busy/iu.test(text);
}

/** A process that is killed right after it answered leads to a second answer with another reference. */
export function withoutReference(text: string): string {
  return text.replace(reference, "");
}
