import type { APIReaction } from "discord-api-types/v10";
import type { PlatformState, ReactionEmoji, StoredMessage, StoredReaction } from "./state.ts";

/** https://docs.discord.com/developers/resources/message#create-reaction */
export const maxReactions = 20;

/** An emoji as addresses name it, `👍` or `name:id`; undefined for what is none, or none of the server's. */
export function emojiFrom({ expressions }: PlatformState, text: string): ReactionEmoji | undefined {
  const [name = "", id] = text.split(":");
  if (id === undefined) {
    // Half of all emoji are text without the mark that follows them, and libraries leave it out.
    const isEmoji = [text, `${text}\ufe0f`].some((each) => /^\p{RGI_Emoji}$/v.test(each));
    return isEmoji ? { id: null, name: text } : undefined;
  }
  const own = expressions.emojis.get(id);
  // The name may be an old one: the id alone counts.
  return own === undefined || name === "" ? undefined : { id, name: own.name };
}

export function reactionWith(
  { reactions }: StoredMessage,
  { id, name }: ReactionEmoji,
): StoredReaction | undefined {
  return reactions.find(({ emoji }) => emoji.id === id && (id !== null || emoji.name === name));
}

/** As the user with this id sees them. */
export function shownReactions({ reactions }: StoredMessage, viewerId: string): APIReaction[] {
  return reactions.map(({ emoji, userIds }) => ({
    emoji: { ...emoji },
    count: userIds.size,
    count_details: { burst: 0, normal: userIds.size },
    burst_colors: [],
    me: userIds.has(viewerId),
    me_burst: false,
  }));
}

/** Updates the message as the bot sees it and sends it to the pages. */
function show(state: PlatformState, stored: StoredMessage): void {
  const { reactions: _, ...message } = stored.message;
  const shown = shownReactions(stored, state.guild.bot.id);
  stored.message = shown.length === 0 ? message : { ...message, reactions: shown };
  state.publish({ type: "message", message: state.shown(stored) }, stored.audience);
}

function send(
  state: PlatformState,
  name: "ADD" | "REMOVE" | "REMOVE_ALL" | "REMOVE_EMOJI",
  { message }: StoredMessage,
  more: object,
): void {
  const { id: message_id, channel_id: channelId } = message;
  state.dispatch({
    name: name === "ADD" ? "MESSAGE_REACTION_ADD" : `MESSAGE_REACTION_${name}`,
    channelId,
    data: { channel_id: channelId, message_id, ...more },
  });
}

/** Who chooses or gives up which emoji. */
interface ReactionChange {
  readonly userId: string;
  readonly emoji: ReactionEmoji;
}

/** Without effect where the user has chosen it already. */
export function addReaction(
  state: PlatformState,
  stored: StoredMessage,
  { userId, emoji }: ReactionChange,
): void {
  const known = reactionWith(stored, emoji);
  if (known?.userIds.has(userId)) return;
  if (known === undefined) stored.reactions.push({ emoji, userIds: new Set([userId]) });
  else known.userIds.add(userId);
  show(state, stored);
  const { author } = stored.message;
  const facts = { message_author_id: author.id, burst: false, type: 0 };
  send(state, "ADD", stored, { user_id: userId, emoji, ...facts });
}

/** Without effect where the user has not chosen it. */
export function removeReaction(
  state: PlatformState,
  stored: StoredMessage,
  { userId, emoji }: ReactionChange,
): void {
  const known = reactionWith(stored, emoji);
  if (known?.userIds.delete(userId) !== true) return;
  if (known.userIds.size === 0) drop(stored, known);
  show(state, stored);
  send(state, "REMOVE", stored, { user_id: userId, emoji, burst: false, type: 0 });
}

function drop({ reactions }: StoredMessage, gone: StoredReaction): void {
  reactions.splice(reactions.indexOf(gone), 1);
}

/** All of one emoji, or all of all; without effect where there are none. */
export function clearReactions(
  state: PlatformState,
  stored: StoredMessage,
  emoji?: ReactionEmoji,
): void {
  const known = emoji === undefined ? undefined : reactionWith(stored, emoji);
  if (emoji === undefined) stored.reactions.length = 0;
  else if (known !== undefined) drop(stored, known);
  show(state, stored);
  send(state, emoji === undefined ? "REMOVE_ALL" : "REMOVE_EMOJI", stored, emoji ? { emoji } : {});
}
