import type { Credential } from "../../store/index.ts";
import { hashOf } from "../grant.ts";
import { storeUnavailable } from "./failure.ts";
import { changeDraft, type OpenedTicket, readPending, takeTicket } from "./steps.ts";
import type { Decider, LinksOptions, PendingLink } from "./types.ts";

type Pending = OpenedTicket<"pending">;

/*
 * The requester's decision over a consent. All of it happens or nothing, so that the same button works again; who confirms
 * and who declines can't both come through.
 */

export function confirm(options: LinksOptions, handle: string, by: Decider): Promise<PendingLink> {
  return decide(options, { handle, by }, (pending) => keep(options, handle, pending));
}

export function decline(options: LinksOptions, handle: string, by: Decider): Promise<void> {
  return decide(options, { handle, by }, (pending) => drop(options, pending));
}

function decide<T>(
  options: LinksOptions,
  { handle, by }: { readonly handle: string; readonly by: Decider },
  work: (pending: Pending) => Promise<T>,
): Promise<T> {
  return options.database.transaction(async () => {
    const pending = await readPending(options, handle, by);
    // Only one of all who press at once gets it.
    await takeTicket(options, handle);
    const result = await work(pending);
    await changeDraft(options, pending.draft, () => undefined);
    return result;
  });
}

async function keep(
  options: LinksOptions,
  handle: string,
  { content, draft }: Pending,
): Promise<PendingLink> {
  const { guildId, userId, answerTo } = draft.ask;
  const { channel, permissions, revocationId } = content;
  await options.credentials.write(guildId, await credentialOf(options, { content, draft }));
  await options.revocations.remove(revocationId);
  await options.accessTokens.write(guildId, channel.channelId, {
    ...content.access,
    grantHash: hashOf(content.refreshToken),
  });
  return { handle, guildId, userId, answerTo, channel, permissions };
}

/** A new consent mends what was broken; the name that people gave the channel stays. */
async function credentialOf(
  { credentials, now }: LinksOptions,
  { content, draft }: Pending,
): Promise<Credential> {
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

async function drop({ revocations, now }: LinksOptions, { content }: Pending): Promise<void> {
  const { refreshToken, revocationId, channel } = content;
  await revocations.remove(revocationId);
  await revocations.add(refreshToken, { channelId: channel.channelId, dueAt: now() });
}
