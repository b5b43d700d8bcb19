import { createAnswerCache } from "../../../src/cache.ts";
import type { Rank } from "../../../src/discord/rank.ts";
import type { ServiceClients } from "../../../src/features/context/clients.ts";
import type { FeatureSuggest, SuggestCtx } from "../../../src/features/context/ctx.ts";
import { createVideoClients } from "../../../src/features/context/video-clients.ts";
import { createHttp } from "../../../src/http/index.ts";
import type { ServerModeration } from "../../../src/moderation/index.ts";
import { startVideo } from "../../../src/sandbox/video/index.ts";
import type { CredentialKind, ServerSettings } from "../../../src/store/index.ts";
import { createVideoClient, methods } from "../../../src/video/index.ts";
import { words } from "../../support/words.ts";

export interface Asking {
  readonly rank?: Rank;
  /** The server's credentials; all when absent. */
  readonly has?: readonly CredentialKind[];
  readonly others?: Readonly<Record<string, string>>;
  readonly tag?: string;
  readonly settings?: ServerSettings;
  readonly guildId?: string;
  readonly channelNames?: Readonly<Record<string, string>>;
  readonly moderation?: object;
}

/** YouTube's stand-in, asked the way suggestions ask it: per server, by rank, and through the cache. */
export async function openRig() {
  const requests: string[] = [];
  const scopes = [...new Set<string>(Object.values(methods).flatMap((row) => [...row.scopes]))];
  const service = await startVideo({
    identify: (token) =>
      token === "own-token" ? { channelId: service.ownChannelId, scopes } : undefined,
    onRequest: ({ method }) => requests.push(method ?? ""),
  });
  const http = createHttp();
  const answers = createAnswerCache(Date.now);
  const clients: ServiceClients = {
    video: (access) =>
      createVideoClient({
        baseUrl: service.url,
        http,
        ...("key" in access ? { key: access.key } : { token: "own-token" }),
      }),
    left: () => Promise.reject(new Error("nobody asks for it")),
    afford: () => Promise.reject(new Error("nobody asks for it")),
    takeForDecisions: () => Promise.reject(new Error("nobody asks for it")),
    affordCredits: () => Promise.reject(new Error("nobody asks for it")),
    creditsSpent: () => Promise.reject(new Error("nobody asks for it")),
    unitsSpent: () => Promise.reject(new Error("nobody asks for it")),
    projectOf: () => undefined,
    background: () => {
      throw new Error("nobody asks for it");
    },
  };

  function ctxOf(asking: Asking): SuggestCtx {
    const { rank = "member", has = ["video-key", "channel"], guildId = "1".repeat(18) } = asking;
    const { settings = {}, others = {}, tag = "en-US" } = asking;
    const facts = { addedBy: "2".repeat(18), addedAt: 1 };
    const opened = {
      ...(has.includes("video-key") && {
        "video-key": { ...facts, kind: "video-key" as const, secret: service.key },
      }),
      ...(has.includes("channel") && {
        channel: {
          ...facts,
          kind: "channel" as const,
          secret: "refresh",
          channelId: service.ownChannelId,
        },
      }),
    };
    const access = createVideoClients({
      guildId,
      rank,
      view: "private",
      demands: { method: "videos.list" },
      opened,
      billedTo: { guildId, userId: "2".repeat(18), command: "x" },
      clients,
      answers,
      local: { hl: tag.split("-")[0] ?? "en", region: settings.region },
      onSpent: () => undefined,
      files: undefined,
      now: Date.now,
      servers: { version: async () => "", noteChange: async () => undefined },
    });
    return {
      guildId,
      userId: "2".repeat(18),
      rank,
      settings,
      others,
      words: words(tag),
      hl: tag.split("-")[0] ?? "en",
      has: (kind) => kind in opened,
      channelId: opened.channel?.channelId,
      channels: async () => (opened.channel === undefined ? [] : [opened.channel]),
      feeds: async () => [],
      channelName: async (id) => asking.channelNames?.[id],
      forumTags: async () => [],
      get moderation() {
        if (asking.moderation === undefined) throw new Error("nobody asks for it");
        // Only what the suggestion under test uses.
        return asking.moderation as ServerModeration;
      },
      get video() {
        return access.video;
      },
      signal: AbortSignal.timeout(10_000),
      commands: [],
      now: () => Date.UTC(2026, 10, 21, 16, 30),
    };
  }

  return {
    service,
    /** Methods that the stand-in was called with, in order. */
    requests,
    suggest: (suggest: FeatureSuggest, typed: string, asking: Asking = {}) =>
      suggest(typed, ctxOf(asking)),
    /** A client of the linked channel that changes things without the bot's knowledge. */
    own: clients.video({ channelOf: "1".repeat(18) }, { guildId: "", userId: "", command: "" }),
    close: async () => {
      await http.close();
      await service.close();
    },
  };
}

export type Rig = Awaited<ReturnType<typeof openRig>>;
