import { DiscordAPIError, HTTPError, RateLimitError } from "@discordjs/rest";
import type { APIMessage, RawFile, REST } from "discord.js";
import { MessageFlags, RESTJSONErrorCodes, Routes } from "discord-api-types/v10";
import { backOffMs } from "../../clock.ts";
import { LimitError } from "../../errors.ts";
import { LostError, requireOwned } from "../../ownership.ts";
import type { RenderedMessage } from "../draw/render.ts";
import type { FileOnDisk } from "../draw/reply.ts";

export interface MessageSendDeps {
  readonly rest: REST;
  readonly random: () => number;
  /** Whether the interaction's token may not be in use yet. */
  readonly isOpening?: () => boolean;
}

/** An interaction's answers, and what they are sent with. */
export interface AnswerSendDeps extends MessageSendDeps {
  readonly applicationId: string;
  /** The interaction's token: good for 15 minutes. */
  readonly token: string;
}

const { RequestEntityTooLarge, UnknownMessage, UnknownWebhook } = RESTJSONErrorCodes;
const waits = { firstMs: 600, longestMs: 15_000, jitter: 1 };
/** All tries together fit into the 15 minutes of an interaction's token, whatever a 429 says. */
const longestLimitMs = 60_000;
/** For messages in channels: about ten seconds of waits. */
const usualTries = 6;
/**
 * About a minute of waits, for whatever an answer needs: someone is looking at “thinking…”, and there is no other way to tell
 * them.
 */
const answerTries = 12;

/** Replaces the interaction's own answer, unless somebody has deleted it. The same edit twice changes nothing, so it may be repeated. */
export async function editOriginal(
  to: AnswerSendDeps,
  rendered: RenderedMessage,
): Promise<APIMessage | "deleted"> {
  const { payload, files } = rendered;
  const isList = (payload.flags & MessageFlags.IsComponentsV2) !== 0;
  // A failure or progress, which a list may follow, has an embed, and such a message takes no components v2.
  const whole = isList ? { ...payload, content: null, embeds: null } : payload;
  const sent = { ...messageRequest({ payload: whole, files }), auth: false };
  const route = originalRoute(to);
  try {
    return await sendUntilDone<APIMessage>(to, () => to.rest.patch(route, sent), answerTries);
  } catch (error) {
    if (hasCode(error, UnknownMessage)) return "deleted";
    throw error;
  }
}

/**
 * The same, and in place of a deleted answer a message of its own for the person who asked. Returns what shows it; undefined for
 * such a message.
 */
export async function editOrFollowUp(
  to: AnswerSendDeps,
  rendered: RenderedMessage,
): Promise<APIMessage | undefined> {
  const edited = await editOriginal(to, rendered);
  if (edited !== "deleted") return edited;
  await followUpPrivately(to, rendered);
  return undefined;
}

/** The interaction's own answer as it is now; undefined where it was never acknowledged, or the answer is gone. */
export async function readOriginal(to: AnswerSendDeps): Promise<APIMessage | undefined> {
  const route = originalRoute(to);
  const read = () => to.rest.get(route, { auth: false });
  try {
    return await sendUntilDone<APIMessage>(to, read, answerTries);
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status >= 400 && error.status < 500) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Sends a second answer that only the person sees. It is sent again after a lost connection: twice is better than never.
 * @throws LostError where another process has the interaction
 */
export async function followUpPrivately(to: AnswerSendDeps, rendered: RenderedMessage) {
  const payload = { ...rendered.payload, flags: rendered.payload.flags | MessageFlags.Ephemeral };
  const route = Routes.webhook(to.applicationId, to.token);
  const sent = { ...messageRequest({ ...rendered, payload }), auth: false };
  // Repeating an edit changes nothing, but a repeated follow-up is a second message.
  await requireOwned();
  await sendUntilDone(to, () => to.rest.post(route, sent), answerTries);
}

/** Deletes the interaction's own answer, unless it is gone already. */
export async function deleteOriginal(to: AnswerSendDeps) {
  const route = originalRoute(to);
  try {
    await sendUntilDone(to, () => to.rest.delete(route, { auth: false }), answerTries);
  } catch (error) {
    // An earlier try, whose answer was lost, had already deleted it.
    if (!hasCode(error, UnknownMessage)) throw error;
  }
}

function originalRoute({ applicationId, token }: AnswerSendDeps) {
  return Routes.webhookMessage(applicationId, token, "@original");
}

/** A message as discord.js takes it. Files on disk are read while they are sent, anew for each try. */
export function messageRequest({ payload, files }: RenderedMessage) {
  const inMemory = files.flatMap((file, id): RawFile[] =>
    "onDisk" in file ? [] : [{ name: file.name, data: asBuffer(file.data), key: `files[${id}]` }],
  );
  if (inMemory.length === files.length) return { body: payload, files: inMemory };
  const form = new FormData();
  form.append("payload_json", JSON.stringify(payload));
  for (const [id, file] of files.entries()) {
    const { name } = file;
    const sent =
      "onDisk" in file
        ? new StreamedFile(name, file.onDisk)
        : new File([asBuffer(file.data)], name);
    form.append(`files[${id}]`, sent);
  }
  return { body: form, passThroughBody: true };
}

/** A part of a form whose bytes come from the disk. */
class StreamedFile extends File {
  override readonly size: number;
  readonly #onDisk: FileOnDisk;

  constructor(name: string, onDisk: FileOnDisk) {
    super([], name);
    this.size = onDisk.bytes;
    this.#onDisk = onDisk;
  }

  override stream() {
    return ReadableStream.from(this.#onDisk.read()) as ReturnType<File["stream"]>;
  }
}

/** A view, not a copy: the library copies it anyway. */
function asBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/**
 * Retry class `set`: 5xx, lost connections and a 429 are repeated with full jitter, a 429 no sooner than it says; refusals are
 * final. Before each repeat, this process must still own the work.
 * @throws LostError; what Discord answered last
 */
export async function sendUntilDone<T>(
  tools: Pick<MessageSendDeps, "random" | "isOpening">,
  send: () => Promise<unknown>,
  tries = usualTries,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) await requireOwned();
      // The caller knows the shape of Discord's answer.
      return (await send()) as T;
    } catch (error) {
      const isTooEarly = hasCode(error, UnknownWebhook) && tools.isOpening?.() === true;
      if (attempt >= tries || !(isTooEarly || mayPass(error))) throw error;
      const limitMs = error instanceof RateLimitError ? error.retryAfter : 0;
      const waitMs = backOffMs(attempt, { ...waits, random: tools.random });
      const pauseMs = Math.max(waitMs, Math.min(limitMs, longestLimitMs));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}

/** Whether the message's files are larger than Discord accepts, together or one of them. */
export function isRequestTooLarge(error: unknown): boolean {
  if (hasCode(error, RequestEntityTooLarge)) return true;
  return (error instanceof DiscordAPIError || error instanceof HTTPError) && error.status === 413;
}

/** Whether another try may succeed. */
export function mayPass(error: unknown): boolean {
  if (error instanceof DiscordAPIError) return error.status === 429;
  if (isRequestTooLarge(error)) return false;
  return ![TypeError, LostError, LimitError].some((kind) => error instanceof kind);
}
