import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  AccessError,
  BotError,
  ConnectError,
  InputError,
  NetworkError,
  ServiceError,
} from "../../src/errors.ts";
import { createLinks, type Links, type Permission } from "../../src/oauth/index.ts";
import type { InjectedFault } from "../../src/sandbox/faults.ts";
import { failureOf } from "../http/server.ts";
import {
  authorizeUrl,
  bakery,
  type Choice,
  channelless,
  prefix,
  redeem,
  sentTo,
} from "../sandbox/oauth/support.ts";
import {
  browser,
  type LinksStageOptions,
  oneTimeTokenOf,
  openLinks,
  openPlatform,
  otherBrowser,
  publicUrl,
  revocationsOf,
  robin,
  shownBy,
  signIn,
} from "./links-stage.ts";
import { expectFailure, guild, lastForm, otherGuild, refuse, studioId } from "./stage.ts";

const minute = 60_000;
const stranger = "555555555555555555";
const store = (error: Error) =>
  new ServiceError("the store's database failed", { code: "store_unavailable", cause: error });

describe("a link from the command to the channel", () => {
  it("is stored only when its requester has confirmed it", async () => {
    const { links, answer, pending, linked, by, now, store, server } = await answered();

    const waiting = await links.answered(answer, browser);
    expect(waiting).toMatchObject({
      ...by,
      channel: { channelId: studioId, title: `The channel ${studioId}` },
      permissions: ["read", "comments", "upload"],
      answerTo: { locale: "de" },
    });
    const { code, ...asked } = waiting;
    expect(pending).toEqual([asked]);
    expect(await linked()).toEqual({ state: "absent" });

    const { missing, asksCode, ...kept } = asked;
    expect([missing, asksCode]).toEqual([[], true]);
    expect(await links.confirm(waiting.handle, by, code)).toEqual(kept);
    const read = await linked();
    expect(read).toMatchObject({
      state: "found",
      value: [
        {
          kind: "channel",
          channelId: studioId,
          channelTitle: `The channel ${studioId}`,
          titleReadAt: now(),
          addedBy: robin,
          addedAt: now(),
          scopes: ["youtube.force-ssl"],
        },
      ],
    });
    const [channel] = Object(read).value;
    expect(server.knows(channel.secret)).toBe(true);
    expect(await revocationsOf(store)).toEqual([]);
    expect(await store.accessTokens.read(guild, studioId)).toMatchObject({ state: "found" });
  });

  it("asks for the least that was ticked, offline, with state and PKCE, and nothing that was granted before", async () => {
    const { links, begin, server, asked } = await openLinks();
    const token = await begin();

    const url = await links.authorise(token, browser, ["memberships", "upload"]);

    expect(`${url.origin}${url.pathname}`).toBe(server.authorizeUrl);
    const { state, code_challenge: challenge, ...rest } = Object.fromEntries(url.searchParams);
    expect(rest).toEqual({
      client_id: server.clientId,
      redirect_uri: `${publicUrl}/oauth/callback`,
      response_type: "code",
      scope: ["youtube.readonly", "youtube.upload", "youtube.channel-memberships.creator"]
        .map((scope) => prefix + scope)
        .join(" "),
      code_challenge_method: "S256",
      access_type: "offline",
      prompt: "consent",
    });
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(challenge).toMatch(/^[\w-]{43}$/);
    expect(asked).toEqual([]);
  });

  it("does not ask for uploading where running the channel allows it anyway", async () => {
    const { links, begin } = await openLinks();

    const url = await links.authorise(await begin(), browser, ["upload", "comments", "read"]);

    expect(url.searchParams.get("scope")).toBe(`${prefix}youtube.force-ssl`);
  });

  it("exchanges the code once, with the verifier behind the challenge", async () => {
    const { links, begin, asked, server } = await openLinks();
    const url = await links.authorise(await begin(), browser, ["read"]);
    const answer = await sentTo(url.href);

    await links.answered(answer, browser);

    expect(asked).toHaveLength(1);
    const { code_verifier: verifier = "", ...form } = lastForm(asked);
    expect(form).toEqual({
      grant_type: "authorization_code",
      client_id: server.clientId,
      client_secret: server.clientSecret,
      code: answer.searchParams.get("code"),
      redirect_uri: `${publicUrl}/oauth/callback`,
    });
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(
      url.searchParams.get("code_challenge"),
    );
  });

  it("shows on its page who asks for what", async () => {
    const { links, ask, now } = await openLinks();
    const { url, endsWithCode, endsAt } = await links.begin(ask);

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:9\/greenroom\/connect\/[\w-]{43}$/);
    expect(endsAt).toEqual(new Date(now() + 10 * minute));
    expect(endsWithCode).toBe(true);
    for (const who of [browser, otherBrowser]) {
      expect(await links.visit(oneTimeTokenOf({ url }), who)).toEqual({
        serverName: "Robin's studio",
        userName: "robin",
        locale: "de",
        endsWithCode,
        wantsIdentity: false,
        permissions: ["read", "comments"],
        endsAt,
      });
    }
  });

  it("keeps what the person left ticked at the service, not what was asked for", async () => {
    const { links, begin, by, linked } = await openLinks();
    const all: readonly Permission[] = ["comments", "upload", "memberships"];
    const url = await links.authorise(await begin(), browser, all);
    const answer = await sentTo(url.href, { ticked: ["youtube.force-ssl"] });

    const { handle, code, permissions, missing } = await links.answered(answer, browser);
    await links.confirm(handle, by, code);

    expect(missing).toEqual(["memberships"]);
    expect(permissions).toEqual(["read", "comments", "upload"]);
    expect(await linked()).toMatchObject({ value: [{ scopes: ["youtube.force-ssl"] }] });
  });

  it("takes an earlier link's place, keeps its name and ends nothing of it at the service", async () => {
    const { link, linked, store, server } = await openLinks();
    await link();
    const [before] = Object(await linked()).value;
    await store.credentials.changeChannel(guild, studioId, { name: "Main", brokenAt: 1 });

    await link();

    const read = await linked();
    expect(read).toMatchObject({ value: [{ name: "Main", channelId: studioId }] });
    const [after] = Object(read).value;
    expect(after.secret).not.toBe(before.secret);
    expect(after).not.toHaveProperty("brokenAt");
    expect(server.knows(before.secret)).toBe(true);
    expect(await revocationsOf(store)).toEqual([]);
  });

  it("stands beside another channel", async () => {
    const { link, linked } = await openLinks();
    await link();
    await link({ account: bakery });

    expect(await linked()).toMatchObject({
      value: [{ channelId: studioId }, { channelId: bakery.channelId }],
    });
  });
});

describe("a link's page", () => {
  it.each([
    ["nothing", ""],
    ["a guess", "x".repeat(43)],
    ["something else", "../../etc/passwd"],
  ])("opens for no token that is %s", async (_, token) => {
    const { links } = await openLinks();

    for (const step of [
      links.visit(token, browser),
      links.identify(token, browser),
      links.authorise(token, browser, ["read"]),
    ]) {
      await expectFailure(step, AccessError, "link_over");
    }
  });

  it("is closed after ten minutes", async () => {
    const { links, begin, advance } = await openLinks();
    const token = await begin();
    advance(10 * minute - 1);
    await links.visit(token, browser);
    advance(1);

    await expectFailure(links.visit(token, browser), AccessError, "link_over");
  });

  it("is closed by a newer link of the same person, and by nobody else's", async () => {
    const { links, begin } = await openLinks();
    const token = await begin();
    await begin({ userId: stranger });
    await begin({ guildId: otherGuild });
    await links.visit(token, browser);
    await begin();

    await expectFailure(links.visit(token, browser), AccessError, "link_over");
  });

  it("belongs to the browser that went on first, in all its tabs", async () => {
    const { links, begin } = await openLinks();
    const token = await begin();
    await links.authorise(token, browser, ["read"]);

    await links.visit(token, browser);
    await links.authorise(token, browser, ["upload"]);
    for (const step of [
      links.visit(token, otherBrowser),
      links.authorise(token, otherBrowser, ["read"]),
    ]) {
      await expectFailure(step, AccessError, "link_other_browser");
    }
  });

  it("lets one of two browsers at once go on", async () => {
    const { links, begin } = await openLinks();
    const token = await begin();

    const results = await Promise.allSettled(
      [browser, otherBrowser].map((one) => links.authorise(token, one, ["read"])),
    );

    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("leads nowhere when nothing is ticked", async () => {
    const { links, begin } = await openLinks();
    const token = await begin();
    for (const ticked of [[], ["everything" as Permission]]) {
      const error = await failureOf(links.authorise(token, browser, ticked), InputError);
      expect(error).toMatchObject({ code: "nothing_ticked" });
    }
  });

  it("is closed once the consent is here", async () => {
    const { links, begin, consent } = await openLinks();
    const token = await begin();
    await links.answered(await consent(token), browser);

    for (const step of [links.visit(token, browser), links.authorise(token, browser, ["read"])]) {
      await expectFailure(step, AccessError, "link_over");
    }
  });

  it("is not there without a registration or without an address", async () => {
    const { ask, links } = await openLinks({ client: undefined });
    const closed = await openLinks({ publicUrl: undefined });

    await expectFailure(links.begin(ask), ConnectError, "oauth_client_missing");
    await expectFailure(closed.links.begin(ask), ConnectError, "links_closed");
  });
});

/** A link whose consent was just given: the browser still has to bring the answer. */
async function answered(options: LinksStageOptions = {}, choice: Choice = {}) {
  const stage = await openLinks(options);
  return { ...stage, answer: await stage.consent(await stage.begin(), choice) };
}

/** The same address with other parameters; undefined removes one. */
function changed(url: URL, changes: Readonly<Record<string, string | undefined>>): URL {
  const other = new URL(url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) other.searchParams.delete(name);
    else other.searchParams.set(name, value);
  }
  return other;
}

/** Lets the token endpoint answer with this body. */
const grant = (body: object): InjectedFault => ({
  ...refuse(200, body),
  headers: { "content-type": "application/json" },
});

describe("the answer to the consent", () => {
  it.each<[string, (answer: URL) => URL]>([
    ["without a state", (answer) => changed(answer, { state: undefined })],
    ["with a guessed state", (answer) => changed(answer, { state: "x".repeat(43) })],
    ["with two states", (answer) => new URL(`${answer}&state=${answer.searchParams.get("state")}`)],
    ["without a code", (answer) => changed(answer, { code: undefined })],
    ["with two codes", (answer) => new URL(`${answer}&code=another`)],
    ["of another service", (answer) => changed(answer, { iss: "https://evil.example" })],
    ["with a token beside", (answer) => changed(answer, { token: "x" })],
    ["with a signed answer", (answer) => changed(answer, { response: "x" })],
  ])("%s reaches the token endpoint never", async (_, change) => {
    const { links, answer, asked, pending } = await answered();

    const error = await failureOf(links.answered(change(answer), browser), AccessError);

    expect(error).toMatchObject({ code: "link_over" });
    expect(asked).toEqual([]);
    expect(pending).toEqual([]);
  });

  it("of another browser is refused and uses nothing up", async () => {
    const { links, answer, asked } = await answered();

    await expectFailure(links.answered(answer, otherBrowser), AccessError, "link_other_browser");
    expect(asked).toEqual([]);
    await links.answered(answer, browser);
  });

  it("is taken once, however many bring it at once", async () => {
    const { links, answer, asked, pending } = await answered();

    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => links.answered(answer, browser)),
    );
    await failureOf(links.answered(answer, browser), AccessError);

    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(asked).toHaveLength(1);
    expect(pending).toHaveLength(1);
  });

  it("is too late after ten minutes, and for a link that a newer one replaced", async () => {
    const { links, begin, consent, advance, asked } = await openLinks();
    const old = await consent(await begin());
    advance(10 * minute);
    const replaced = await consent(await begin());
    await begin();

    for (const answer of [old, replaced]) {
      await expectFailure(links.answered(answer, browser), AccessError, "link_over");
    }
    expect(asked).toEqual([]);
  });

  it("with another link's code fails, for the code has another's challenge", async () => {
    const { links, begin, consent, linked } = await openLinks();
    const stolen = await consent(await begin());
    const own = await consent(await begin({ guildId: otherGuild }));
    const mixed = changed(own, { code: stolen.searchParams.get("code") ?? "" });

    await expectFailure(links.answered(mixed, browser), ConnectError, "code_refused");
    expect(await linked()).toEqual({ state: "absent" });
  });

  it("with a code that was asked for without PKCE fails", async () => {
    const { links, begin, server, ask } = await openLinks();
    const url = await links.authorise(await begin(ask), browser, ["read"]);
    const state = url.searchParams.get("state") ?? "";
    const bare = authorizeUrl(server, { state, redirect_uri: `${publicUrl}/oauth/callback` });

    const error = await failureOf(links.answered(await sentTo(bare), browser), ConnectError);

    expect(error).toMatchObject({ code: "code_refused" });
  });

  it("with a code that was redeemed before fails", async () => {
    const { links, answer, server } = await answered();
    const redirect = { redirect_uri: `${publicUrl}/oauth/callback` };
    await redeem(server, answer.searchParams.get("code") ?? "", redirect);
    server.faults.add(refuse(400, { error: "invalid_grant" }));

    const error = await failureOf(links.answered(answer, browser), ConnectError);

    expect(error).toMatchObject({ code: "code_refused" });
  });

  it.each([
    ["access_denied", ConnectError, "consent_denied"],
    ["admin_policy_enforced", ConnectError, "admin_policy_enforced"],
    ["org_internal", ConnectError, "org_internal"],
    ["server_error", ServiceError, "unexpected_answer"],
    ["<script>alert(1)</script>", ServiceError, "unexpected_answer"],
  ] as const)("that is %s is reported, and the page still works", async (error, kind, code) => {
    const { links, begin, consent, asked } = await openLinks();
    const token = await begin();
    const answer = await consent(token);

    const refused = changed(answer, { code: undefined, error, error_description: "a text" });
    const failure: BotError = await failureOf<BotError>(links.answered(refused, browser), kind);

    expect(failure).toMatchObject({ code });
    expect(shownBy(failure)).not.toMatch(/script|a text/);
    expect(asked).toEqual([]);
    await links.answered(await consent(token), browser);
  });

  it("is a refusal when the person cancels or unticks everything", async () => {
    const { links, begin, consent } = await openLinks();
    const token = await begin();

    for (const choice of [{ decision: "cancel" }, { ticked: [] }] as const) {
      const answer = await consent(token, choice);
      await expectFailure(links.answered(answer, browser), ConnectError, "consent_denied");
    }
  });

  it("without reading is refused, and its consent forgotten", async () => {
    const { links, begin, store } = await openLinks();
    const url = await links.authorise(await begin(), browser, ["upload"]);
    const answer = await sentTo(url.href, { ticked: ["youtube.upload"] });

    await expectFailure(links.answered(answer, browser), ConnectError, "read_not_granted");
    expect(await revocationsOf(store)).toEqual([]);
  });

  it("of an account without a channel is refused, and its consent ended", async () => {
    const { links, begin, consent, store, now, server } = await openLinks();
    const answer = await consent(await begin(), { account: channelless });

    await expectFailure(links.answered(answer, browser), ConnectError, "no_channel");
    const [row, ...more] = await revocationsOf(store);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ dueAt: now() });
    expect(server.knows(row?.token ?? "")).toBe(true);
  });

  it("without a refresh token is refused", async () => {
    const { links, answer, server, linked } = await answered();
    server.faults.add(grant({ access_token: "x", token_type: "Bearer", expires_in: 3_599 }));

    await expectFailure(links.answered(answer, browser), ConnectError, "no_refresh_token");
    expect(await linked()).toEqual({ state: "absent" });
  });

  it("that names no scopes grants what was asked for", async () => {
    const { links, begin, consent, server } = await openLinks({
      channelsOf: async () => [{ channelId: studioId, title: "Studio" }],
    });
    const answer = await consent(await begin());
    server.faults.add(grant({ access_token: "x", token_type: "Bearer", refresh_token: "y" }));

    expect(await links.answered(answer, browser)).toMatchObject({
      permissions: ["read", "comments", "upload"],
    });
  });

  it.each<[string, InjectedFault, abstract new (...args: never[]) => BotError, string]>([
    ["a web page", refuse(200, "<html>secret-text</html>"), ServiceError, "web_page_answer"],
    ["a text with 400", refuse(400, "invalid_grant"), ServiceError, "unexpected_answer"],
    ["500", refuse(500, { error: "invalid_grant" }), ServiceError, "service_unavailable"],
    ["429", refuse(429, {}), BotError, "rate_limited"],
    [
      "its own refusal",
      refuse(401, { error: "invalid_client" }),
      ConnectError,
      "oauth_client_refused",
    ],
    ["a cut before", { kind: "cut-before" }, NetworkError, "link_interrupted"],
    ["a cut after", { kind: "cut-after" }, NetworkError, "link_interrupted"],
    [
      "a redirect",
      { kind: "answer", status: 302, headers: { location: "/x" } },
      ServiceError,
      "unexpected_answer",
    ],
    ["nothing", { kind: "answer", status: 204 }, ServiceError, "unexpected_answer"],
  ])(
    "that meets %s at the token endpoint is sent once and reveals no secret",
    async (_, fault, kind, code) => {
      const { links, begin, consent, server, asked, linked } = await openLinks();
      const answer = await consent(await begin());
      server.faults.add(fault);

      const error = await failureOf(links.answered(answer, browser), kind);

      expect(error.code).toBe(code);
      expect(asked).toHaveLength(1);
      expect(await linked()).toEqual({ state: "absent" });
      const shown = shownBy(error);
      for (const secret of [
        ...["secret-text", server.clientSecret],
        ...[answer.searchParams.get("code") ?? "-", answer.searchParams.get("state") ?? "-"],
      ]) {
        expect(shown).not.toContain(secret);
      }
    },
  );

  it("whose channel can't be read right now stores nothing, and the page works again", async () => {
    let isFailing = true;
    const { links, begin, consent, store, linked } = await openLinks({
      channelsOf: async () => {
        if (isFailing) throw new ServiceError("x", { code: "service_unavailable" });
        return [{ channelId: studioId, title: "Studio" }];
      },
    });
    const token = await begin();

    const error = await failureOf(links.answered(await consent(token), browser), ServiceError);
    expect(error.code).toBe("service_unavailable");
    expect(await revocationsOf(store)).toEqual([]);
    expect(await linked()).toEqual({ state: "absent" });
    isFailing = false;

    await links.answered(await consent(token), browser);
  });

  it("comes from one of two tabs; the other's is over", async () => {
    const { links, begin, consent, asked } = await openLinks();
    const token = await begin();
    const [first, second] = [await consent(token), await consent(token, { account: bakery })];

    await links.answered(second, browser);

    await expectFailure(links.answered(first, browser), AccessError, "link_over");
    expect(asked).toHaveLength(1);
  });
});

describe("the decision over a consent", () => {
  async function waiting() {
    const stage = await openLinks();
    const { links, begin, consent } = stage;
    return { ...stage, ...(await links.answered(await consent(await begin()), browser)) };
  }

  it("is the requester's alone, and only in that server", async () => {
    const { links, handle, code, by, linked } = await waiting();

    for (const other of [
      { ...by, userId: stranger },
      { ...by, guildId: otherGuild },
    ]) {
      for (const decide of [links.confirm, links.decline]) {
        const decided = decide(handle, other, code);
        await expectFailure(decided, AccessError, "link_over");
      }
    }
    expect(await linked()).toEqual({ state: "absent" });
    await links.confirm(handle, by, code);
  });

  it("is made once, however many press at once", async () => {
    const { links, handle, code, by, linked, store } = await waiting();

    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? links.confirm(handle, by, code) : links.decline(handle, by),
      ),
    );

    const done = results.flatMap(({ status }, n) => (status === "fulfilled" ? [n % 2] : []));
    expect(done).toHaveLength(1);
    const isLinked = (await linked()).state === "found";
    expect(isLinked).toBe(done[0] === 1);
    expect(await revocationsOf(store)).toHaveLength(isLinked ? 0 : 1);
    await expectFailure(links.confirm(handle, by, code), AccessError, "link_over");
  });

  it("is possible for ten minutes after the consent, whenever the link began", async () => {
    const { links, begin, consent, by, advance } = await openLinks();
    const token = await begin();
    advance(9 * minute);
    const { handle, code } = await links.answered(await consent(token), browser);
    advance(9 * minute);
    await links.confirm(handle, by, code);

    const later = await waiting();
    later.advance(10 * minute);
    await expectFailure(
      later.links.confirm(later.handle, by, later.code),
      AccessError,
      "link_over",
    );
  });

  it("against it ends the consent at once", async () => {
    const { links, handle, by, store, now, linked } = await waiting();

    await links.decline(handle, by);

    expect(await linked()).toEqual({ state: "absent" });
    expect(await revocationsOf(store)).toMatchObject([{ channelId: studioId, dueAt: now() }]);
  });

  it("that is never made ends the consent when it is over", async () => {
    const { store, now } = await waiting();

    expect(await revocationsOf(store)).toMatchObject([
      { channelId: studioId, dueAt: now() + 11 * minute },
    ]);
  });

  it("waits while the server has its most channels", async () => {
    const { links, handle, code, by, store } = await waiting();
    const facts = { kind: "channel", addedBy: robin, addedAt: 0 } as const;
    for (let n = 0; n < 20; n += 1) {
      await store.credentials.write(guild, { ...facts, channelId: `UC${n}`, secret: `s${n}` });
    }
    await expectFailure(links.confirm(handle, by, code), InputError, "too_many_channels");
    await store.credentials.takeChannel(guild, "UC3");

    await links.confirm(handle, by, code);
  });

  it("takes the code that only the browser has, however it is written", async () => {
    const { links, handle, code = "", by, linked, pending } = await waiting();

    expect(code).toMatch(/^[ACEFHJKMNPRTWXY][34679]-[ACEFHJKMNPRTWXY][34679]$/u);
    // The person who requested the link is asked in Discord, where the code is not shown.
    expect(JSON.stringify(pending)).not.toContain(code);
    await links.confirm(handle, by, ` ${code.toLowerCase().replace("-", "")} `);
    expect((await linked()).state).toBe("found");
  });

  it("ends the link and its consent at the third wrong code", async () => {
    const { links, handle, code, by, store, now, linked } = await waiting();

    for (const left of [2, 1]) {
      const wrong = await failureOf(links.confirm(handle, by, "Z0-Z0"), InputError);
      expect(wrong).toMatchObject({ code: "link_code_wrong", facts: { left } });
    }
    const spent = await failureOf(links.confirm(handle, by), AccessError);

    expect(spent.code).toBe("link_codes_spent");
    await expectFailure(links.confirm(handle, by, code), AccessError, "link_over");
    expect(await linked()).toEqual({ state: "absent" });
    expect(await revocationsOf(store)).toMatchObject([{ channelId: studioId, dueAt: now() }]);
  });

  it("allows no more wrong codes when they are tried at once", async () => {
    const { links, handle, by, linked } = await waiting();

    const tried = await Promise.all(
      Array.from({ length: 20 }, () =>
        failureOf(links.confirm(handle, by, "Z0-Z0"), Error).then((one) => Object(one).code),
      ),
    );

    expect(tried.filter((one) => one === "link_code_wrong").length).toBeLessThanOrEqual(2);
    expect(await linked()).toEqual({ state: "absent" });
  });

  it("is void when a newer link has begun", async () => {
    const { links, handle, code, by, begin } = await waiting();
    await begin();

    await expectFailure(links.confirm(handle, by, code), AccessError, "link_over");
  });
});

describe("a browser that proves its identity", () => {
  /** A link whose page is open, and whose requester owns the server. */
  async function unproven() {
    const platform = await openPlatform();
    const stage = await openLinks({ platform, userId: platform.ownerId });
    return { ...stage, platform, token: await stage.begin() };
  }

  it("goes on as the requester", async () => {
    const { links, token, consent, platform } = await unproven();
    expect(await links.visit(token, browser)).toMatchObject({
      wantsIdentity: true,
      endsWithCode: false,
    });
    await expectFailure(consent(token), AccessError, "link_unproven");

    const url = await links.identify(token, browser);
    const { state: _, code_challenge: __, ...params } = Object.fromEntries(url.searchParams);
    expect(`${url.origin}${url.pathname}`).toBe(`${platform.url}/oauth2/authorize`);
    expect(params).toEqual({
      client_id: platform.applicationId,
      redirect_uri: `${publicUrl}/discord/callback`,
      response_type: "code",
      scope: "identify",
      code_challenge_method: "S256",
      prompt: "none",
    });
    const answer = await signIn(url, "owner");

    expect(await links.identified(answer, browser)).toBe(token);
    expect(await links.visit(token, browser)).toMatchObject({ wantsIdentity: false });
    const given = await links.answered(await consent(token), browser);
    expect([given.code, given.asksCode]).toEqual([undefined, false]);
    await expectFailure(links.identified(answer, browser), AccessError, "link_over");
  });

  it("is refused when it is somebody else's, who is named nowhere, and may sign in anew", async () => {
    const { links, token, consent } = await unproven();

    const wrong = await signIn(await links.identify(token, browser), "moderator");
    const error = await failureOf(links.identified(wrong, browser), AccessError);
    expect(error).toMatchObject({ code: "link_other_person", facts: {} });
    await expectFailure(consent(token), AccessError, "link_unproven");

    const right = await signIn(await links.identify(token, browser), "owner");
    await links.identified(right, browser);
  });

  it("is not taken from another browser, another state or another service", async () => {
    const { links, token, consent } = await unproven();
    const answer = await signIn(await links.identify(token, browser), "owner");

    await expectFailure(links.identified(answer, otherBrowser), AccessError, "link_other_browser");
    for (const wrong of [
      changed(answer, { state: "x".repeat(43) }),
      changed(answer, { state: undefined }),
    ]) {
      await expectFailure(links.identified(wrong, browser), AccessError, "link_over");
    }
    // Discord's state is not valid for a consent, nor the other way round.
    await expectFailure(links.answered(answer, browser), AccessError, "link_over");
    const foreign = changed(answer, { iss: "https://evil.example" });
    await expectFailure(links.identified(foreign, browser), AccessError, "link_over");
    const again = await signIn(await links.identify(token, browser), "owner");
    await links.identified(again, browser);
    const consented = await consent(token);
    await expectFailure(links.identified(consented, browser), AccessError, "link_over");
  });

  it.each<[string, InjectedFault]>([
    ["refuses", { kind: "answer", status: 400, body: '{"error":"invalid_grant"}' }],
    ["answers a web page", { kind: "answer", status: 200, body: "<html>" }],
    ["is cut", { kind: "cut-after" }],
    ["does not say who it is", { kind: "answer", status: 401, body: "{}", path: /users/ }],
    ["says somebody without an id", { kind: "answer", status: 200, body: "null", path: /users/ }],
  ])("is reported when Discord %s", async (_, fault) => {
    const { links, token, platform } = await unproven();
    const answer = await signIn(await links.identify(token, browser), "owner");
    platform.faults.add(fault);

    const error = await failureOf(links.identified(answer, browser), ServiceError);

    expect(error.code).toBe("identity_unproven");
    expect(shownBy(error)).not.toContain(platform.clientSecret);
    expect(await links.visit(token, browser)).toMatchObject({ wantsIdentity: true });
  });

  it("may refuse at Discord and come back", async () => {
    const { links, token } = await unproven();
    const answer = await signIn(await links.identify(token, browser), "owner", "cancel");

    await expectFailure(links.identified(answer, browser), ConnectError, "identity_denied");
    expect(await links.visit(token, browser)).toMatchObject({ wantsIdentity: true });
    await links.identified(await signIn(await links.identify(token, browser), "owner"), browser);
    expect(await links.visit(token, browser)).toMatchObject({ wantsIdentity: false });
  });

  it("is reported when Discord sends back another error", async () => {
    const { links, token } = await unproven();
    const answer = await signIn(await links.identify(token, browser), "owner", "cancel");
    const fault = changed(answer, { error: "server_error" });

    await expectFailure(links.identified(fault, browser), ServiceError, "identity_unproven");
  });
});

describe("a store that fails", () => {
  type Step = (stage: Awaited<ReturnType<typeof openLinks>>, links: Links) => Promise<unknown>;
  const steps: Readonly<Record<string, Step>> = {
    begin: ({ ask }, links) => links.begin(ask),
    visit: async ({ begin }, links) => links.visit(await begin(), browser),
    authorise: async ({ begin }, links) => links.authorise(await begin(), browser, ["read"]),
    answered: async ({ begin, consent }, links) =>
      links.answered(await consent(await begin()), browser),
    confirm: async ({ begin, consent, by, links: whole }, links) => {
      const { handle, code } = await whole.answered(await consent(await begin()), browser);
      return links.confirm(handle, by, code);
    },
    decline: async ({ begin, consent, by, links: whole }, links) => {
      const { handle } = await whole.answered(await consent(await begin()), browser);
      return links.decline(handle, by);
    },
  };

  it.each(Object.entries(steps))(
    "at %s is reported as that, at whichever call",
    async (_, step) => {
      const stage = await openLinks();
      let untilFailure = 0;
      const failing = <T extends object>(part: T): T =>
        new Proxy(part, {
          get: (target, name) => {
            const method: unknown = Reflect.get(target, name);
            if (typeof method !== "function") return method;
            return async (...args: unknown[]) => {
              untilFailure -= 1;
              if (untilFailure !== 0) return method.apply(target, args);
              const isRead = /^(read|take|all)/.test(String(name));
              const error = store(new Error("disk"));
              if (isRead) return { state: "failed", error };
              throw error;
            };
          },
        });
      const links = createLinks({
        ...stage.options,
        oneTimeTokens: failing(stage.options.oneTimeTokens),
        credentials: failing(stage.options.credentials),
        accessTokens: failing(stage.options.accessTokens),
        revocations: failing(stage.options.revocations),
      });
      const outcomes: string[] = [];

      for (let at = 1; at < 15; at += 1) {
        untilFailure = at;
        const outcome = await step(stage, links).then(
          () => "done",
          (error: unknown) => String(Object(error).code),
        );
        outcomes.push(outcome);
        if (untilFailure > 0) break;
      }

      expect(new Set(outcomes)).toEqual(new Set(["store_unavailable", "done"]));
      expect(outcomes.at(-1)).toBe("done");
    },
  );
});
