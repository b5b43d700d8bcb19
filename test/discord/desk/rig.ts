import { randomBytes } from "node:crypto";
import type { Desk, DeskMessage } from "../../../src/desk.ts";
import { event } from "../../../src/discord/declare/events.ts";
import { type Routes, routesOf } from "../../../src/discord/declare/routes.ts";
import {
  type Action,
  action,
  card,
  command,
  type EventReply,
  form,
  list,
  notice,
  type Press,
} from "../../../src/discord/index.ts";
import type { Services } from "../../../src/discord/run/context.ts";
import { createDesk } from "../../../src/discord/run/desk.ts";
import { createServerInfoCache } from "../../../src/discord/run/server-info-cache.ts";
import { createDeskRest } from "../../../src/discord/wire/post.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import {
  type Exchange,
  type Platform,
  startPlatform,
} from "../../../src/sandbox/platform/index.ts";
import { openStore, type Store } from "../../../src/store/index.ts";
import { checkExchange } from "../../support/discord-spec.ts";
import { languages } from "../../support/words.ts";

/** What is said in the middle of a press's answer. */
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

/** All that the message may ever have. */
export const allPresses = (id: string): readonly Press[] => [approve.press(id), reply.press(id)];

const shown = event<Facts>({
  name: "shown",
  run: (
    { words },
    { text, entries, handle, tags, title = "A comment", isOver = false },
  ): EventReply => {
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

const astray = event<Facts>({
  name: "astray",
  run: (_, { handle = "" }) =>
    notice({
      tone: "info",
      title: "x",
      buttons: [{ label: "x", press: approve.press("another") }],
      kept: { handle, presses: allPresses("1") },
    }),
});

export interface DeskRig {
  readonly platform: Platform;
  readonly store: Store;
  readonly exchanges: readonly Exchange[];
  readonly logged: readonly string[];
  readonly desk: Desk;
  /** Another process on the same store. */
  another(): Desk;
  /** Of a channel by its name. */
  channel(name: string): string;
  message(change?: Partial<DeskMessage> & { readonly facts?: Facts }): DeskMessage;
  /** What of the traffic so far breaks Discord's published specification. */
  violations(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const newHandle = () => randomBytes(16).toString("base64url");

const declared = command({ events: [shown, astray], actions: [approve, reply] as Action<never>[] });
const rigRoutes = routesOf(new Map([["test", declared]]));

/** With the events and actions above, or with others. */
export async function openDeskRig(routes: Routes = rigRoutes): Promise<DeskRig> {
  const exchanges: Exchange[] = [];
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
  function another(): Desk {
    const rest = createDeskRest({ api: `${platform.url}/api`, version: "10" });
    rest.setToken(platform.token);
    // Only what the desk needs.
    const services = { store, languages, log, now: Date.now, random: () => 0 };
    return createDesk({
      ...{ routes, rest, botId: platform.applicationId, settleMs: 20 },
      services: services as unknown as Services,
      places: createServerInfoCache(rest, Date.now),
    });
  }

  const channel = (name: string) => platform.channels.find((one) => one.name === name)?.id ?? "";
  return {
    ...{ platform, store, exchanges, logged, another, channel },
    desk: another(),
    message: ({ facts, ...change } = {}) => {
      const handle = change.handle ?? newHandle();
      return {
        ...{ guildId: platform.guildId, channelId: channel("moderators"), event: "shown" },
        ...{ nonce: handle.slice(0, 22), ...change, handle },
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
