import type { APIMessage } from "discord-api-types/v10";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import type { OpenForm } from "../../../src/sandbox/types.ts";
import { checkExchange, checkGatewayObject } from "../../support/discord-spec.ts";
import { send } from "../../support/raw-bot.ts";
import { type RawEndpoint, startRawEndpoint } from "../../support/raw-endpoint.ts";
import { observePlatform } from "./observed-platform.ts";

const commands = [
  { name: "go", description: "Goes" },
  {
    name: "ask",
    description: "Asks",
    options: [{ type: 3, name: "what", description: "What", autocomplete: true }],
  },
];
const press = {
  content: "press",
  components: [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }],
};
const form = {
  custom_id: "f",
  title: "F",
  components: [{ type: 18, label: "L", component: { type: 4, custom_id: "t", style: 1 } }],
};

describe("an application's interactions endpoint", () => {
  const observed = observePlatform({ hasLimits: false, falseSignatures: 0, checks: "nothing" });
  const { exchanges, events } = observed;
  const overGateway: unknown[] = [];
  let platform: Platform;
  let endpoint: RawEndpoint;

  beforeEach(async () => {
    overGateway.length = 0;
    ({ platform } = observed);
    endpoint = await startRawEndpoint(platform);
    const bot = await observed.startBot();
    bot.answer(async ({ interaction, callback }) => {
      overGateway.push(interaction);
      await callback({ type: 4, data: { content: "over the gateway" } });
    });
    await bot.send("PUT", `/applications/${platform.applicationId}/commands`, { body: commands });
  });

  afterEach(() => endpoint.close());

  const owner = () => platform.people("owner");
  const change = (body: object) => send(platform, "PATCH", "/applications/@me", { body });
  const save = (url: string | null) => change({ interactions_endpoint_url: url });
  const saved = async () =>
    (await send(platform, "GET", "/applications/@me")).json as {
      readonly interactions_endpoint_url: string | null;
      readonly verify_key: string;
    };

  it("is saved after a good and a false signature were tried", async () => {
    const { status, json } = await save(endpoint.url);

    expect(status).toBe(200);
    expect(json).toMatchObject({ interactions_endpoint_url: endpoint.url });
    expect(endpoint.received.map(({ isSigned }) => isSigned)).toEqual([true, false]);
    expect(endpoint.received.map(({ body }) => body)).toEqual(
      [1, 2].map(() =>
        expect.objectContaining({ type: 1, application_id: platform.applicationId }),
      ),
    );
    expect((await saved()).verify_key).toMatch(/^[0-9a-f]{64}$/u);
  });

  it("is refused with a form error where a false signature is taken", async () => {
    endpoint.refuses(false);

    const { status, json } = await save(endpoint.url);

    expect(status).toBe(400);
    expect(json).toEqual({
      code: 50_035,
      message: "Invalid Form Body",
      errors: {
        interactions_endpoint_url: {
          _errors: [
            {
              code: "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID",
              message: "The specified interactions endpoint URL could not be verified.",
            },
          ],
        },
      },
    });
    expect((await saved()).interactions_endpoint_url).toBeNull();
  });

  it.each([
    ["nobody listens", () => "http://127.0.0.1:9/"],
    ["a ping is not answered", () => `${platform.url}/api/v10/gateway`],
    ["it is no address", () => "interactions"],
  ])("is refused where %s", async (_, url) => {
    const { status, json } = await save(url());

    expect([status, json]).toEqual([400, expect.objectContaining({ code: 50_035 })]);
  });

  it.each([null, ""])("is removed by %j, and interactions take the gateway again", async (none) => {
    await save(endpoint.url);

    await save(none);
    const answer = (await owner().command("go")) as APIMessage;

    expect(answer.content).toBe("over the gateway");
    expect((await saved()).interactions_endpoint_url).toBeNull();
  });

  it("gets every interaction, signed, and the gateway gets none", async () => {
    await save(endpoint.url);
    endpoint.answer(({ respond }) => respond({ type: 4, data: press }));

    const answer = (await owner().command("go")) as APIMessage;

    expect(answer.content).toBe("press");
    expect(overGateway).toEqual([]);
    expect(endpoint.received.at(-1)).toMatchObject({
      isSigned: true,
      body: { type: 2, data: { name: "go" }, guild_id: platform.guildId },
    });
  });

  it("answers with every type of response, as specified", async () => {
    await save(endpoint.url);
    const respondWith = (body: object) => endpoint.answer(({ respond }) => respond(body));
    respondWith({ type: 4, data: press });
    const shown = (await owner().command("go")) as APIMessage;
    respondWith({ type: 7, data: { content: "changed" } });
    const updated = (await owner().click(shown, "Go")) as APIMessage;
    respondWith({ type: 9, data: form });
    const opened = (await owner().click(shown, "Go")) as OpenForm;
    respondWith({ type: 6 });
    const kept = (await owner().submit(opened, { t: "x" })) as APIMessage;
    respondWith({ type: 8, data: { choices: [{ name: "A", value: "a" }] } });
    const choices = await owner().suggest("ask", "what", "x");
    endpoint.answer(async ({ respond, webhook }) => {
      respond({ type: 5, data: { flags: 64 } });
      await expect
        .poll(async () => (await webhook("PATCH", "/messages/@original", press)).status)
        .toBe(200);
    });
    const deferred = (await owner().command("go")) as APIMessage;

    expect(updated.content).toBe("changed");
    expect(opened.title).toBe("F");
    expect(kept.content).toBe("changed");
    expect(choices).toEqual([{ name: "A", value: "a" }]);
    expect([deferred.content, (deferred.flags ?? 0) & 64]).toEqual(["press", 64]);
    const found = await Promise.all([
      ...exchanges.filter(({ status }) => status < 300).map(checkExchange),
      ...events.map(({ name, data }) => checkGatewayObject(name as "READY", data)),
    ]);
    expect(found.flat()).toEqual([]);
    expect(events.filter(({ name }) => name === "INTERACTION_CREATE")).toHaveLength(6);
  });

  it("opens the webhook with its response, and the callback is too late from then on", async () => {
    await save(endpoint.url);
    const codes: unknown[] = [];
    const codeOf = async (answered: ReturnType<typeof send>) =>
      codes.push(((await answered).json as { readonly code?: number } | undefined)?.code);
    endpoint.answer(async ({ respond, webhook, callback }) => {
      await codeOf(webhook("POST", "", { content: "early" }));
      respond({ type: 5 });
      await expect
        .poll(async () => (await webhook("PATCH", "/messages/@original", { content: "x" })).status)
        .toBe(200);
      await codeOf(callback({ type: 4, data: { content: "late" } }));
    });

    await owner().command("go");

    await expect.poll(() => codes).toEqual([10_015, 40_060]);
  });

  it("may answer by callback and respond with nothing", async () => {
    await save(endpoint.url);
    endpoint.answer(async ({ respond, callback }) => {
      await callback({ type: 4, data: { content: "by callback" } });
      respond("", 202);
    });

    const answer = (await owner().command("go")) as APIMessage;

    expect(answer.content).toBe("by callback");
  });

  it.each([
    [
      "is no success",
      (responding: { respond: RawRespond }) => responding.respond({ type: 5 }, 500),
    ],
    ["is no JSON", ({ respond }: { respond: RawRespond }) => respond("{")],
    ["has another type of content", respondsText],
    [
      "does not fit the interaction",
      ({ respond }: { respond: RawRespond }) => respond({ type: 8 }),
    ],
    ["is cut", ({ cut }: { cut: () => void }) => cut()],
  ])("fails the interaction with a response that %s, and is not asked again", async (_, work) => {
    await save(endpoint.url);
    endpoint.answer(work);

    await expect(owner().command("go")).rejects.toThrow("The application did not respond");

    expect(endpoint.received).toHaveLength(3);
  });

  it("fails the interaction with a response after three seconds", async () => {
    await save(endpoint.url);
    const late = Promise.withResolvers<() => void>();
    endpoint.answer(({ respond }) => late.resolve(() => respond({ type: 4, data: press })));

    const failing = owner().command("go");
    const respond = await late.promise;
    await expect(failing).rejects.toThrow("The application did not respond");
    respond();

    expect(owner().messages()).toEqual([]);
  });

  it("is taken away when it takes a false signature later", async () => {
    const strict = await startPlatform({ falseSignatures: 1 });
    const own = await startRawEndpoint(strict);
    own.answer(({ respond }) => respond({ type: 4, data: press }));
    const body = commands;
    await send(strict, "PUT", `/applications/${strict.applicationId}/commands`, { body });
    await strict.setInteractionsUrl(own.url);
    await strict.people("owner").command("go");
    await expect.poll(() => own.received.filter(({ isSigned }) => !isSigned).length).toBe(2);
    const address = async () =>
      ((await send(strict, "GET", "/applications/@me")).json as { interactions_endpoint_url: null })
        .interactions_endpoint_url;
    const before = await address();

    own.refuses(false);
    await strict.people("owner").command("go");

    await expect.poll(address).toBeNull();
    expect(before).toBe(own.url);
    await strict.close();
    await own.close();
  });

  it("is posted to over connections that stay open", async () => {
    await save(endpoint.url);
    endpoint.answer(({ respond }) => respond({ type: 4, data: press }));

    for (let turn = 0; turn < 5; turn += 1) await owner().command("go");

    expect(endpoint.connections()).toBe(1);
  });

  it("takes webhook events at an address of their own", async () => {
    const wanted = ["APPLICATION_DEAUTHORIZED"];
    const url = endpoint.url;
    const before = await platform.deauthorize("member");

    const { status, json } = await change({
      event_webhooks_url: url,
      event_webhooks_status: 2,
      event_webhooks_types: wanted,
    });
    const isTaken = await platform.deauthorize("member");

    expect([before, status, isTaken]).toEqual([false, 200, true]);
    expect(json).toMatchObject({ event_webhooks_url: url, event_webhooks_types: wanted });
    expect(
      endpoint.received.map(({ body, isSigned }) => [(body as { type: 0 }).type, isSigned]),
    ).toEqual([
      [0, true],
      [0, false],
      [1, true],
    ]);
    expect(endpoint.received.at(-1)?.body).toMatchObject({
      application_id: platform.applicationId,
      version: 1,
      event: { type: "APPLICATION_DEAUTHORIZED", data: { user: { username: "alex" } } },
    });
    expect((await Promise.all(exchanges.map(checkExchange))).flat()).toEqual([]);
  });
});

type RawRespond = (
  body: unknown,
  status?: number,
  headers?: Readonly<Record<string, string>>,
) => void;

function respondsText({ respond }: { readonly respond: RawRespond }): void {
  respond(JSON.stringify({ type: 5 }), 200, { "content-type": "text/plain" });
}
