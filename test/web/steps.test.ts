import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AccessError, ServiceError } from "../../src/errors.ts";
import { linkError } from "../../src/oauth/links/failure.ts";
import {
  bringAnswer,
  browser,
  cookie,
  form,
  linkToken,
  openWeb,
  publicUrl,
  type WebStage,
} from "./stage.ts";

const page = `/connect/${linkToken}`;
const foreign = "That came from somewhere else";
const unknown = "Continue in the browser you started with";

let web: WebStage;

beforeAll(async () => {
  web = await openWeb();
});
afterAll(() => web.close());
beforeEach(() => {
  web.calls.length = 0;
  web.logged.length = 0;
});

/** Sends one of our forms, as the browser that began the link does. */
const send = (body: string, headers: Readonly<Record<string, string>> = form, path = page) =>
  web.ask(path, { method: "POST", headers, body });

describe("a link's page", () => {
  it("gives the browser 256 random bits for a quarter of an hour", async () => {
    const { status, cookies } = await web.ask(page);

    expect(status).toBe(200);
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-greenroom-link=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/u,
      ),
      "__Host-greenroom-language=en-US; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure",
    ]);
  });

  it("lets a browser keep what it has", async () => {
    const { cookies } = await web.ask(page, { headers: cookie });

    expect(cookies[0]).toContain(`=${browser};`);
    expect(web.calls).toEqual([["visit", linkToken, browser]]);
  });

  it.each(["", "short", `${browser}x`, "<b>".padEnd(43, "x")])(
    "replaces what it never gave: %s",
    async (value) => {
      const headers = { Cookie: `__Host-greenroom-link=${value}` };

      const { cookies } = await web.ask(page, { headers });

      expect(cookies[0]).toMatch(/^__Host-greenroom-link=[\w-]{43};/u);
      if (value !== "") expect(cookies[0]).not.toContain(value);
    },
  );

  it("asks nothing but what it shows, also for previews", async () => {
    await web.ask(page, { method: "HEAD" });
    await web.ask(page, { headers: { "User-Agent": "Discordbot/2.0" } });
    await web.ask(`${page}/identity`);

    expect(web.calls.map(([step]) => step)).toEqual(["visit", "visit"]);
  });

  it.each([
    "/connect/",
    "/connect/abc",
    `/connect/${"x".repeat(44)}`,
    `${page}/more`,
    `${page}%2F`,
  ])("is nothing at %s", async (path) => {
    const { status, body } = await web.ask(path);

    expect(status).toBe(404);
    expect(body).toContain("There is nothing here");
    expect(web.calls).toEqual([]);
  });

  it("leads back from where only a form leads on", async () => {
    const { status, headers } = await web.ask(`${page}/identity`);

    expect([status, headers.location]).toEqual([303, page]);
  });
});

const chunked = { ...form, "Transfer-Encoding": "chunked" };

describe("the form", () => {
  it("sends on with what was ticked", async () => {
    const body = "permission=read&permission=upload";

    const { status, headers } = await send(body);

    expect([status, headers.location]).toEqual([303, "https://accounts.example/auth?state=s"]);
    expect(web.calls).toEqual([["authorise", linkToken, browser, ["read", "upload"]]]);
  });

  it("sends on to Discord", async () => {
    const { status, headers } = await send("", form, `${page}/identity`);

    const discord = "https://discord.example/oauth2/authorize";
    expect([status, headers.location?.split("?")[0]]).toEqual([303, discord]);
    expect(web.calls).toEqual([["identify", linkToken, browser]]);
  });

  const { "Sec-Fetch-Site": _, Origin: __, ...bare } = form;
  it.each([
    ["of our own, with the referrer switched off", "same-origin", "null", true],
    ["of our own", "same-origin", publicUrl, true],
    ["of an older browser", undefined, publicUrl, true],
    ["of another site", "cross-site", "https://evil.example", false],
    ["of another site without a referrer", "cross-site", "null", false],
    ["of a neighbour", "same-site", "https://www.bot.example", false],
    ["typed in", "none", undefined, false],
    ["that says one thing and another", "same-origin", "https://evil.example", false],
    ["of our name without TLS", undefined, "http://bot.example", false],
    ["that says nothing", undefined, undefined, false],
    ["with an unknown origin", undefined, "null", false],
  ])("%s", async (_name, site, origin, isTaken) => {
    const headers = { ...(site && { "Sec-Fetch-Site": site }), ...(origin && { Origin: origin }) };
    for (const [path, body] of [
      [page, "permission=read"],
      [`${page}/identity`, ""],
    ] as const) {
      const answered = await send(body, { ...bare, ...headers }, path);

      expect(answered.status).toBe(isTaken ? 303 : 403);
      if (!isTaken) expect(answered.body).toContain(foreign);
    }
    expect(web.calls).toHaveLength(isTaken ? 2 : 0);
  });

  it.each([
    ["a permission that there is not", form, "permission=read&permission=everything"],
    [
      "another kind of body",
      { ...form, "Content-Type": "multipart/form-data; boundary=x" },
      "--x--",
    ],
    ["JSON", { ...form, "Content-Type": "application/json" }, '{"permission":["read"]}'],
    ["more than a form of ours holds", form, `permission=read&x=${"x".repeat(5_000)}`],
    ["more than that without a length", chunked, `permission=read&x=${"x".repeat(50_000)}`],
    ["a form that goes on without a tick", form, ""],
  ])("refuses %s", async (_name, headers, body) => {
    const answered = await send(body, headers);

    expect(answered.status).toBe(400);
    expect(answered.body).toContain("That can’t be read");
    expect(web.calls).toEqual([]);
  });

  it("takes a body without a length", async () => {
    expect((await send("permission=read", chunked)).status).toBe(303);
  });
});

it("goes nowhere in a browser that keeps no cookie, or has begun nothing", async () => {
  const { Cookie: _cookie, ...headers } = form;
  const answers = [await send("permission=read", headers), await web.ask("/oauth/callback?code=c")];

  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  for (const { body } of answers) expect(body).toContain(unknown);
  expect(web.calls).toEqual([]);
});

describe("an answer that comes back", () => {
  const query = "?state=abc&code=4%2Fdef&scope=a%20b";

  it("is taken with its query as it came, at our own address", async () => {
    const { answer: redirect, shown } = await bringAnswer(web, `/oauth/callback${query}`, {
      ...cookie,
      Host: "evil.example",
      "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document",
    });

    expect([redirect.status, redirect.headers.location]).toEqual([303, "/oauth/done"]);
    expect(shown.status).toBe(200);
    expect(shown.body).toContain("Evening Lights");
    const [[step, answer, by] = []] = web.calls;
    expect([step, `${answer}`, by]).toEqual([
      "answered",
      `${publicUrl}/oauth/callback${query}`,
      browser,
    ]);
  });

  it("is shown once, and then it is said that nothing is missing", async () => {
    const { answer, shown } = await bringAnswer(web, `/oauth/callback${query}`, cookie);
    const again = await web.ask("/oauth/done", { headers: cookie });

    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^__Host-greenroom-outcome=[\w-]+; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/u,
      ),
    ]);
    expect(shown.cookies).toEqual([
      expect.stringMatching(/^__Host-greenroom-outcome=; Path=\/; Max-Age=0;/u),
    ]);
    expect([again.status, again.body]).toEqual([410, expect.stringContaining("just answer there")]);
    expect(web.calls).toHaveLength(1);
  });

  it.each(["", "x", "bnVsbA", "e30", "WzFd", "WyI8Yj4iLCJub3BlIl0"])(
    "is nothing that a browser made up: %s",
    async (value) => {
      const headers = { Cookie: `__Host-greenroom-outcome=${value}` };

      const { status, body } = await web.ask("/oauth/done", { headers });

      expect([200, 410]).toContain(status);
      expect(body).not.toContain("<b>");
    },
  );

  it("of Discord leads back to the page", async () => {
    const { status, headers } = await web.ask("/discord/callback?state=s&code=c", {
      headers: cookie,
    });

    expect([status, headers.location]).toEqual([303, page]);
    expect(`${web.calls[0]?.[1]}`).toBe(`${publicUrl}/discord/callback?state=s&code=c`);
  });

  it.each([
    ["a look at its headers", "HEAD", {}],
    ["a browser that loads ahead", "GET", { "Sec-Purpose": "prefetch;prerender" }],
    ["another page's picture", "GET", { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" }],
    ["a frame", "GET", { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" }],
  ])("is left alone by %s", async (_name, method, more) => {
    const headers = { ...cookie, ...more };
    for (const path of ["/oauth/callback", "/discord/callback"]) {
      expect((await web.ask(path + query, { method, headers })).status).toBe(403);
    }
    expect(web.calls).toEqual([]);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("is nothing for %s", async (method) => {
    const url = `/oauth/callback${query}`;
    const bare = await web.ask(url, { method, headers: cookie });
    const full = await web.ask(url, { method, headers: cookie, body: "x".repeat(100_000) });

    expect([bare.status, full.status]).toEqual([404, 404]);
    expect(web.calls).toEqual([]);
  });
});

describe("a step that fails", () => {
  const unshown = "Never shown.";
  const failures = [
    // This page was only loaded again, so nothing is missing.
    [new AccessError(unshown, { code: "link_over" }), 410, /just answer there/u],
    [new AccessError(unshown, { code: "link_other_browser" }), 403, /./u],
    [new ServiceError(unshown, { code: "store_unavailable" }), 503, /./u],
    [new ServiceError(unshown, { code: "made_up_since" as string }), 503, /./u],
  ] as const;

  it.each(failures)("says what to do next: %s", async (error, expected, words) => {
    web.answers.answered = error;

    const { status, body } = await web.ask("/oauth/callback?state=s", { headers: cookie });

    expect(status).toBe(expected);
    expect(body).toMatch(words);
    expect(body).toMatch(/<h1>[^<]{5,}<\/h1>\s*<p class="lead">[^<]{10,}<\/p>/u);
    expect(body).not.toContain(unshown);
  });

  it("says what to do after cancelling at Discord, and is not logged as our failure", async () => {
    web.answers.identified = linkError("identity_denied");

    const { status, body } = await web.ask("/discord/callback?state=s&error=access_denied", {
      headers: cookie,
    });

    expect(status).toBe(409);
    expect(body).toContain("the link stays open");
    expect(web.logged.join("")).not.toMatch(/"level":"(?:warn|error)"/u);
  });

  it("of ours is in the log under the id that the page shows, and nowhere else", async () => {
    web.answers.answered = new TypeError("inner <secret> workings");

    const { status, body } = await web.ask("/oauth/callback?state=s", { headers: cookie });

    const [, id = ""] = /Reference ([0-9a-f]{8})/u.exec(body) ?? [];
    expect(status).toBe(500);
    expect(body).not.toContain("workings");
    expect(web.logged.join("")).toContain(id);
    expect(web.logged.join("")).toContain("inner <secret> workings");
  });

  it("is logged without token, state or browser", async () => {
    const state = "S".repeat(43);
    web.answers.visit = new ServiceError("down", { code: "store_unavailable" });
    web.answers.answered = web.answers.visit;

    await web.ask(page, { headers: cookie });
    await web.ask(`/oauth/callback?state=${state}&code=secretcode`, { headers: cookie });

    const logged = web.logged.join("");
    expect(logged).toContain("store_unavailable");
    for (const secret of [linkToken, state, browser, "secretcode"]) {
      expect(logged).not.toContain(secret);
    }
  });
});
