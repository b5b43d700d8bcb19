import type { APIMessage, APIUser, MessageFlags, MessageType } from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { partnerIn, permissionsIn } from "./channel-access.ts";
import type { CheckedFields } from "./check/check.ts";
import { type MessageBodyKind, messageBody, messageFlags } from "./check/message.ts";
import { walkComponents } from "./check/walk-components.ts";
import { type MessageInput, messageFiles, readAttachments } from "./message-files.ts";
import { findMentions, renderComponents, renderEmbeds } from "./message-parts.ts";
import { isHeld } from "./permissions.ts";
import { demand, failField, rejection } from "./rejection.ts";
import { type PlatformState, personById, type StoredMessage } from "./state.ts";
import { findStoredThread, isThreadArchived, sendThread, setArchived } from "./threads.ts";

export type { MessageInput } from "./message-files.ts";

export interface NewMessage {
  readonly author: APIUser;
  readonly channelId: string;
  readonly audience?: PersonName;
  readonly type?: number;
  readonly flags?: number;
  /** What a text may ping without `allowed_mentions`. */
  readonly pings: readonly string[];
  readonly extra?: Partial<APIMessage>;
}

function readText(body: CheckedFields): string {
  const shown = [...walkComponents(body.components)]
    .filter(({ component }) => component.type === 10)
    .map(({ component }) => String(component.content));
  return [typeof body.content === "string" ? body.content : "", ...shown].join("\n");
}

function apply(
  state: PlatformState,
  stored: StoredMessage,
  input: MessageInput,
  pings: readonly string[],
): void {
  const { body } = input;
  const { message } = stored;
  const files = messageFiles(state, stored, input);
  const embeds =
    body.embeds === undefined ? message.embeds : renderEmbeds(state, body.embeds, files.byName);
  const components =
    body.components === undefined
      ? message.components
      : renderComponents(state, body.components, files.byName);
  const written = typeof body.content === "string" ? body.content.trim() : "";
  const content = body.content === undefined ? message.content : written;
  const pinged =
    body.content === undefined && body.components === undefined
      ? {}
      : findMentions(state, readText(body), {
          allowed: body.allowed_mentions,
          fallback: pings,
          mayCallAll: mayCallAll(state, message),
        });
  const attachments = readAttachments(state, files.all, embeds);
  const parts = [embeds, attachments, components ?? []];
  if (content === "" && parts.every(({ length }) => length === 0)) throw rejection("emptyMessage");
  stored.message = {
    ...message,
    ...pinged,
    content,
    embeds,
    attachments,
    components: components ?? [],
  };
  stored.files = files.all;
}

function mayCallAll(state: PlatformState, { author, channel_id: channelId }: APIMessage): boolean {
  if (partnerIn(state, channelId) !== undefined) return false;
  const who = personById(state, author.id) ?? "bot";
  return isHeld(permissionsIn(state, channelId, who), "callAll");
}

/** @throws Rejection when the body breaks a rule; nothing is stored then. */
export function createMessage(
  state: PlatformState,
  kind: MessageBodyKind,
  made: NewMessage,
  input: MessageInput,
): StoredMessage {
  const flags = typeof input.body.flags === "number" ? input.body.flags : 0;
  demand(messageBody(kind, (flags & messageFlags.layout) !== 0), input.body);
  const stored = blank(state, { ...made, flags: (made.flags ?? 0) | flags });
  apply(state, stored, input, made.pings);
  return store(state, stored);
}

/** A message without text, whose type or flags say what it is. */
export function createNotice(state: PlatformState, made: NewMessage): StoredMessage {
  return store(state, blank(state, made));
}

function blank(state: PlatformState, made: NewMessage): StoredMessage {
  const message: APIMessage = {
    id: state.nextId(),
    channel_id: made.channelId,
    author: made.author,
    type: (made.type ?? 0) as MessageType,
    content: "",
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: [],
    embeds: [],
    components: [],
    timestamp: new Date(state.now()).toISOString(),
    edited_timestamp: null,
    flags: (made.flags ?? 0) as MessageFlags,
    pinned: false,
    tts: false,
    ...made.extra,
  };
  const { audience } = made;
  return { message, audience, files: [], reactions: [], pinnedAt: undefined, isDismissed: false };
}

function store(state: PlatformState, stored: StoredMessage): StoredMessage {
  state.messages.set(stored.message.id, stored);
  const { id, channel_id: channelId } = stored.message;
  const thread = findStoredThread(state, channelId);
  if (stored.audience === undefined && thread !== undefined) {
    const wasArchived = isThreadArchived(state, thread);
    thread.messageIds.add(id);
    if (id !== thread.starterId) thread.sent += 1;
    // A message in a thread takes it out of the archive.
    setArchived(state, thread, false);
    if (wasArchived) sendThread(state, thread);
  }
  announceMessage(state, stored, "MESSAGE_CREATE");
  return stored;
}

export function announceMessage(
  state: PlatformState,
  stored: StoredMessage,
  name: "MESSAGE_CREATE" | "MESSAGE_UPDATE",
): void {
  const message = state.shown(stored);
  state.publish({ type: "message", message }, stored.audience);
  // An ephemeral message exists for its interaction's token only.
  if (stored.audience === undefined) {
    state.dispatch({ name, data: message, channelId: message.channel_id });
  }
}

/** Flags that an edit may change; the components flag can only be added. */
function flagsAfter(message: APIMessage, body: CheckedFields): MessageFlags {
  const now = (message.flags ?? 0) & ~messageFlags.loading;
  if (typeof body.flags !== "number") return now as MessageFlags;
  const fixed = now & ~messageFlags.suppressEmbeds;
  return (fixed |
    (body.flags & (messageFlags.suppressEmbeds | messageFlags.layout))) as MessageFlags;
}

/** @throws Rejection when the body breaks a rule; the message is as before then. */
export function editStoredMessage(
  state: PlatformState,
  stored: StoredMessage,
  input: MessageInput,
  pings: readonly string[],
): void {
  const { message } = stored;
  const flags = flagsAfter(message, input.body);
  const isLayout = (flags & messageFlags.layout) !== 0;
  demand(messageBody("edit", isLayout), input.body);
  const legacyFields = isLayout ? (["content", "embeds"] as const) : [];
  for (const field of legacyFields) {
    if (input.body[field] !== undefined || message[field].length === 0) continue;
    failField(
      [field],
      "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
      `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    );
  }
  const wasLoading = ((message.flags ?? 0) & messageFlags.loading) !== 0;
  apply(state, stored, input, pings);
  stored.message = {
    ...stored.message,
    flags,
    edited_timestamp: wasLoading ? null : new Date(state.now()).toISOString(),
  };
  announceMessage(state, stored, "MESSAGE_UPDATE");
}

export function deleteMessage(state: PlatformState, stored: StoredMessage): void {
  const { id, channel_id: channelId } = stored.message;
  state.messages.delete(id);
  state.threads.get(channelId)?.messageIds.delete(id);
  state.publish({ type: "message-deleted", channelId, messageId: id }, stored.audience);
  if (stored.audience !== undefined) return;
  state.dispatch({ name: "MESSAGE_DELETE", data: { id, channel_id: channelId }, channelId });
}

/** Shows for as long as `typingMs`, or until something is written. */
export function startTyping(state: PlatformState, channelId: string, userId: string): void {
  state.publish({ type: "typing", channelId, userId });
  const timestamp = Math.floor(state.now() / 1_000);
  const data = { channel_id: channelId, user_id: userId, timestamp };
  state.dispatch({ name: "TYPING_START", data, channelId });
}
