import type { APIMessage } from "discord.js";
import { backOffMs } from "../../clock.ts";
import { LostError, requireOwned, whileOwned } from "../../ownership.ts";
import type { Answer } from "../declare/command.ts";
import type { RenderedMessage } from "../draw/render.ts";
import type { ReplyFile } from "../draw/reply.ts";
import {
  deleteOriginal,
  editIfThere,
  editOrFollowUp,
  followUpPrivately,
  type MessageSendDeps,
  type ReplyAddress,
} from "../wire/send.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { ReceivedInteraction } from "./received-interaction.ts";

/** What sending the answer to an interaction needs. */
export type DeliveryDeps = Pick<InteractionDeps, "services" | "answerRest" | "open" | "running">;

/** Who gets an answer, and how the interaction was acknowledged. */
export interface DeliveryTarget {
  readonly received: ReceivedInteraction;
  readonly answer: Answer;
}

/** An answer as it is sent. */
export interface DrawnAnswer {
  readonly drawn: RenderedMessage;
  /** In a message of its own that only the person sees, and not in place of the interaction's own message. */
  readonly isBeside: boolean;
}

/** An answer as it is on record. */
export interface RecordedAnswer {
  readonly payload: RenderedMessage["payload"];
  readonly files: readonly (Omit<ReplyFile, "data"> & { readonly base64: string })[];
  readonly isBeside: boolean;
  /** Whether the interaction's own message is deleted: a public one can't become private. */
  readonly isDeleted: boolean;
}

/** Longer files are not kept: if their process ends before they are sent, what was asked runs again or its person is told. */
const maxRecordedBytes = 256 * 1024;
/** At least 20 s. If the database is away for longer, this process has lost the interaction, and whoever has it answers. */
const storeTries = 16;
const storeWaits = { firstMs: 250, longestMs: 3_000, jitter: 0.5 };

/**
 * Puts the answer on record, and sends it. Whichever process goes on with the interaction sends what is on record, so nobody
 * is answered in two ways. Returns the message that shows it; undefined where that is not the interaction's own.
 * @throws LostError where another process has the interaction; what Discord's refusal throws, and then nothing is on record
 */
export async function deliverAnswer(
  deps: DeliveryDeps,
  to: DeliveryTarget,
  { drawn, isBeside }: DrawnAnswer,
): Promise<APIMessage | undefined> {
  const { received } = to;
  const isDeleted = isBeside && to.answer === "public";
  const parts = { drawn, isBeside, isDeleted };
  if (!(await mayDeliver(deps, to, parts))) throw new LostError();
  return sendRecorded(deps, received, parts);
}

/** Sends what another process had put on record. @throws as `deliverAnswer` does */
export async function deliverRecorded(
  deps: DeliveryDeps,
  received: ReceivedInteraction,
  { isBeside, isDeleted, ...recorded }: RecordedAnswer,
): Promise<void> {
  await sendRecorded(deps, received, { drawn: drawnOf(recorded), isBeside, isDeleted });
}

function drawnOf({ payload, files }: Pick<RecordedAnswer, "payload" | "files">): RenderedMessage {
  const decoded = files.map(({ base64, ...file }) => ({
    ...file,
    data: Buffer.from(base64, "base64"),
  }));
  return { payload, files: decoded };
}

async function sendRecorded(
  deps: DeliveryDeps,
  received: ReceivedInteraction,
  parts: AnswerParts,
): Promise<APIMessage | undefined> {
  const { open } = deps;
  try {
    return await whileStillOwned(deps, received, () => send(deps, received, parts));
  } catch (error) {
    if (error instanceof LostError) throw error;
    await untilStored(deps, () => open.retract(received)).catch((lost: unknown) => {
      received.log().warn("an answer that was not sent stays on record", { error: lost });
    });
    throw error;
  }
}

/** Replaces an answer that was sent by a later one. */
export function redeliver(
  deps: DeliveryDeps,
  received: ReceivedInteraction,
  drawn: RenderedMessage,
): Promise<void> {
  return editIfThere(addressOf(received), drawn, sendDepsOf(deps, received));
}

/** Shows how far the work is. Where another process has answered meanwhile, that answer is put back. */
export async function deliverProgress(
  deps: DeliveryDeps,
  received: ReceivedInteraction,
  drawn: RenderedMessage,
): Promise<void> {
  const show = () => redeliver(deps, received, drawn);
  if (!deps.open.isShared) return show();
  if (!(await isSurelyOwned(deps, received))) return stopLost(deps, received);
  try {
    await whileStillOwned(deps, received, show);
  } finally {
    // What fails may have arrived all the same.
    await putBack(deps, received);
  }
}

/** Shows again what another process has answered meanwhile. */
async function putBack(deps: DeliveryDeps, received: ReceivedInteraction): Promise<void> {
  const { open } = deps;
  if (await untilStored(deps, () => open.isOwned(received))) return;
  stopLost(deps, received);
  const answer = await untilStored(deps, () => open.readAnswer(received));
  // Progress can't have overwritten an answer in a message of its own.
  if (answer?.isBeside === false) await redeliver(deps, received, drawnOf(answer));
}

/** Under another id, this process has stopped it before, and may have begun it again. */
function stopLost({ running, services }: DeliveryDeps, received: ReceivedInteraction): void {
  if (received.processId === services.processId) running.stopLost(received.interaction.id);
}

/** Each repeated try, and each follow-up, asks first whether this process still has the interaction. */
function whileStillOwned<T>(
  deps: DeliveryDeps,
  received: ReceivedInteraction,
  work: () => Promise<T>,
): Promise<T> {
  const { open } = deps;
  return open.isShared
    ? whileOwned(() => untilStored(deps, () => open.isOwned(received)), work)
    : work();
}

/** Asked again where the process may have stood still before it read the answer. */
async function isSurelyOwned({ open }: DeliveryDeps, received: ReceivedInteraction) {
  try {
    await whileOwned(() => open.isOwned(received), requireOwned);
    return true;
  } catch (error) {
    if (error instanceof LostError) return false;
    throw error;
  }
}

interface AnswerParts extends DrawnAnswer {
  readonly isDeleted: boolean;
}

async function mayDeliver(
  deps: DeliveryDeps,
  { received, answer }: DeliveryTarget,
  parts: AnswerParts,
): Promise<boolean> {
  const { open } = deps;
  // A new message shows by itself whether it was answered, and on SQLite nobody else can have the interaction.
  if (!open.isShared && answer !== "update" && !parts.isBeside) return true;
  const recorded = recordedOf(parts);
  const isMine = () =>
    recorded === undefined ? isSurelyOwned(deps, received) : open.record(received, recorded);
  // On SQLite an earlier answer, which Discord refused, may be on record still.
  return (await untilStored(deps, isMine).catch(() => false)) || !open.isShared;
}

/** Tries again where the database is away and others may have what is stored. */
async function untilStored<T>(
  { open, services: { random } }: DeliveryDeps,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!open.isShared || tries >= storeTries) throw error;
      const waitMs = backOffMs(tries, { ...storeWaits, random });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

function recordedOf({ drawn, ...parts }: AnswerParts): RecordedAnswer | undefined {
  let bytes = 0;
  const files: RecordedAnswer["files"][number][] = [];
  for (const file of drawn.files) {
    bytes += "onDisk" in file ? file.onDisk.bytes : file.data.length;
    if ("onDisk" in file || bytes > maxRecordedBytes) return undefined;
    const { data, ...named } = file;
    files.push({ ...named, base64: Buffer.from(data).toString("base64") });
  }
  return { ...parts, payload: drawn.payload, files };
}

async function send(
  deps: DeliveryDeps,
  received: ReceivedInteraction,
  { drawn, isBeside, isDeleted }: AnswerParts,
): Promise<APIMessage | undefined> {
  const [address, tools] = [addressOf(received), sendDepsOf(deps, received)];
  if (isDeleted) await deleteOriginal(address, tools);
  if (!isBeside) return editOrFollowUp(address, drawn, tools);
  await followUpPrivately(address, drawn, tools);
  return undefined;
}

/** Discord may get an edit before it has read the response that acknowledged the interaction. */
const openingMs = 3_000;

export function sendDepsOf(
  { answerRest: rest, services: { random, now } }: Pick<DeliveryDeps, "answerRest" | "services">,
  { respond, acknowledgedAt = 0 }: ReceivedInteraction,
): MessageSendDeps {
  if (respond === undefined) return { rest, random };
  return { rest, random, isOpening: () => now() - acknowledgedAt < openingMs };
}

export function addressOf({ interaction }: ReceivedInteraction): ReplyAddress {
  return { applicationId: interaction.application_id, token: interaction.token };
}
