import { randomUUID } from "node:crypto";
import type { APIMessage } from "discord-api-types/v10";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectDiscord, type Discord } from "../../../src/discord/client.ts";
import { type Card, card, command, notice, type Press } from "../../../src/discord/index.ts";
import type { Services } from "../../../src/discord/run/services.ts";
import { action } from "../../../src/features/declarations/index.ts";
import { createFeatureContexts, type FeatureServices } from "../../../src/features/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { openStore, type Store } from "../../../src/store/index.ts";
import { arrivalAlone } from "../../support/arrival.ts";
import { asMessage, textOf } from "../../support/stage.ts";
import { type TestChannelMessages, testEvent } from "../../support/test-event.ts";
import { languages } from "../../support/words.ts";

const handle = "k".repeat(22);
const idOf = (index: number, letter = "u") => `g1:${letter}:${handle}:${index}`;
const json = (message: APIMessage | undefined) => JSON.stringify(message?.components);

/** The states for which the handler below was pressed, in order. */
let pressed: string[] = [];
let waiting: Promise<void> = Promise.resolve();

const other = action<string>({
  name: "test.other",
  answer: "update",
  by: "anyone",
  rank: "moderator",
  run: async (_, state) => shown(state, "Pressed"),
});
const once = action<string>({
  name: "test.once",
  answer: "private",
  by: "anyone",
  rank: "moderator",
  isOnce: true,
  run: async (_, state) => {
    pressed.push(state);
    await waiting;
    return notice({ tone: "good", title: "Once" });
  },
});

/** A hundred presses; the tests use some of them. */
const presses: readonly Press[] = [
  other.press("first"),
  ...Array.from({ length: 98 }, (_, at) => other.press(`${at}`)),
  once.press("last"),
];

/** The state decides which buttons the card has, but not what each does. */
function shown(state: string, title: string): Card {
  const buttons = [
    { label: "Once", press: once.press("last") },
    ...(state === "start" ? [{ label: "Middle", press: other.press("41") }] : []),
    { label: "First", press: other.press("first") },
  ];
  return card({ title, text: state, buttons, kept: { handle, presses } });
}

const shownEvent = testEvent<string>({ name: "kept", run: (_, state) => shown(state, "Card") });

describe("a message with kept presses", () => {
  let platform: Platform;
  let store: Store;
  let discord: Discord;
  beforeEach(async () => {
    pressed = [];
    waiting = Promise.resolve();
    platform = await startPlatform({ settled: (id) => discord.settled(id) });
    store = await openStore({
      url: "sqlite::memory:",
      keys: [{ id: "k1", key: new Uint8Array(32).fill(7) }],
    });
    discord = await connect();
  });
  afterEach(async () => {
    await discord.close(1_000);
    await store.close();
    await platform.close();
  });

  function connect(): Promise<Discord> {
    const secrets = createSecrets();
    const log = createLog({ level: "error", secrets, write: () => undefined });
    const features = createFeatureContexts({ store, now: Date.now } as unknown as FeatureServices);
    const services = {
      store,
      languages,
      commandIds: new Map(),
      log,
      now: Date.now,
      random: () => 0,
      attachmentHosts: [],
      processId: randomUUID(),
      siteUrl: platform.url,
    };
    const actions = [other, once];
    return connectDiscord({
      arrival: arrivalAlone(),
      token: platform.token,
      apiUrl: `${platform.url}/api`,
      requestsPerSecond: () => 50,
      config: { discord: { publicKey: undefined }, publicUrl: undefined },
      // The message files have words only for names of real commands.
      loadCatalogue: async () =>
        new Map([["search", command({ notifications: [shownEvent], actions })]]),
      loadFeatures: async () => features,
      // Only what these presses need.
      services: services as unknown as Services,
    });
  }

  async function post(): Promise<void> {
    const channelId = platform.channelId;
    const { guildId } = platform;
    await (discord.channelMessages as TestChannelMessages).post({
      guildId,
      channelId,
      handle,
      name: "kept",
      facts: "start",
      nonce: "n1",
    });
  }
  const moderator = () => platform.people("moderator");
  const seen = () => {
    const [message] = moderator().messages();
    if (message === undefined) throw new Error("nothing was left");
    return message;
  };

  it("keeps its custom ids when a press edits it", async () => {
    await post();
    const before = json(seen());

    const after = await moderator().click(seen(), "Middle");

    expect(before).toContain(idOf(42));
    expect(json(asMessage(after))).toContain(idOf(99, "p"));
    expect(json(asMessage(after))).toContain(idOf(0));
    expect(json(asMessage(after))).not.toContain(idOf(42));
    expect(textOf(seen())).toContain("41");
  });

  it("still knows what a button said that is drawn no more", async () => {
    await post();
    await moderator().click(seen(), "First");

    expect(await store.continuations.read(handle)).toMatchObject({
      value: {
        state: expect.objectContaining({ 42: { action: "test.other", state: "41", isKept: true } }),
      },
    });
  });

  it("works for anyone of rank in any language, after a restart, and for nobody else", async () => {
    await post();
    await discord.close(1_000);
    discord = await connect();
    moderator().speak("ja");

    await moderator().click(seen(), "First");
    const refused = await platform.people("member").click(seen(), "First");

    expect(textOf(seen())).toContain("first");
    expect(asMessage(refused).flags).toBe(64);
    expect(textOf(asMessage(refused))).not.toContain("Pressed");
  });

  it("lives on after a press that is carried out once at a time", async () => {
    await post();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = promise;

    const first = moderator().click(seen(), "Once");
    await expect.poll(() => pressed).toEqual(["last"]);
    const second = await platform.people("owner").click(seen(), "Once");
    const beside = await platform.people("owner").click(seen(), "First");
    resolve();
    await first;

    expect(pressed).toEqual(["last"]);
    expect(textOf(asMessage(second))).not.toContain("Once");
    expect(textOf(asMessage(beside))).toContain("first");
    expect(textOf(asMessage(await moderator().click(seen(), "Once")))).toContain("Once");
  });
});
