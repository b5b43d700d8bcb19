import { PermissionFlagsBits as bits, GatewayIntentBits } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import { send } from "../../support/raw-bot.ts";
import { observePlatform } from "./observed-platform.ts";

const observed = observePlatform({ hasLimits: false, checks: "exchanges and events" });
const { exchanges, events, startBot } = observed;
let platform: Platform;

beforeEach(() => {
  ({ platform } = observed);
});

interface Shown {
  readonly id: string;
  readonly flags?: number;
  readonly type: number;
  readonly thread?: { readonly id: string; readonly message_count: number };
  readonly referenced_message?: { readonly id: string };
}

async function ask(method: string, path: string, body?: unknown) {
  const { status, json } = await send(platform, method, path, { body });
  return { status, json: json as Shown & { readonly code?: number } };
}

const everyday = bits.ViewChannel | bits.SendMessages | bits.ReadMessageHistory;
const home = () => `/channels/${platform.channelId}/messages`;

async function written(): Promise<string> {
  return (await ask("POST", home(), { content: "what it says" })).json.id;
}

const begin = (messageId: string, body: object = { name: "About it" }) =>
  ask("POST", `${home()}/${messageId}/threads`, body);

describe("a thread of a message", () => {
  it("has the message's id, and stands in the message", async () => {
    const id = await written();

    const { status, json } = await begin(id, {
      name: " About it ",
      auto_archive_duration: 60,
      rate_limit_per_user: 5,
    });
    const { json: message } = await ask("GET", `${home()}/${id}`);

    expect(status).toBe(201);
    expect(json).toMatchObject({
      id,
      type: 11,
      name: "About it",
      parent_id: platform.channelId,
      owner_id: platform.applicationId,
      rate_limit_per_user: 5,
      thread_metadata: { archived: false, auto_archive_duration: 60 },
      message_count: 0,
      member: { user_id: platform.applicationId },
    });
    expect(json).not.toHaveProperty("applied_tags");
    expect(message).toMatchObject({ flags: 1 << 5, thread: { id, name: "About it" } });
  });

  it("begins with what shows the message, which is not counted", async () => {
    const id = await written();
    await begin(id);
    await ask("POST", `/channels/${id}/messages`, { content: "an answer" });

    const { json } = await ask("GET", `/channels/${id}/messages`);
    const [answer, starter] = json as unknown as readonly Shown[];
    const { json: message } = await ask("GET", `${home()}/${id}`);

    expect(answer).toMatchObject({ type: 0, content: "an answer" });
    expect(starter).toMatchObject({ type: 21, content: "", referenced_message: { id } });
    expect(message.thread).toMatchObject({ message_count: 1, total_message_sent: 1 });
  });

  it("is told to bots, with the message that has it", async () => {
    await startBot(GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages);
    const id = await written();
    events.length = 0;

    await begin(id);

    const told = () => events.map(({ name }) => name);
    await expect.poll(told).toEqual(["THREAD_CREATE", "MESSAGE_CREATE", "MESSAGE_UPDATE"]);
  });

  it("is begun once for a message", async () => {
    const id = await written();
    await begin(id);

    expect(await begin(id)).toMatchObject({ status: 400, json: { code: 160_004 } });
  });

  it("leaves the message when it is deleted", async () => {
    const id = await written();
    platform.setBotPermissions(everyday | bits.CreatePublicThreads | bits.ManageThreads);
    await begin(id);
    await ask("DELETE", `/channels/${id}`);

    const { json } = await ask("GET", `${home()}/${id}`);

    expect(json.flags).toBe(0);
    expect(json).not.toHaveProperty("thread");
  });

  it.each([
    ["no name", {}, "BASE_TYPE_REQUIRED"],
    ["a blank name", { name: " " }, "BASE_TYPE_REQUIRED"],
    ["a name of 101", { name: "x".repeat(101) }, "BASE_TYPE_BAD_LENGTH"],
    [
      "another time until the archive",
      { name: "x", auto_archive_duration: 2 },
      "BASE_TYPE_CHOICES",
    ],
    ["a longer slow mode", { name: "x", rate_limit_per_user: 21_601 }, "NUMBER_TYPE_MAX"],
  ])("is refused with %s", async (_, body, code) => {
    const { status, json } = await begin(await written(), body);
    exchanges.length = 0;

    expect([status, json.code]).toEqual([400, 50_035]);
    expect(JSON.stringify(json)).toContain(code);
  });

  it("needs a message that is there, and that someone wrote in a channel", async () => {
    const id = await written();
    await begin(id);
    const { json: answer } = await ask("POST", `/channels/${id}/messages`, { content: "x" });

    expect(await begin("1")).toMatchObject({ status: 404, json: { code: 10_008 } });
    expect(
      await ask("POST", `/channels/${id}/messages/${answer.id}/threads`, { name: "x" }),
    ).toMatchObject({ status: 400, json: { code: 50_024 } });
  });

  it("is not begun from what the platform itself says", async () => {
    const id = await written();
    platform.setBotPermissions(everyday | bits.CreatePublicThreads | bits.PinMessages);
    await ask("PUT", `/channels/${platform.channelId}/pins/${id}`);
    const { json } = await ask("GET", home());
    const [notice] = json as unknown as readonly Shown[];

    expect(notice?.type).toBe(6);
    expect(await begin(notice?.id ?? "")).toMatchObject({ status: 403, json: { code: 50_021 } });
  });

  it("needs the right to begin threads, and no other", async () => {
    const id = await written();
    platform.setRolePermissions("everyone", 0n);
    platform.setBotPermissions(everyday);
    const refused = await begin(id);
    platform.setBotPermissions(bits.ViewChannel | bits.CreatePublicThreads);

    expect(refused).toMatchObject({ status: 403, json: { code: 50_013 } });
    expect(await begin(id)).toMatchObject({ status: 201 });
  });

  it("has a limit with all that are active", async () => {
    platform.setActiveThreadLimit(1);
    await begin(await written());

    expect(await begin(await written())).toMatchObject({ status: 400, json: { code: 160_006 } });
  });
});
