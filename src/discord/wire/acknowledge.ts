import { DiscordAPIError, REST } from "@discordjs/rest";
import type { APIMessage, RESTOptions } from "discord.js";
import {
  InteractionResponseType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
} from "discord-api-types/v10";
import { withTimeout } from "../../clock.ts";
import { acknowledgeMs } from "../draw/limits.ts";
import { encodeCancelId } from "./custom-id.ts";

/** The first answer to an interaction, as the callback route takes it. */
export interface FirstAnswer {
  readonly type: number;
  readonly data?: object;
}

/** What the first answer needs of an interaction. */
interface UnansweredInteraction {
  readonly id: string;
  readonly application_id: string;
  readonly token: string;
  /** The message that was pressed. */
  readonly message?: Pick<APIMessage, "id"> | undefined;
}

/** An interaction and its first answer. */
export interface Acknowledgement {
  readonly interaction: UnansweredInteraction;
  readonly answer: FirstAnswer;
  /** When Discord sent the interaction, by our clock. Milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/**
 * `accepted`: Discord has it. `expired`: the interaction is void, and nothing may be done for it. `unread`: Discord could not be
 * asked which of these for ten seconds.
 */
export type AcknowledgeResult = "accepted" | "expired" | "unread";

type TryResult = Exclude<AcknowledgeResult, "unread"> | "again" | "acknowledged before";

/** What Discord has as the first answer, and its message, unless that was deleted or could not be read. */
export interface FoundAnswer {
  readonly result: AcknowledgeResult;
  readonly message?: APIMessage;
}

/** `absent`: Discord has no first answer. */
type AcknowledgeLook = APIMessage | "deleted" | "absent" | "unread";

interface AcknowledgeDeps {
  /** Made by `createCallbackRest`. */
  readonly rest: REST;
  readonly random: () => number;
  readonly now: () => number;
}

/** Without discord.js's own retries, which are immediate, and endless on a 429 that names no time: we see every answer. */
export function createCallbackRest(options: Partial<RESTOptions>): REST {
  return new REST({ ...options, retries: 0, rejectOnRateLimit: () => true });
}

const { InteractionHasAlreadyBeenAcknowledged, UnknownInteraction, UnknownMessage } =
  RESTJSONErrorCodes;
const { DeferredChannelMessageWithSource, DeferredMessageUpdate } = InteractionResponseType;
const tryAgainMs = { shortest: 20, longest: 250 };
const lookAgainMs = { shortest: 200, longest: 400 };
const requestTimeoutMs = 900;
/** Discord accepts nothing 3 s after it sent the interaction; an answer that came in time can be read a second later. */
const decidedMs = 4_000;
const lookForMs = 10_000;

/**
 * Sends the first answer, again after every failure that may pass, with 20 to 250 ms of jitter, until 2.3 s after Discord
 * sent the interaction. 10062: too late. 40060 at the first try: another process, which could not claim the interaction in
 * time, has told the person so. 40060 later: that, or an earlier try arrived.
 */
export async function acknowledge(
  acknowledgement: Acknowledgement,
  deps: AcknowledgeDeps,
): Promise<AcknowledgeResult> {
  const { answer, arrivedAt } = acknowledgement;
  const until = arrivedAt + acknowledgeMs;
  const find = async () => (await findAcknowledged(acknowledgement, deps)).result;
  for (let isFirst = true; ; isFirst = false) {
    const leftMs = until - deps.now();
    if (leftMs <= 0) return isFirst || !isDeferral(answer) ? "expired" : find();
    const result = await tryOnce(acknowledgement, Math.min(leftMs, requestTimeoutMs), deps.rest);
    if (result === "acknowledged before") {
      if (isFirst) return "expired";
      return isDeferral(answer) ? find() : "accepted";
    }
    if (result !== "again") return result;
    await pause(tryAgainMs, deps);
  }
}

/** Whether work follows. Nothing follows other first answers, so nobody has to know whether they arrived. */
export function isDeferral({ type }: FirstAnswer): boolean {
  return type === DeferredChannelMessageWithSource || type === DeferredMessageUpdate;
}

/**
 * Whether a deferral is Discord's first answer: the message that it leads to is read until that is sure. A message of another
 * kind is somebody else's answer, one that refused.
 */
export async function findAcknowledged(
  { interaction, arrivedAt }: Omit<Acknowledgement, "answer">,
  deps: AcknowledgeDeps,
): Promise<FoundAnswer> {
  const begunAt = deps.now();
  for (let at = begunAt; ; at = deps.now()) {
    const look = await lookOnce(interaction, deps.rest);
    if (typeof look === "object") {
      return { result: isLedTo(look, interaction) ? "accepted" : "expired", message: look };
    }
    if (look === "deleted") return { result: "accepted" };
    if (look === "absent" && at - arrivedAt >= decidedMs) return { result: "expired" };
    if (look === "unread" && at - begunAt >= lookForMs) return { result: "unread" };
    await pause(lookAgainMs, deps);
  }
}

async function tryOnce(
  { interaction: { id, token }, answer: body }: Acknowledgement,
  timeoutMs: number,
  rest: REST,
): Promise<TryResult> {
  const route = Routes.interactionCallback(id, token);
  try {
    await withTimeout((signal) => rest.post(route, { body, auth: false, signal }), { timeoutMs });
    return "accepted";
  } catch (error) {
    if (!(error instanceof DiscordAPIError)) return "again";
    if (error.code === InteractionHasAlreadyBeenAcknowledged) return "acknowledged before";
    if (error.code === UnknownInteraction) return "expired";
    throw error;
  }
}

async function lookOnce(
  { application_id: applicationId, token }: UnansweredInteraction,
  rest: REST,
): Promise<AcknowledgeLook> {
  const route = Routes.webhookMessage(applicationId, token, "@original");
  try {
    const timeout = { timeoutMs: requestTimeoutMs };
    const read = await withTimeout((signal) => rest.get(route, { auth: false, signal }), timeout);
    return read as APIMessage;
  } catch (error) {
    if (!(error instanceof DiscordAPIError) || error.status === 429) return "unread";
    return error.code === UnknownMessage ? "deleted" : "absent";
  }
}

/** Whether a message is what the deferral leads to: it is loading, was pressed, or shows how far the work is. */
function isLedTo(message: APIMessage, interaction: UnansweredInteraction): boolean {
  if (interaction.message !== undefined && message.id === interaction.message.id) return true;
  return ((message.flags ?? 0) & MessageFlags.Loading) !== 0 || showsProgress(message, interaction);
}

export function showsProgress(
  { components }: APIMessage,
  { id }: Pick<UnansweredInteraction, "id">,
): boolean {
  return JSON.stringify(components ?? []).includes(encodeCancelId(id));
}

function pause(
  { shortest, longest }: typeof tryAgainMs,
  { random }: Pick<AcknowledgeDeps, "random">,
): Promise<void> {
  const waitMs = shortest + random() * (longest - shortest);
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
