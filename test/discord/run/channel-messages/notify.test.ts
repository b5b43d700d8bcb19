import { REST } from "@discordjs/rest";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createTimerClock } from "../../../../src/clock.ts";
import { collectRoutes } from "../../../../src/discord/declare/routes.ts";
import { command, notice } from "../../../../src/discord/index.ts";
import { createNotificationRenderer } from "../../../../src/discord/run/channel-messages/notification-renderer.ts";
import { createNotify } from "../../../../src/discord/run/channel-messages/notify.ts";
import type { Services } from "../../../../src/discord/run/services.ts";
import { createRequestLimit } from "../../../../src/discord/wire/request-limit.ts";
import { ServiceError } from "../../../../src/errors.ts";
import { action, type FeatureAction } from "../../../../src/features/declarations/index.ts";
import { createLanguages } from "../../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../../src/log.ts";
import { LostError, whileOwned } from "../../../../src/ownership.ts";
import { type Platform, startPlatform } from "../../../../src/sandbox/platform/index.ts";
import { openStore, type Store } from "../../../../src/store/index.ts";
import { serve } from "../../../support/server.ts";
import { textOf } from "../../../support/stage.ts";
import { type TestNotification, testEvent } from "../../../support/test-event.ts";

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
const sendMessages = 1n << 11n;

const press = action<string>({
  name: "test.press",
  answer: "private",
  by: "anyone",
  run: async () => notice({ tone: "good", title: "Pressed" }),
});

interface Facts {
  readonly guildId: string;
  readonly channelId?: string;
  readonly isConfidential?: boolean;
  readonly what: string;
}

const told = testEvent<Facts>({
  name: "told",
  to: ({ guildId, channelId, isConfidential = false }) =>
    channelId === undefined
      ? { kind: "notices", guildId }
      : { kind: "channel", guildId, channelId, isConfidential },
  run: ({ words }, { what }) =>
    notice({
      tone: "neutral",
      title: words.say("common.cancelled.title"),
      text: what,
      buttons: [{ label: "Press", press: press.press("x") }],
    }),
});

const broken = testEvent<Facts>({
  name: "broken",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: () => {
    throw new Error("its own fault");
  },
});

const answered = testEvent<Facts>({
  name: "answered",
  to: ({ guildId }) => ({
    kind: "answer",
    guildId,
    userId: "555555555555555555",
    answerTo: { applicationId: "1", interactionToken: "token", locale: "en-US" },
  }),
  run: (_, { what }) => notice({ tone: "good", title: what }),
});

const declared = command({
  notifications: [told, broken, answered],
  actions: [press] as FeatureAction<never>[],
});
const routes = collectRoutes(new Map([["test", declared]]));

describe("createNotify", () => {
  let platform: Platform;
  let store: Store;
  let logged: string[];
  let notify: (notification: TestNotification) => Promise<void>;
  beforeEach(async () => {
    platform = await startPlatform({});
    store = await openStore({
      url: "sqlite::memory:",
      keys: [{ id: "k1", key: new Uint8Array(32).fill(7) }],
    });
    logged = [];
    notify = notifier();
  });
  afterEach(async () => {
    await store.close();
    await platform.close();
  });

  /** A notifier, as every process has one. */
  function notifier(discordUrl = platform.url): typeof notify {
    const limit = createRequestLimit({ perSecond: () => 50, clock: createTimerClock(Date.now) });
    const options = { api: `${discordUrl}/api`, version: "10", makeRequest: limit.send() };
    const rest = new REST(options).setToken(platform.token);
    const log = createLog({
      level: "debug",
      secrets: createSecrets(),
      write: (line) => logged.push(line),
    });
    // Only what notifications need.
    const services = {
      store,
      languages: createLanguages(),
      log,
      commandIds: new Map(),
      now: Date.now,
      random: () => 0,
    } as unknown as Services;
    const drawing = createNotificationRenderer({
      routes,
      services,
      botId: platform.applicationId,
      features: { openNotification: (context) => context },
    });
    return createNotify({ drawing, services, rest, answerRest: rest }) as typeof notify;
  }

  const owner = () => platform.people("owner");
  const moderators = () => {
    const found = platform.channels.find(({ name }) => name === "moderators");
    return found?.id ?? "";
  };
  const facts = (what: string) => ({ guildId: platform.guildId, what });
  const choose = () =>
    store.settings.update(platform.guildId, () => ({ noticeChannelId: moderators() }));

  it("posts where the server chose, and writes to its owner without what can't be pressed there", async () => {
    await choose();

    await notify({ name: "told", facts: facts("Look here") });

    const [inChannel] = owner().messages("moderators");
    const [direct] = owner().directMessages();
    expect(JSON.stringify(inChannel?.components)).toContain('"label":"Press"');
    expect(JSON.stringify(direct?.components)).not.toContain("Press");
    expect(JSON.stringify(direct?.components)).toContain(
      `https://discord.com/channels/${platform.guildId}`,
    );
  });

  it("answers in a message of its own where somebody has deleted what it would replace", async () => {
    const sent: string[] = [];
    const discord = await serve((request, response) => {
      request.resume();
      sent.push(`${request.method} ${request.url}`);
      response.writeHead(request.method === "PATCH" ? 404 : 200, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify({ code: 10_008, message: "Unknown Message" }));
    });
    onTestFinished(discord.close);

    await notifier(discord.url)({ name: "answered", facts: facts("Linked") });

    expect(sent).toEqual([
      "PATCH /api/v10/webhooks/1/token/messages/%40original",
      "POST /api/v10/webhooks/1/token",
    ]);
    expect(logged).toEqual([]);
  });

  it("says the same facts once, whichever process sends them", async () => {
    await choose();

    await notify({ name: "told", facts: facts("Once") });
    await notifier()({ name: "told", facts: facts("Once") });
    await notify({ name: "told", facts: facts("Something else") });

    expect(owner().messages("moderators")).toHaveLength(2);
    expect(owner().directMessages()).toHaveLength(2);
  });

  it("still reaches the owner where it may not write in the channel", async () => {
    await choose();
    platform.forbidBot(moderators(), sendMessages);

    await notify({ name: "told", facts: facts("Look here") });

    expect(owner().messages("moderators")).toEqual([]);
    expect(owner().directMessages()).toHaveLength(1);
    expect(logged.join("")).toContain("was not posted");
  });

  it("posts all the same where the owner takes no messages, and logs when nobody is reached", async () => {
    owner().takeDirectMessages(false);
    await notify({ name: "told", facts: facts("Nobody") });
    await choose();
    await notify({ name: "told", facts: facts("Somebody") });

    expect(logged.filter((line) => line.includes("reached nobody"))).toHaveLength(1);
    expect(owner().messages("moderators").map(textOf).join()).toContain("Somebody");
    expect(owner().directMessages()).toEqual([]);
  });

  it("posts no notices where everyone can read them by then, unless somebody agreed to that", async () => {
    await choose();
    platform.changeChannel("moderators", { permission_overwrites: [] });

    await notify({ name: "told", facts: facts("For a few") });
    await store.settings.update(platform.guildId, (stored) => {
      return { ...stored, noticesMayBePublic: true };
    });
    await notify({ name: "told", facts: facts("For everyone") });

    const [only, ...others] = owner().messages("moderators").map(textOf);
    const [first, second] = owner().directMessages().map(textOf);
    expect(others).toEqual([]);
    expect(only).toContain("For everyone");
    expect(first).toMatch(/can read <#\d+>, so this isn’t posted there.*For a few/su);
    expect(second).not.toContain("can read");
  });

  it("sends the owner what is confidential and was to be posted where everyone can read it", async () => {
    const place = { channelId: moderators(), isConfidential: true };
    await notify({ name: "told", facts: { ...facts("In private"), ...place } });
    platform.changeChannel("moderators", { permission_overwrites: [] });
    await notify({ name: "told", facts: { ...facts("In public"), ...place } });

    const posted = owner().messages("moderators").map(textOf);
    const direct = owner().directMessages().map(textOf);
    expect(posted).toEqual([expect.stringContaining("In private")]);
    expect(direct).toEqual([expect.stringContaining("In public")]);
  });

  it("asks again who can read the channel when the first answer is lost", async () => {
    platform.changeChannel("moderators", { permission_overwrites: [] });
    const paths = [/guilds\/\d+(?:\?|$)/u, /channels\/\d+$/u];
    for (const path of paths)
      platform.faults.add({ kind: "cut-before", path, method: "GET", times: 1 });

    const place = { channelId: moderators(), isConfidential: true };
    await notify({ name: "told", facts: { ...facts("In public"), ...place } });

    expect(owner().messages("moderators")).toEqual([]);
    expect(owner().directMessages().map(textOf)).toEqual([expect.stringContaining("In public")]);
  });

  it("speaks the server's language", async () => {
    platform.setGuildLocale("de");
    await notify({ name: "told", facts: facts("Hier") });

    const [direct] = owner().directMessages();
    expect(direct && textOf(direct)).toContain("Abgebrochen");
  });

  it("posts in a channel of Discord's, and says so when it can't", async () => {
    const channelId = moderators();
    await notify({ name: "told", facts: { ...facts("Card"), channelId } });
    platform.forbidBot(channelId, sendMessages);
    await notify({ name: "told", facts: { ...facts("Other"), channelId } });

    expect(owner().messages("moderators").map(textOf)).toEqual([expect.stringContaining("Card")]);
    expect(logged.join("")).toContain("was not posted");
    expect(owner().directMessages()).toEqual([]);
  });

  it("throws for nothing: neither for an event that fails nor for one that nobody declares", async () => {
    await notify({ name: "broken", facts: facts("x") });
    await notify({ name: "nothing", facts: facts("x") });

    expect(logged.filter((line) => line.includes("was not sent"))).toHaveLength(2);
  });

  it.each([
    ["lost the work", new LostError()],
    ["can't ask whose it is", new ServiceError("away", { code: "store_unavailable" })],
  ])(
    "posts nothing in a process that has %s, and leaves it to the job's next run",
    async (_, error) => {
      await choose();

      const lost = whileOwned(
        () => Promise.reject(error),
        () => notify({ name: "told", facts: facts("Look here") }),
      );

      await expect(lost).rejects.toBe(error);
      expect(owner().messages("moderators")).toEqual([]);
      expect(owner().directMessages()).toEqual([]);
    },
  );
});
