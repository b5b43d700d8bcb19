import type { Fields } from "../check/check.ts";
import { botMay, channelOf, partnerIn } from "../places.ts";
import { rejections } from "../rejection.ts";
import { isArchived, isForum, threadOf } from "../threads.ts";
import type { World } from "../world.ts";

/** What a message of the bot pings that does not say whom. */
export const everyonePings = ["users", "roles", "everyone"];

interface Sent {
  readonly body: Fields;
  readonly files: number;
}

/** @throws Rejection 50007, 50008 or 50278 where none is reached, 50013 or 160002 where the bot may not. */
export function demandRights(world: World, channelId: string, { body, files }: Sent): void {
  const partner = partnerIn(world, channelId);
  if (partner !== undefined && !world.guildIds.has(world.cast.guildId)) {
    throw rejections.noMutualServer();
  }
  if (partner !== undefined && world.closedTo.has(partner)) throw rejections.takesNoMessages();
  const channel = channelOf(world, channelId);
  if (channel !== undefined && isForum(channel)) throw rejections.takesNoText();
  demandContentRights(world, channelId, { body, files });
  const isReply = body.message_reference != null;
  if (isReply && !botMay(world, channelId, "readHistory")) throw rejections.mayNotReply();
}

/** @throws Rejection 50013 where the bot may not write, embed or attach. */
export function demandContentRights(world: World, channelId: string, { body, files }: Sent): void {
  const hasEmbeds = Array.isArray(body.embeds) && body.embeds.length > 0;
  const isAllowed =
    botMay(world, channelId, "send") &&
    (!hasEmbeds || botMay(world, channelId, "embed")) &&
    (files === 0 || botMay(world, channelId, "attach"));
  if (!isAllowed) throw rejections.missingPermissions();
}

/** @throws Rejection 160005 or 50083 where the bot may not write, or change what stands there. */
export function demandOpen(world: World, channelId: string, isNew: boolean): void {
  const thread = threadOf(world, channelId);
  if (thread === undefined) return;
  const isBound = thread.isLocked && !botMay(world, channelId, "manageThreads");
  if (isBound) throw rejections.threadLocked();
  // What is new takes it out of the archive.
  if (!isNew && isArchived(world, thread)) throw rejections.threadArchived();
}
