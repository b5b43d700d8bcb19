import type { Credential } from "../../store/index.ts";
import { hashOf } from "../grant.ts";
import type { LinksOptions } from "./create-links.ts";
import { storeUnavailable, underWay } from "./failure.ts";
import type { createSteps, Opened } from "./steps.ts";
import type { Decider, Links, PendingLink } from "./types.ts";

type Pending = Opened<"pending">;

const holdMs = 30_000;

/** The requester's decision over a consent. One at a time: who confirms and who declines can't both come through. */
export function createDecisions(
  steps: ReturnType<typeof createSteps>,
  options: LinksOptions,
): Pick<Links, "confirm" | "decline"> {
  const { credentials, accessTokens, revocations, leases, now } = options;

  async function alone<T>(by: Decider, decide: () => Promise<T>): Promise<T> {
    const lease = await leases.take(`link:${by.guildId}:${by.userId}`, holdMs);
    if (lease === undefined) throw underWay();
    return decide().finally(() => lease.release());
  }

  /** Until the link is written everything stays as it is, so that the same button works again. */
  async function keep(handle: string, { content, draft }: Pending): Promise<PendingLink> {
    const { guildId, userId, answerTo } = draft.ask;
    const { channel, permissions, revocationId } = content;
    await credentials.write(guildId, await credentialOf({ content, draft }));
    // The link is there: what fails from here on ends by itself, and a channel that is linked is not revoked.
    await Promise.allSettled([
      steps.take(handle),
      revocations.remove(revocationId),
      accessTokens.write(guildId, channel.channelId, {
        ...content.access,
        grantHash: hashOf(content.refreshToken),
      }),
    ]);
    await end(draft);
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

  async function drop(handle: string, { content, draft }: Pending): Promise<void> {
    await steps.take(handle);
    const { refreshToken, revocationId, channel } = content;
    // Where this fails, the row that was written beforehand ends it some minutes later.
    const due = { channelId: channel.channelId, dueAt: now() };
    await revocations
      .add(refreshToken, due)
      .then(() => revocations.remove(revocationId))
      .catch(() => undefined);
    options.onRevocation?.();
    await end(draft);
  }

  async function end(draft: Pending["draft"]): Promise<void> {
    await steps.change(draft, () => undefined).catch(() => undefined);
  }

  return {
    confirm: (handle, by) =>
      alone(by, async () => keep(handle, await steps.readPending(handle, by))),
    decline: (handle, by) =>
      alone(by, async () => drop(handle, await steps.readPending(handle, by))),
  };
}
