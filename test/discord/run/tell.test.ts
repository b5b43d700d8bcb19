import { REST } from "discord.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { event } from "../../../src/discord/declare/events.ts";
import { notice } from "../../../src/discord/draw/reply.ts";
import { action } from "../../../src/discord/index.ts";
import type { Services } from "../../../src/discord/run/context.ts";
import { createTell, type Tell } from "../../../src/discord/run/tell.ts";
import { createLanguages } from "../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { openStore, type Store } from "../../../src/store/index.ts";
import { textOf } from "../../support/stage.ts";

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
  readonly what: string;
}

const told = event<Facts>({
  name: "told",
  to: ({ guildId, channelId }) =>
    channelId === undefined
      ? { kind: "notices", guildId }
      : { kind: "channel", guildId, channelId },
  run: ({ words }, { what }) =>
    notice({
      tone: "info",
      title: words.say("common.cancelled.title"),
      text: what,
      buttons: [{ label: "Press", press: press.press("x") }],
    }),
});

const broken = event<Facts>({
  name: "broken",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: () => {
    throw new Error("its own fault");
  },
});

describe("tell", () => {
  let platform: Platform;
  let store: Store;
  let logged: string[];
  let tell: Tell;
  beforeEach(async () => {
    platform = await startPlatform({});
    store = await openStore({
      url: "sqlite::memory:",
      keys: [{ id: "k1", key: new Uint8Array(32).fill(7) }],
    });
    logged = [];
    tell = teller();
  });
  afterEach(async () => {
    await store.close();
    await platform.close();
  });

  /** As another process would have one, too. */
  function teller(): Tell {
    const rest = new REST({ api: `${platform.url}/api`, version: "10" }).setToken(platform.token);
    const log = createLog({
      level: "debug",
      secrets: createSecrets(),
      write: (line) => logged.push(line),
    });
    const services = { store, languages: createLanguages(), log, now: Date.now, random: () => 0 };
    const routes = {
      actions: new Map([[press.name, press]]),
      events: new Map([told, broken].map((one) => [one.name, one])),
    };
    // Only what telling needs.
    return createTell({
      routes: routes as unknown as Parameters<typeof createTell>[0]["routes"],
      services: services as unknown as Services,
      rest,
      botId: platform.applicationId,
    });
  }

  const owner = () => platform.people("owner");
  const moderators = () => {
    const found = platform.channels.find(({ name }) => name === "moderators");
    return found?.id ?? "";
  };
  const facts = (what: string) => ({ guildId: platform.guildId, what });
  const choose = () => store.settings.update(platform.guildId, { noticeChannelId: moderators() });

  it("posts where the server chose, and writes to its owner without what can't be pressed there", async () => {
    await choose();

    const posted = await tell({ name: "told", facts: facts("Look here") });

    const [inChannel] = owner().messages("moderators");
    const [direct] = owner().directMessages();
    expect(posted.map(({ messageId }) => messageId)).toEqual([inChannel?.id, direct?.id]);
    expect(JSON.stringify(inChannel?.components)).toContain('"label":"Press"');
    expect(JSON.stringify(direct?.components)).not.toContain("Press");
    expect(JSON.stringify(direct?.components)).toContain(
      `https://discord.com/channels/${platform.guildId}`,
    );
  });

  it("says the same facts once, whichever process tells them", async () => {
    await choose();

    const first = await tell({ name: "told", facts: facts("Once") });
    const again = await teller()({ name: "told", facts: facts("Once") });
    const other = await tell({ name: "told", facts: facts("Something else") });

    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(owner().messages("moderators")).toHaveLength(2);
    expect(owner().directMessages()).toHaveLength(2);
  });

  it("still reaches the owner where it may not write in the channel", async () => {
    await choose();
    platform.forbidBot(moderators(), sendMessages);

    const posted = await tell({ name: "told", facts: facts("Look here") });

    expect(posted).toHaveLength(1);
    expect(owner().messages("moderators")).toEqual([]);
    expect(owner().directMessages()).toHaveLength(1);
    expect(logged.join("")).toContain("was not posted");
  });

  it("posts all the same where the owner takes no messages, and logs when nobody is reached", async () => {
    owner().takeDirectMessages(false);
    const unheard = await tell({ name: "told", facts: facts("Nobody") });
    await choose();
    const heard = await tell({ name: "told", facts: facts("Somebody") });

    expect(unheard).toEqual([]);
    expect(logged.join("")).toContain("reached nobody");
    expect(heard.map(({ channelId }) => channelId)).toEqual([moderators()]);
  });

  it("speaks the server's language", async () => {
    platform.setGuildLocale("de");
    await tell({ name: "told", facts: facts("Hier") });

    const [direct] = owner().directMessages();
    expect(direct && textOf(direct)).toContain("Abgebrochen");
  });

  it("posts in a channel of Discord's, and says so when it can't", async () => {
    const channelId = moderators();
    const posted = await tell({ name: "told", facts: { ...facts("Card"), channelId } });
    platform.forbidBot(channelId, sendMessages);
    const refused = await tell({ name: "told", facts: { ...facts("Other"), channelId } });

    expect(posted).toEqual([{ channelId, messageId: owner().messages("moderators")[0]?.id }]);
    expect(refused).toEqual([]);
    expect(owner().directMessages()).toEqual([]);
  });

  it("throws for nothing: neither for an event that fails nor for one that nobody declares", async () => {
    expect(await tell({ name: "broken", facts: facts("x") })).toEqual([]);
    expect(await tell({ name: "nothing", facts: facts("x") })).toEqual([]);
    expect(logged.filter((line) => line.includes("was not told"))).toHaveLength(2);
  });
});
