import type { APIMessage, APIUser, MessageFlags, MessageType } from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { attachmentsOf, filesOf, type MessageInput } from "./attached.ts";
import type { Fields } from "./check/check.ts";
import { type BodyKind, hasLayoutFlag, messageBody, messageFlags } from "./check/message.ts";
import { walk } from "./check/walk.ts";
import { componentsOf, embedsOf, mentionsOf } from "./message-parts.ts";
import { isHeld } from "./permissions.ts";
import { partnerIn, permissionsIn } from "./places.ts";
import { demand, refuse, rejections } from "./rejection.ts";
import { archive, isArchived, tellThread, threadOf } from "./threads.ts";
import { personById, type StoredMessage, type World } from "./world.ts";

export type { MessageInput } from "./attached.ts";

export interface NewMessage {
  readonly author: APIUser;
  readonly channelId: string;
  readonly audience?: PersonName;
  readonly type?: number;
  readonly flags?: number;
  /** Whom a text without `allowed_mentions` pings. */
  readonly pings: readonly string[];
  readonly extra?: Partial<APIMessage>;
}

function textOf(body: Fields): string {
  const shown = [...walk(body.components)]
    .filter(({ component }) => component.type === 10)
    .map(({ component }) => String(component.content));
  return [typeof body.content === "string" ? body.content : "", ...shown].join("\n");
}

function isEmpty(message: APIMessage): boolean {
  const { content, embeds, attachments, components } = message;
  return content === "" && embeds.length === 0 && attachments.length === 0 && !components?.length;
}

function apply(
  world: World,
  stored: StoredMessage,
  input: MessageInput,
  pings: readonly string[],
): void {
  const { body } = input;
  const { message } = stored;
  const files = filesOf(world, stored, input);
  const embeds =
    body.embeds === undefined ? message.embeds : embedsOf(world, body.embeds, files.byName);
  const components =
    body.components === undefined
      ? message.components
      : componentsOf(world, body.components, files.byName);
  const content =
    body.content === undefined
      ? message.content
      : typeof body.content === "string"
        ? body.content.trim()
        : "";
  const pinged =
    body.content === undefined && body.components === undefined
      ? {}
      : mentionsOf(world, textOf(body), {
          allowed: body.allowed_mentions,
          fallback: pings,
          mayCallAll: mayCallAll(world, message),
        });
  const next: APIMessage = {
    ...message,
    ...pinged,
    content,
    embeds,
    attachments: attachmentsOf(world, files.all, embeds),
    components: components ?? [],
  };
  if (isEmpty(next)) throw rejections.emptyMessage();
  stored.message = next;
  stored.files = files.all;
}

function mayCallAll(world: World, { author, channel_id: channelId }: APIMessage): boolean {
  if (partnerIn(world, channelId) !== undefined) return false;
  const who = personById(world, author.id) ?? "bot";
  return isHeld(permissionsIn(world, channelId, who), "callAll");
}

/** @throws Rejection when the body breaks a rule; nothing is stored then. */
export function createMessage(
  world: World,
  kind: BodyKind,
  made: NewMessage,
  input: MessageInput,
): StoredMessage {
  demand(messageBody(kind, hasLayoutFlag(input.body)), input.body);
  const stored = blank(world, made);
  const asked = typeof input.body.flags === "number" ? input.body.flags : 0;
  stored.message = { ...stored.message, flags: ((made.flags ?? 0) | asked) as MessageFlags };
  apply(world, stored, input, made.pings);
  return store(world, stored);
}

/** A message without text, whose type says what happened. */
export function createNotice(world: World, made: NewMessage): StoredMessage {
  return store(world, blank(world, made));
}

/** A message that still says "thinking". */
export function createLoadingMessage(world: World, made: NewMessage): StoredMessage {
  const stored = blank(world, made);
  const flags = ((made.flags ?? 0) | messageFlags.loading) as MessageFlags;
  stored.message = { ...stored.message, flags };
  return store(world, stored);
}

function blank(world: World, made: NewMessage): StoredMessage {
  const message: APIMessage = {
    id: world.nextId(),
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
    timestamp: new Date(world.now()).toISOString(),
    edited_timestamp: null,
    flags: 0 as MessageFlags,
    pinned: false,
    tts: false,
    ...made.extra,
  };
  const { audience } = made;
  return { message, audience, files: [], reactions: [], pinnedAt: undefined, isDismissed: false };
}

function store(world: World, stored: StoredMessage): StoredMessage {
  world.messages.set(stored.message.id, stored);
  if (stored.audience === undefined) join(world, stored.message);
  announce(world, stored, "MESSAGE_CREATE");
  return stored;
}

/** A message in a thread takes it out of the archive. */
function join(world: World, { id, channel_id: channelId }: APIMessage): void {
  const thread = threadOf(world, channelId);
  if (thread === undefined) return;
  const wasArchived = isArchived(world, thread);
  thread.messageIds.add(id);
  if (id !== thread.id) thread.sent += 1;
  archive(world, thread, false);
  if (wasArchived) tellThread(world, thread);
}

function announce(
  world: World,
  stored: StoredMessage,
  name: "MESSAGE_CREATE" | "MESSAGE_UPDATE",
): void {
  const message = world.shown(stored);
  world.publish({ type: "message", message }, stored.audience);
  // An ephemeral message exists for its interaction's token only.
  if (stored.audience === undefined) {
    world.dispatch({ name, data: message, channelId: message.channel_id });
  }
}

/** Flags that an edit may change; the components flag can only be added. */
function flagsAfter(message: APIMessage, body: Fields): MessageFlags {
  const now = (message.flags ?? 0) & ~messageFlags.loading;
  if (typeof body.flags !== "number") return now as MessageFlags;
  const fixed = now & ~messageFlags.suppressEmbeds;
  return (fixed |
    (body.flags & (messageFlags.suppressEmbeds | messageFlags.layout))) as MessageFlags;
}

/** @throws Rejection when the body breaks a rule; the message is as before then. */
export function editMessage(
  world: World,
  stored: StoredMessage,
  input: MessageInput,
  pings: readonly string[],
): void {
  const { message } = stored;
  const flags = flagsAfter(message, input.body);
  const isLayout = (flags & messageFlags.layout) !== 0;
  demand(messageBody("edit", isLayout), input.body);
  if (isLayout) refuseLegacyRest(message, input.body);
  const wasLoading = ((message.flags ?? 0) & messageFlags.loading) !== 0;
  apply(world, stored, input, pings);
  stored.message = {
    ...stored.message,
    flags,
    edited_timestamp: wasLoading ? null : new Date(world.now()).toISOString(),
  };
  announce(world, stored, "MESSAGE_UPDATE");
}

function refuseLegacyRest(message: APIMessage, body: Fields): void {
  for (const field of ["content", "embeds"] as const) {
    if (body[field] !== undefined || message[field].length === 0) continue;
    refuse(
      [field],
      "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
      `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    );
  }
}

export function deleteMessage(world: World, stored: StoredMessage): void {
  const { id, channel_id: channelId } = stored.message;
  world.messages.delete(id);
  world.threads.get(channelId)?.messageIds.delete(id);
  world.publish({ type: "message-deleted", channelId, messageId: id }, stored.audience);
  if (stored.audience !== undefined) return;
  world.dispatch({ name: "MESSAGE_DELETE", data: { id, channel_id: channelId }, channelId });
}

/** Shows for as long as `typingMs`, or until something is written. */
export function startTyping(world: World, channelId: string, userId: string): void {
  world.publish({ type: "typing", channelId, userId });
  const timestamp = Math.floor(world.now() / 1_000);
  const data = { channel_id: channelId, user_id: userId, timestamp };
  world.dispatch({ name: "TYPING_START", data, channelId });
}
