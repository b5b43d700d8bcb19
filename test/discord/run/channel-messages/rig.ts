import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { createTimerClock } from "../../../../src/clock.ts";
import { collectRoutes, type Routes } from "../../../../src/discord/declare/routes.ts";
import {
  card,
  command,
  form,
  list,
  type NotificationReply,
  notice,
  type Press,
} from "../../../../src/discord/index.ts";
import { createChannelMessages } from "../../../../src/discord/run/channel-messages/create-channel-messages.ts";
import { createNotificationRenderer } from "../../../../src/discord/run/channel-messages/notification-renderer.ts";
import { createServerInfoCache } from "../../../../src/discord/run/channel-messages/server-info-cache.ts";
import type { Services } from "../../../../src/discord/run/services.ts";
import { createMessageRest } from "../../../../src/discord/wire/post.ts";
import { createRequestLimit } from "../../../../src/discord/wire/request-limit.ts";
import { action, type FeatureAction } from "../../../../src/features/declarations/index.ts";
import { createLog, createSecrets } from "../../../../src/log.ts";
import {
  type Platform,
  type RestExchange,
  startPlatform,
} from "../../../../src/sandbox/platform/index.ts";
import { openStore, type Store } from "../../../../src/store/index.ts";
import { checkExchange } from "../../../support/discord-spec.ts";
import {
  type TestChannelMessages,
  type TestMessage,
  testEvent,
} from "../../../support/test-event.ts";
import { languages } from "../../../support/words.ts";

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
export const rights = {
  channels: 1n << 4n,
  view: 1n << 10n,
  send: 1n << 11n,
  embed: 1n << 14n,
  history: 1n << 16n,
  threads: 1n << 34n,
  beginThreads: 1n << 35n,
} as const;

/** Matches a failure with that code, and at least those facts. */
export const known = (code: string, facts: object = {}) =>
  expect.objectContaining({ code, facts: expect.objectContaining(facts) });

/** An action whose answer replaces the message. */
export const approve = action<string>({
  name: "test.approve",
  answer: "update",
  by: "anyone",
  rank: "moderator",
  run: async () => notice({ tone: "good", title: "Approved" }),
});

export const reply = action<string>({
  name: "test.reply",
  answer: "form",
  by: "anyone",
  form: () => form({ title: "x", fields: [{ name: "x", label: "x" }], submit: approve.press("x") }),
});

export interface Facts {
  readonly text: string;
  /** Entries of a list. */
  readonly entries?: readonly string[];
  readonly handle?: string;
  readonly tags?: readonly string[];
  readonly title?: string;
  readonly isOver?: boolean;
}

/** Every press that the message may ever have. */
export const allPresses = (id: string): readonly Press[] => [approve.press(id), reply.press(id)];

const shown = testEvent<Facts>({
  name: "shown",
  run: (
    { words },
    { text, entries, handle, tags, title = "A comment", isOver = false },
  ): NotificationReply => {
    const kept = handle === undefined ? {} : { kept: { handle, presses: allPresses("1") } };
    const common = {
      ...kept,
      buttons: [
        { label: words.say("common.cancelled.title"), press: reply.press("1") },
        { label: "Approve", press: approve.press("1") },
      ],
      ...(tags !== undefined && { post: { title, tags, isOver } }),
    };
    if (entries !== undefined) {
      const items = entries.map((entry) => ({ title: entry, lines: [entry] }));
      return list({ title, text, items, ...common });
    }
    const author = { name: text };
    const fields = [{ name: text, value: text }];
    return card({ title, text, author, fields, footer: text, ...common });
  },
});

const astray = testEvent<Facts>({
  name: "astray",
  run: (_, { handle = "" }) =>
    notice({
      tone: "neutral",
      title: "x",
      buttons: [{ label: "x", press: approve.press("another") }],
      kept: { handle, presses: allPresses("1") },
    }),
});

export interface MessagesRig {
  readonly platform: Platform;
  readonly store: Store;
  readonly exchanges: readonly RestExchange[];
  readonly logged: readonly string[];
  readonly messages: TestChannelMessages;
  /** Another process on the same store. */
  another(): TestChannelMessages;
  /** A channel's id by its name. */
  channel(name: string): string;
  /** The id of a forum's tag. */
  tagId(forum: string, name: string): string;
  message(change?: Partial<TestMessage> & { readonly facts?: Facts }): TestMessage;
  /** Where the traffic so far breaks Discord's published specification. */
  violations(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const newHandle = () => randomBytes(16).toString("base64url");

const declared = command({
  notifications: [shown, astray],
  actions: [approve, reply] as FeatureAction<never>[],
});
const rigRoutes = collectRoutes(new Map([["test", declared]]));

/** With the notifications and actions above, unless others are given. */
export async function openMessagesRig(routes: Routes = rigRoutes): Promise<MessagesRig> {
  const exchanges: RestExchange[] = [];
  const logged: string[] = [];
  const platform = await startPlatform({ onExchange: (exchange) => exchanges.push(exchange) });
  const store = await openStore({
    url: "sqlite::memory:",
    keys: [{ id: "k1", key: new Uint8Array(32).fill(7) }],
  });
  const log = createLog({
    level: "debug",
    secrets: createSecrets(),
    write: (line) => logged.push(line),
  });
  function another(): TestChannelMessages {
    const limit = createRequestLimit({
      perSecond: () => 1_000,
      clock: createTimerClock(Date.now),
    });
    const rest = createMessageRest({
      api: `${platform.url}/api`,
      version: "10",
      // Otherwise discord.js would wait after fifty requests a second.
      globalRequestsPerSecond: Number.POSITIVE_INFINITY,
      makeRequest: limit.send(),
    });
    rest.setToken(platform.token);
    // Only what channel messages need.
    const services = {
      store,
      languages,
      commandIds: new Map(),
      log,
      now: Date.now,
      random: () => 0,
    } as unknown as Services;
    const botId = platform.applicationId;
    return createChannelMessages({
      drawing: createNotificationRenderer({
        routes,
        services,
        botId,
        features: { openNotification: (context) => context },
      }),
      services,
      rest,
      botId,
      settleMs: 20,
      serverInfo: createServerInfoCache(rest, Date.now),
    }) as TestChannelMessages;
  }

  const channel = (name: string) => platform.channels.find((one) => one.name === name)?.id ?? "";
  return {
    platform,
    store,
    exchanges,
    logged,
    another,
    channel,
    tagId: (forum, name) => platform.tags(forum).find((tag) => tag.name === name)?.id ?? "",
    messages: another(),
    message: ({ facts, ...change } = {}) => {
      const handle = change.handle ?? newHandle();
      return {
        guildId: platform.guildId,
        channelId: channel("moderators"),
        name: "shown",
        nonce: handle.slice(0, 22),
        ...change,
        handle,
        facts: { text: "Hello", handle, ...facts },
      };
    },
    violations: async () => (await Promise.all(exchanges.map(checkExchange))).flat(),
    async close() {
      await store.close();
      await platform.close();
    },
  };
}
