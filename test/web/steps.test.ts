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

/** Sends a form of ours, as the browser that began does. */
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
  const origins: readonly [string, Record<string, string>, boolean][] = [
    [
      "of our own, with the referrer switched off",
      { "Sec-Fetch-Site": "same-origin", Origin: "null" },
      true,
    ],
    ["of our own", { "Sec-Fetch-Site": "same-origin", Origin: publicUrl }, true],
    ["of an older browser", { Origin: publicUrl }, true],
    ["of another site", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }, false],
    [
      "of another site without a referrer",
      { "Sec-Fetch-Site": "cross-site", Origin: "null" },
      false,
    ],
    ["of a neighbour", { "Sec-Fetch-Site": "same-site", Origin: "https://www.bot.example" }, false],
    ["typed in", { "Sec-Fetch-Site": "none" }, false],
    [
      "that says one thing and another",
      { "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" },
      false,
    ],
    ["of our name without TLS", { Origin: "http://bot.example" }, false],
    ["that says nothing", {}, false],
    ["with an unknown origin", { Origin: "null" }, false],
  ];

  it.each(origins)("%s", async (_name, headers, isTaken) => {
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

  it("goes nowhere in a browser that keeps no cookie", async () => {
    const { Cookie: _cookie, ...headers } = form;

    const { status, body } = await send("permission=read", headers);

    expect(status).toBe(403);
    expect(body).toContain(unknown);
    expect(web.calls).toEqual([]);
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
  ])("refuses %s", async (_name, headers, body) => {
    const answered = await send(body, headers);

    expect(answered.status).toBe(400);
    expect(answered.body).toContain("That can’t be read");
    expect(web.calls).toEqual([]);
  });

  it("takes a body without a length", async () => {
    const headers = { ...form, "Transfer-Encoding": "chunked" };

    const { status } = await send("permission=read", headers);

    expect(status).toBe(303);
  });

  it("refuses a form that goes on without a tick", async () => {
    const { status } = await send("");

    expect(status).toBe(400);
    expect(web.calls).toEqual([]);
  });

  it("refuses a body without a length once the video is too long", async () => {
    const body = `permission=read&x=${"x".repeat(50_000)}`;
    const headers = { ...form, "Transfer-Encoding": "chunked" };

    const { status } = await send(body, headers);

    expect(status).toBe(400);
    expect(web.calls).toEqual([]);
  });
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
    [
      "a picture on another page",
      "GET",
      { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" },
    ],
    ["a frame", "GET", { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" }],
  ])("is left alone by %s", async (_name, method, headers) => {
    for (const path of ["/oauth/callback", "/discord/callback"]) {
      const { status } = await web.ask(path + query, {
        method,
        headers: { ...cookie, ...headers },
      });

      expect(status).toBe(403);
    }
    expect(web.calls).toEqual([]);
  });

  it("is left alone in a browser that has begun nothing", async () => {
    const { status, body } = await web.ask(`/oauth/callback${query}`);

    expect(status).toBe(403);
    expect(body).toContain(unknown);
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
    [new AccessError(unshown, { code: "link_over" }), 410],
    [new AccessError(unshown, { code: "link_other_browser" }), 403],
    [new ServiceError(unshown, { code: "store_unavailable" }), 503],
    [new ServiceError(unshown, { code: "made_up_since" as string }), 503],
  ] as const;

  it.each(failures)("says what to do next: %s", async (error, expected) => {
    web.answers.answered = error;

    const { status, body } = await web.ask("/oauth/callback?state=s", { headers: cookie });

    expect(status).toBe(expected);
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

  it("says that nothing is missing when the last page is loaded again", async () => {
    web.answers.answered = new AccessError("over", { code: "link_over" });

    const { body } = await web.ask("/oauth/callback?state=s", { headers: cookie });

    expect(body).toContain("just answer there");
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
