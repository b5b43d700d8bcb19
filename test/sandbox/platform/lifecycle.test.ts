import type { APIMessage } from "discord-api-types/v10";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import type { OpenForm } from "../../../src/sandbox/types.ts";
import type { Answered, Answering, RawBot } from "../../support/raw-bot.ts";
import { observePlatform } from "./observed-platform.ts";

const press = {
  content: "press",
  components: [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }],
};
const form = {
  custom_id: "f",
  title: "F",
  components: [{ type: 18, label: "L", component: { type: 4, custom_id: "t", style: 1 } }],
};

describe("an interaction", () => {
  const observed = observePlatform({ hasLimits: false, checks: "nothing" });
  const { pass } = observed;
  let platform: Platform;
  let bot: RawBot;

  beforeEach(async () => {
    ({ platform } = observed);
    bot = await observed.startBot();
    const commands = [{ name: "go", description: "Goes" }];
    await bot.send("PUT", `/applications/${platform.applicationId}/commands`, { body: commands });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const owner = () => platform.people("owner");
  const codeOf = ({ status, json }: Answered) => [status, (json as { code?: number })?.code];

  it("is acknowledged once", async () => {
    let second: Answered | undefined;
    bot.answer(async ({ callback }) => {
      await callback({ type: 5 });
      second = await callback({ type: 4, data: { content: "x" } });
      await callback({ type: 4, data: { content: "y" } });
    });

    void owner()
      .command("go")
      .catch(() => undefined);
    await expect.poll(() => second && codeOf(second)).toEqual([400, 40_060]);
  });

  it("answers a callback without a body and without a JSON type", async () => {
    let answered: Answered | undefined;
    bot.answer(async ({ callback }) => {
      answered = await callback({ type: 4, data: { content: "x" } });
    });

    await owner().command("go");

    expect(answered?.status).toBe(204);
    expect(answered?.headers.get("content-type")).toBeNull();
  });

  it("is unknown once three seconds have passed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const arrived = Promise.withResolvers<Answering>();
    bot.answer(async (answering) => arrived.resolve(answering));

    const refused = expect(owner().command("go")).rejects.toThrow(/did not respond/);
    const { callback } = await arrived.promise;
    vi.advanceTimersByTime(3_000);
    vi.useRealTimers();

    await refused;
    expect(codeOf(await callback({ type: 5 }))).toEqual([404, 10_062]);
  });

  it("stays open after a refused answer", async () => {
    let refused: Answered | undefined;
    bot.answer(async ({ callback }) => {
      refused = await callback({ type: 4, data: { content: "x".repeat(2_001) } });
      await callback({ type: 4, data: { content: "short" } });
    });

    const message = (await owner().command("go")) as APIMessage;

    expect(refused?.json).toMatchObject({
      code: 50_035,
      errors: { data: { content: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } } },
    });
    expect(message.content).toBe("short");
  });

  it.each([
    ["an update of no message", { type: 7, data: { content: "x" } }],
    ["suggestions nobody asked for", { type: 8, data: { choices: [] } }],
    ["a deferral with other flags than ephemeral", { type: 5, data: { flags: (1 << 15) | 64 } }],
    ["a form without a title", { type: 9, data: { ...form, title: "" } }],
    [
      "a form of six parts",
      { type: 9, data: { ...form, components: Array(6).fill({ type: 10, content: "x" }) } },
    ],
  ])("refuses %s", async (_, body) => {
    let refused: Answered | undefined;
    bot.answer(async ({ callback }) => {
      refused = await callback(body);
      await callback({ type: 4, data: { content: "x" } });
    });

    await owner().command("go");

    expect(refused && codeOf(refused)).toEqual([400, 50_035]);
  });

  it("opens its webhook with the first answer only", async () => {
    let early: Answered | undefined;
    bot.answer(async ({ callback, webhook }) => {
      early = await webhook("POST", "", { content: "early" });
      await callback({ type: 4, data: { content: "x" } });
    });

    await owner().command("go");

    expect(early && codeOf(early)).toEqual([404, 10_015]);
  });

  it("puts the first follow-up in the place of thinking, as ephemeral as the deferral was", async () => {
    const ids: unknown[] = [];
    bot.answer(async ({ callback, webhook }) => {
      await callback({ type: 5, data: { flags: 64 } });
      const original = await webhook("GET", "/messages/@original");
      expect(original.json).toMatchObject({ flags: 64 | 128 });
      const first = await webhook("POST", "", { content: "first" });
      const second = await webhook("POST", "", { content: "second" });
      ids.push((original.json as APIMessage).id, (first.json as APIMessage).id);
      expect(first.json).toMatchObject({ flags: 64, content: "first" });
      expect(second.json).toMatchObject({ flags: 0, type: 19 });
    });

    const last = (await owner().command("go")) as APIMessage;

    expect(last.content).toBe("second");
    expect(ids[0]).toBe(ids[1]);
  });

  it("forgets its token after fifteen minutes", async () => {
    let webhook: ((method: string, path: string) => Promise<Answered>) | undefined;
    bot.answer(async (answering) => {
      webhook = answering.webhook;
      await answering.callback({ type: 4, data: { content: "x" } });
    });
    await owner().command("go");

    pass(15 * 60_000 - 1);
    const before = await webhook?.("GET", "/messages/@original");
    pass(1);
    const after = await webhook?.("GET", "/messages/@original");

    expect(before?.status).toBe(200);
    expect(after && codeOf(after)).toEqual([401, 50_027]);
  });

  it("keeps an ephemeral reply from the channel's routes", async () => {
    bot.answer(({ callback }) => callback({ type: 4, data: { content: "x", flags: 64 } }));

    const message = (await owner().command("go")) as APIMessage;
    const path = `/channels/${platform.channelId}/messages`;

    expect((await bot.send("GET", `${path}/${message.id}`)).status).toBe(404);
    expect((await bot.send("GET", path)).json).toEqual([]);
    expect(platform.people("member").messages()).toEqual([]);
  });

  it("takes a press, and a form opened by it, back to the same message", async () => {
    bot.answer(({ callback }) => callback({ type: 4, data: press }));
    const shown = (await owner().command("go")) as APIMessage;
    bot.answer(({ callback }) => callback({ type: 9, data: form }));
    const opened = (await owner().click(shown, "Go")) as OpenForm;
    let seen: Readonly<Record<string, unknown>> = {};
    bot.answer(async ({ interaction, callback, webhook }) => {
      seen = interaction;
      await callback({ type: 6 });
      await webhook("PATCH", "/messages/@original", { content: "after" });
    });

    const after = (await owner().submit(opened, { t: "x" })) as APIMessage;

    expect(after).toMatchObject({ id: shown.id, content: "after" });
    expect(seen).toMatchObject({
      type: 5,
      message: { id: shown.id },
      data: { components: [{ type: 18, component: { custom_id: "t", value: "x" } }] },
    });
  });

  it("refuses a form in answer to a form", async () => {
    bot.answer(({ callback }) => callback({ type: 9, data: form }));
    const opened = (await owner().command("go")) as OpenForm;
    let refused: Answered | undefined;
    bot.answer(async ({ callback }) => {
      refused = await callback({ type: 9, data: form });
      await callback({ type: 4, data: { content: "x" } });
    });

    await owner().submit(opened, { t: "x" });

    expect(refused && codeOf(refused)).toEqual([400, 50_035]);
  });

  it("says so when the bot finished and left its reply at thinking", async () => {
    platform.useSettled(async () => undefined);
    bot.answer(({ callback }) => callback({ type: 5 }));

    await expect(owner().command("go")).rejects.toThrow(/left its reply at "thinking"/);
  });

  it("waits for the bot's own word where there is one", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.useSettled(() => promise);
    bot.answer(async ({ callback, webhook }) => {
      await callback({ type: 4, data: { content: "1 of 2" } });
      await new Promise((done) => setTimeout(done, 500));
      await webhook("PATCH", "/messages/@original", { content: "2 of 2" });
      resolve();
    });

    expect(await owner().command("go")).toMatchObject({ content: "2 of 2" });
  });

  it("is not begun in a server the bot has left", async () => {
    platform.removeGuild(platform.guildId);

    await expect(owner().command("go")).rejects.toThrow(/not in this server/);
    expect(codeOf(await bot.send("GET", `/guilds/${platform.guildId}`))).toEqual([404, 10_004]);
    expect(codeOf(await bot.send("GET", `/channels/${platform.channelId}`))).toEqual([403, 50_001]);
    expect((await bot.send("GET", "/users/@me/guilds")).json).toEqual([]);
  });
});
