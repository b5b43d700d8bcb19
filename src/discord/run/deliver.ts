import type { APIMessage } from "discord.js";
import { backOffMs } from "../../clock.ts";
import { LostError, requireOwned, whileOwned } from "../../ownership.ts";
import type { RenderedMessage } from "../draw/render.ts";
import {
  type AnswerSendDeps,
  deleteOriginal,
  editOrFollowUp,
  editOriginal,
  followUpPrivately,
} from "../wire/send.ts";
import type { AcknowledgedInteraction, Interaction } from "./interaction.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { RecordedAnswer } from "./open-interactions.ts";

/** An answer as it is sent. */
export interface DrawnAnswer {
  readonly drawn: RenderedMessage;
  /** In a message of its own that only the person sees, and not in place of the interaction's own message. */
  readonly isBeside: boolean;
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
  deps: InteractionDeps,
  interaction: AcknowledgedInteraction,
  { drawn, isBeside }: DrawnAnswer,
): Promise<APIMessage | undefined> {
  const { open } = deps;
  const isDeleted = isBeside && interaction.answer === "public";
  const parts = { drawn, isBeside, isDeleted };
  // A new message shows by itself whether it was answered, and on SQLite nobody else can have the interaction.
  if (open.isShared || interaction.answer === "update" || isBeside) {
    const recorded = toRecord(parts);
    const isMine = await untilStored(deps, () =>
      recorded === undefined
        ? isSurelyOwned(deps, interaction)
        : open.record(interaction, recorded),
    ).catch(() => false);
    // On SQLite an earlier answer, which Discord refused, may be on record still.
    if (!isMine && open.isShared) throw new LostError();
  }
  return send(deps, interaction, parts);
}

/** Sends what another process had put on record. @throws as `deliverAnswer` does */
export async function deliverRecorded(
  deps: InteractionDeps,
  interaction: Interaction,
  recorded: RecordedAnswer,
): Promise<void> {
  const { isBeside, isDeleted } = recorded;
  await send(deps, interaction, { drawn: fromRecord(recorded), isBeside, isDeleted });
}

interface AnswerParts extends DrawnAnswer {
  readonly isDeleted: boolean;
}

/** Undefined where its files are too long for a record. */
function toRecord({ drawn, ...parts }: AnswerParts): RecordedAnswer | undefined {
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

function fromRecord({ payload, files }: RecordedAnswer): RenderedMessage {
  const decoded = files.map(({ base64, ...file }) => ({
    ...file,
    data: Buffer.from(base64, "base64"),
  }));
  return { payload, files: decoded };
}

async function send(
  deps: InteractionDeps,
  interaction: Interaction,
  { drawn, isBeside, isDeleted }: AnswerParts,
): Promise<APIMessage | undefined> {
  const to = sendDeps(deps, interaction);
  try {
    return await whileStillOwned(deps, interaction, async () => {
      if (isDeleted) await deleteOriginal(to);
      if (!isBeside) return editOrFollowUp(to, drawn);
      await followUpPrivately(to, drawn);
      return undefined;
    });
  } catch (error) {
    if (error instanceof LostError) throw error;
    await untilStored(deps, () => deps.open.retract(interaction)).catch((lost: unknown) => {
      interaction.log().warn("an answer that was not sent stays on record", { error: lost });
    });
    throw error;
  }
}

/** Replaces an answer that was sent by a later one, or by progress. Where somebody has deleted it, nothing is sent. */
export async function redeliver(
  deps: InteractionDeps,
  interaction: Interaction,
  drawn: RenderedMessage,
): Promise<void> {
  await editOriginal(sendDeps(deps, interaction), drawn);
}

/** Shows how far the work is. Where another process has answered meanwhile, that answer is put back. */
export async function deliverProgress(
  deps: InteractionDeps,
  interaction: Interaction,
  drawn: RenderedMessage,
): Promise<void> {
  const { isShared } = deps.open;
  if (isShared && !(await isSurelyOwned(deps, interaction))) return stopLost(deps, interaction);
  try {
    await whileStillOwned(deps, interaction, () => redeliver(deps, interaction, drawn));
  } finally {
    // What fails may have arrived all the same.
    if (isShared) await putBack(deps, interaction);
  }
}

/** Shows again what another process has answered meanwhile. */
async function putBack(deps: InteractionDeps, interaction: Interaction): Promise<void> {
  const { open } = deps;
  if (await untilStored(deps, () => open.isOwned(interaction))) return;
  stopLost(deps, interaction);
  const answer = await untilStored(deps, () => open.readAnswer(interaction));
  // Progress can't have overwritten an answer in a message of its own.
  if (answer?.isBeside === false) await redeliver(deps, interaction, fromRecord(answer));
}

/** If it was claimed under an earlier id of this process, it was stopped already, and may have begun again since. */
function stopLost({ running, services }: InteractionDeps, { processId, raw }: Interaction): void {
  if (processId === services.processId) running.stopLost(raw.id);
}

/** Each repeated try, and each follow-up, asks first whether this process still has the interaction. */
function whileStillOwned<T>(
  deps: InteractionDeps,
  interaction: Interaction,
  work: () => Promise<T>,
): Promise<T> {
  const { open } = deps;
  return open.isShared
    ? whileOwned(() => untilStored(deps, () => open.isOwned(interaction)), work)
    : work();
}

/** Asked again where the process may have stood still before it read the answer. */
async function isSurelyOwned({ open }: InteractionDeps, interaction: Interaction) {
  try {
    await whileOwned(() => open.isOwned(interaction), requireOwned);
    return true;
  } catch (error) {
    if (error instanceof LostError) return false;
    throw error;
  }
}

/** Tries again where the database is away and others may have what is stored. */
async function untilStored<T>(
  { open, services: { random } }: InteractionDeps,
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

/** Discord may get an edit before it has read the response that acknowledged the interaction. */
const openingMs = 3_000;

export function sendDeps(
  { answerRest: rest, services: { random, now } }: InteractionDeps,
  { raw: { application_id: applicationId, token }, respond, acknowledgedAt = 0 }: Interaction,
): AnswerSendDeps {
  const to = { applicationId, token, rest, random };
  return respond === undefined
    ? to
    : { ...to, isOpening: () => now() - acknowledgedAt < openingMs };
}
