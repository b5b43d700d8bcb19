import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { locales } from "../../../src/language/index.ts";
import { bringAnswer, linkToken, openWeb, type WebStage } from "../stage.ts";

const page = `/connect/${linkToken}`;
const hostile = `<script>alert(1)</script>"'&\u202eevil {guild} \u{e000}`;

let web: WebStage;

beforeAll(async () => {
  web = await openWeb();
});
afterAll(() => web.close());

async function shown(visit: object, headers: Record<string, string> = {}): Promise<string> {
  const usual = web.answers.visit;
  Object.assign(web.answers, { visit: { ...usual, ...visit } });
  const { body } = await web.ask(page, { headers });
  web.answers.visit = usual;
  return body;
}

/** What a person reads, without markup. */
function read(body: string): string {
  const [, main = ""] = /<main>(.*)<\/main>/su.exec(body) ?? [];
  return main
    .replaceAll(/<[^>]+>/gu, " ")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/gu, " ");
}

describe("a link's page", () => {
  it("names the server and who asked", async () => {
    const text = read(await shown({}));

    expect(text).toContain("Link a channel to Pixel & Pine");
    expect(text).toContain("Robin asked for this in Discord.");
    expect(text).toContain("This page works for 10 more minutes.");
  });

  it("asks nobody who has proven who they are whether it was them", async () => {
    const doubt = "If that wasn’t you, close this page";
    const asking = await shown({ wantsIdentity: true });
    const proven = await shown({ wantsIdentity: false, endsWithCode: false });
    const unproven = await shown({ wantsIdentity: false, endsWithCode: true });

    expect(read(asking)).toContain(doubt);
    expect(read(unproven)).toContain(doubt);
    expect(read(proven)).not.toContain(doubt);
    expect(proven).toMatch(/aria-current="step"[^>]*>Allow</u);
  });

  it("keeps names apart from the page, whatever they hold", async () => {
    const body = await shown({ serverName: hostile, userName: hostile });
    const name =
      '<bdi class="name">&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\u202eevil {guild} \u{e000}</bdi>';

    expect(body).toContain(`Link a channel to ${name}`);
    expect(body).toContain(`<p class="lead">${name} asked`);
    expect(body).not.toContain("<script");
    expect(body.split(name)).toHaveLength(4);
  });

  it("names nobody in its title, which previews show", async () => {
    const body = await shown({});

    expect(body).toContain("<title>Link a channel – Greenroom</title>");
  });

  it("says beforehand that a code comes at the end, and shows none", async () => {
    const text = read(await shown({ endsWithCode: true }));

    expect(text).toContain("At the end, this page shows a code to type in Discord.");
    expect(read(await shown({ endsWithCode: false }))).not.toContain("code");
  });

  it("ticks what was asked for, and reading for good", async () => {
    const body = await shown({ permissions: ["comments"] });

    expect(body).toContain('<input type="hidden" name="permission" value="read">');
    expect(body).toContain('name="permission" value="comments" checked>');
    expect(body).toContain('name="permission" value="upload" >');
    expect(body).toContain('name="permission" value="memberships" >');
  });

  it("asks who somebody is before it asks for anything else", async () => {
    const body = await shown({ wantsIdentity: true });

    expect(body).toContain(`<form method="post" action="${page}/identity">`);
    expect(body).toContain("Continue with Discord");
    expect(body).not.toContain("checkbox");
  });

  it("says that a minute is left until the end", async () => {
    const body = await shown({ endsAt: new Date(Date.parse("2026-11-21T12:00:10Z")) });

    expect(body).toContain("This page works for 1 more minute.");
  });

  it.each(locales)(
    "is whole in %s, without a script or anything from elsewhere",
    async (locale) => {
      for (const visit of [{ locale }, { locale, wantsIdentity: true }]) {
        const body = await shown(visit);

        expect(body).toContain(`<html lang="${locale}">`);
        expect(body).not.toMatch(
          /<script|<style|style=|\son\w+=|https?:|url\(|undefined|\[object/u,
        );
        expect(body.match(/(?:href|action|src)="[^"]*"/gu)?.sort()).toEqual(
          [
            ...("wantsIdentity" in visit ? [`action="${page}/identity"`] : []),
            'href="/favicon.svg"',
            'href="/style.css"',
          ].sort(),
        );
      }
    },
  );

  it.each(locales)("labels every control in %s", async (locale) => {
    const body = await shown({ locale });

    const ticks = body.match(/<label class="tick">.*?<\/label>/gsu) ?? [];
    expect(ticks).toHaveLength(3);
    for (const tick of ticks)
      expect(read(`<main>${tick}</main>`).trim().length).toBeGreaterThan(20);
    expect(body).toMatch(/<fieldset>\s*<legend>[^<]+<\/legend>/u);
    expect(body).toMatch(/<button>[^<]+<\/button>/u);
    expect(body).toMatch(/<li class="now" aria-current="step">/u);
  });
});

describe("the language", () => {
  it("is that of the person's Discord, also on the pages after this one", async () => {
    const headers = { "Accept-Language": "ja" };
    const page = await web.ask(`/connect/${linkToken}`, { headers });
    const first = await shown({ locale: "de" }, headers);
    const later = await web.ask("/", {
      headers: { ...headers, Cookie: "__Host-greenroom-language=de" },
    });

    expect(first).toContain('<html lang="de">');
    expect(later.body).toContain('<html lang="de">');
    expect(page.cookies.join()).toContain("greenroom-language=en-US");
  });

  it.each(["xx", "<script>", ""])(
    "is the browser's where the cookie names none of ours: %s",
    async (value) => {
      const headers = { "Accept-Language": "fr", Cookie: `__Host-greenroom-language=${value}` };

      expect((await web.ask("/", { headers })).body).toContain('<html lang="fr">');
    },
  );
});

describe("the page after the consent", () => {
  const bringConsent = (cookies = "") => {
    const headers = { Cookie: `__Host-greenroom-link=${"b".repeat(43)}${cookies}` };
    return bringAnswer(web, "/oauth/callback?state=s", headers);
  };

  it("names the channel and what was granted, and sends people back to Discord", async () => {
    const { body } = (await bringConsent()).shown;
    const text = read(body);

    expect(text).toContain("Almost done: confirm in Discord");
    expect(text).toContain("whether Evening Lights is the right channel");
    expect(text).toContain("See the channel Run the channel and its comments");
    expect(text).not.toContain("Upload");
    expect(body).toContain('<a class="button" href="https://discord.example/channels/1/4">');
  });

  it("shows the code of a browser that has not proven whose it is, and again after a reload", async () => {
    const usual = web.answers.answered;
    web.answers.answered = { ...Object(usual), code: "K7-R4" };

    const { shown } = await bringConsent();
    web.answers.answered = usual;

    expect(read(shown.body)).toContain("Your code for Discord K7-R4 Press “Yes, link it”");
    expect(read(shown.body)).toContain("Don’t give it to anyone");
    expect(read(shown.body)).not.toContain("You can close this page");
    // The page must not delete the cookie.
    expect(shown.cookies.join()).not.toContain("outcome");
  });

  it("says of uploading that it comes with running the channel", async () => {
    web.answers.answered = {
      ...Object(web.answers.answered),
      permissions: ["read", "comments", "upload"],
    };

    const { shown } = await bringConsent();

    expect(read(shown.body)).toContain("Upload (included in “Run the channel and its comments”)");
  });

  it.each(locales)("is whole in %s", async (locale) => {
    const { body } = (await bringConsent(`; __Host-greenroom-language=${locale}`)).shown;

    expect(body).toContain(`<html lang="${locale}">`);
    expect(body.match(/https?:[^"]*/gu)).toEqual(["https://discord.example/channels/1/4"]);
    expect(body).not.toMatch(/<script|<style|style=|undefined|\[object/u);
  });
});
