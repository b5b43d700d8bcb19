import type { Credential } from "../../store/index.ts";
import { hashOf } from "../grant.ts";
import type { LinksOptions } from "./create-links.ts";
import { storeUnavailable } from "./failure.ts";
import type { createSteps, Opened } from "./steps.ts";
import type { Decider, PendingLink } from "./types.ts";

type Pending = Opened<"pending">;

/**
 * The requester's decision over a consent. All of it happens or nothing, so that the same button works again; who confirms
 * and who declines can't both come through.
 */
export function createDecisions(steps: ReturnType<typeof createSteps>, options: LinksOptions) {
  const { credentials, accessTokens, revocations, database, now } = options;

  function decide<T>(handle: string, by: Decider, work: (pending: Pending) => Promise<T>) {
    return database.transaction(async () => {
      const pending = await steps.readPending(handle, by);
      // Only one of all who press at once gets it.
      await steps.take(handle);
      const result = await work(pending);
      await steps.change(pending.draft, () => undefined);
      return result;
    });
  }

  async function keep(handle: string, { content, draft }: Pending): Promise<PendingLink> {
    const { guildId, userId, answerTo } = draft.ask;
    const { channel, permissions, revocationId } = content;
    await credentials.write(guildId, await credentialOf({ content, draft }));
    await revocations.remove(revocationId);
    await accessTokens.write(guildId, channel.channelId, {
      ...content.access,
      grantHash: hashOf(content.refreshToken),
    });
    return { handle, guildId, userId, answerTo, channel, permissions };
  }

  /** A new consent mends what was broken; the name that people gave the channel stays. */
  async function credentialOf({ content, draft }: Pending): Promise<Credential> {
    const { guildId, userId } = draft.ask;
    const { channelId, title } = content.channel;
    const before = await credentials.read(guildId, "channel", channelId);
    if (before.state === "failed") throw storeUnavailable(before.error);
    const name = before.state === "found" ? before.value.name : undefined;
    return {
      kind: "channel",
      secret: content.refreshToken,
      addedBy: userId,
      addedAt: now(),
      channelId,
      channelTitle: title,
      titleReadAt: content.readAt,
      scopes: content.scopes,
      ...(name !== undefined && { name }),
    };
  }

  async function drop({ content }: Pending): Promise<void> {
    const { refreshToken, revocationId, channel } = content;
    await revocations.remove(revocationId);
    await revocations.add(refreshToken, { channelId: channel.channelId, dueAt: now() });
  }

  return {
    /**
     * Stores the link, in place of an earlier one of the same channel. Only whom it was made for may.
     * @throws AccessError `link_over`, `under_way`; InputError `too_many_channels`, and then it may be tried again.
     */
    confirm: (handle: string, by: Decider) =>
      decide(handle, by, (pending) => keep(handle, pending)),
    /** Ends the consent at the service, unless that channel is linked somewhere. @throws AccessError `link_over`, `under_way`. */
    decline: (handle: string, by: Decider) => decide(handle, by, drop),
  };
}
