import { describe, expect, it } from "vitest";
import {
  describeAdvice,
  describeFailure,
  describeFailureShortly,
} from "../../../src/discord/draw/explain.ts";
import { formatted } from "../../../src/discord/draw/text.ts";
import {
  AccessError,
  ConnectError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../../src/errors.ts";
import { locales } from "../../../src/language/index.ts";
import { words } from "../../support/words.ts";

const english = words();

const said = (error: unknown, person = english) => {
  const { title, text = "", footer } = describeFailure(error, "7K2M9P", person);
  return { title, text: formatted(text), footer };
};

describe("explain", () => {
  it("says what happened, what to do, what was left behind, and the reference", () => {
    const error = new InputError("log only", { code: "upload_empty" });

    expect(said(error)).toEqual({
      title: "The file is empty",
      text: "The file is empty. Choose another one.",
      footer: "Reference 7K2M9P",
    });
  });

  it("shows a moment in each reader's own time, and the zone that it was read in", () => {
    const facts = { given: "yesterday", moment: 1_795_334_400_000, timeZone: "UTC" };
    const error = new InputError("log only", { code: "date_past", facts });

    expect(said(error).title).toBe("“yesterday” is in the past");
    expect(said(error).text).toMatch(
      /^It was understood as <t:1795334400:f> \(time zone UTC\), which is in the past\./u,
    );
  });

  it("shows both moments of a time span in the wrong order", () => {
    const facts = { since: 1_795_334_400_000, until: 1_795_248_000_000 };
    const error = new InputError("log only", { code: "date_order", facts });

    expect(said(error).text).toMatch(
      /^They were understood as <t:1795334400:f> and <t:1795248000:f>\./u,
    );
  });

  it("speaks the person's language", () => {
    const retryAt = new Date("2026-11-22T08:00:00Z");
    const facts = { bucket: "searches" };
    const error = new LimitError("log only", { code: "quota_exceeded", facts, retryAt });

    const { title, text } = said(error, words("de"));

    expect(title).toBe("Das YouTube-Kontingent für heute ist aufgebraucht");
    expect(text.split("\n")).toEqual([
      "Die Suchen für heute sind aufgebraucht. Um Mitternacht (Pazifikzeit) gibt es neue.",
      "Versuch es <t:1795334400:R> wieder (<t:1795334400:f>).",
    ]);
  });

  it.each([
    ["country", "Unknown country"],
    ["video", "That isn’t a YouTube video link"],
    ["never heard of", "The option “region” can’t be read"],
  ])("names what can’t be read: %s", (wanted, title) => {
    const facts = { option: "region", wanted, names: "red", given: "x" };
    const error = new InputError("log only", { code: "option_unreadable", facts });

    expect(said(error).title).toBe(title);
    expect(said(error).text).toContain("as “region”.");
  });

  it("falls back to the words of the kind for a code without words", () => {
    const error = new ConnectError("log only", { code: "brand_new" as string });

    expect(said(error).title).toBe("The connection needs attention");
    expect(describeAdvice(error, english).markup).toBe(
      "Someone who manages this server can check the connection with /connect status.",
    );
    expect(said(error, words("ja")).title).toBe("接続の確認が必要です");
  });

  it.each([
    ["input", new InputError("log only", { code: "brand_new" as string })],
    ["access", new AccessError("log only", { code: "brand_new" as string })],
    ["service", new ServiceError("log only", { code: "brand_new" as string })],
    ["limit", new LimitError("log only", { code: "brand_new" as string })],
    ["network", new NetworkError("log only", { code: "brand_new" as string })],
  ])("has a title and a hint for every kind, without any fact: %s", (kind, error) => {
    expect(describeFailureShortly(error, english)).toBe(
      english.find(`failures.kinds.${kind}.title`),
    );
    expect(describeAdvice(error, english).markup).toBe(
      english.find(`failures.kinds.${kind}.hint`, { by: "YouTube" }),
    );
  });

  it("falls back to the words of the kind when a fact is missing", () => {
    const error = new InputError("log only", { code: "too_many_values" as string });

    expect(describeAdvice(error, english).markup).toBe(
      "YouTube did not accept what was entered. Check it and try again.",
    );
  });

  const services = [
    [undefined, "YouTube", "whether the linked channel may do this"],
    ["background", "remove.bg", "what the account for background removal may do"],
    ["consent", "Google", "whether the linked channel may do this"],
    ["discord", "Discord", "whether Greenroom may do this in the server"],
  ] as const;

  it.each(services)("blames the service that refused it: %s", (service, by, advice) => {
    const at = service === undefined ? {} : { service };
    const input = new InputError("log", { code: "brand_new" as string, facts: at });
    const facts = { ...at, status: 403 };
    const access = new AccessError("log", { code: "brand_new" as string, facts });
    const others = services.map(([, name]) => name).filter((name) => name !== by);

    const texts = [input, access].map((error) => `${said(error).title} ${said(error).text}`);

    expect(texts[0]).toContain(`${by} did not accept what was entered`);
    expect(texts[1]).toContain(`${by} did not accept this`);
    expect(texts[1]).toContain(advice);
    for (const other of others) expect(texts.join(" ")).not.toContain(`${other} `);
  });

  it.each([
    [new InputError("log", { code: "brand_new_not_found" as string }), "Not found"],
    [new InputError("log", { code: "x" as string, facts: { isThere: true } }), "Already exists"],
    [new InputError("log", { code: "not_found", facts: { status: 404 } }), "Not found"],
  ])("goes by what a new code says of itself (%#)", (error, title) => {
    expect(describeFailureShortly(error, english)).toBe(title);
    expect(describeAdvice(error, english).markup).not.toBe("-");
  });

  it("speaks the person's language about a reason that a service has made up since", () => {
    const facts = { reason: "brandNew", status: 403, method: "videos.list" };
    const error = new AccessError("log only", { code: "brand_new" as string, facts });

    expect(describeAdvice(error, words("fr")).markup).toBe(
      "Vérifie la saisie et si la chaîne associée peut le faire.",
    );
  });

  it.each([
    [undefined, "YouTube"],
    ["background", "remove.bg"],
    ["consent", "Google"],
    ["discord", "Discord"],
  ])("quotes the service about what nobody foresaw: %s", (service, by) => {
    const quote = "@everyone **Ask** discord.gg/x (brandNew)";
    const facts = { status: 400, said: quote, ...(service !== undefined && { service }) };
    const error = new InputError("log only", { code: "brand_new" as string, facts });

    expect(said(error)).toEqual({
      title: `${by} did not accept this`,
      text: `Check what was entered and try again. ${by}’s answer: “\\@everyone \\*\\*Ask\\*\\* discord.gg\\/x \\(brandNew\\)”.`,
      footer: "Reference 7K2M9P",
    });
  });

  it("says that it is not certain when it is not", () => {
    const error = new NetworkError("log only", { code: "cut", outcome: "unknown" });

    expect(said(error).text).toContain("look before you try again");
    expect(said(error).text).toContain(
      "It may or may not have been done. Check before you try again.",
    );
  });

  it.each([
    ["commentThreads.list", "Look at the comments before"],
    ["channelSections.list", "Look at the sections before"],
    [undefined, "Look for it before"],
  ])("says where to look when nobody knows whether it was done: %s", (lookAt, sentence) => {
    const facts = { isUndecided: true, ...(lookAt !== undefined && { lookAt }) };
    const outcome = "unknown";
    const error = new NetworkError("log only", { code: "timeout", outcome, facts });

    expect(said(error).text).toContain(sentence);
    expect(said(error).text).not.toContain("It may or may not have been done.");
  });

  it("says whose rule it is that some characters are not allowed", () => {
    const facts = { parameter: "body.snippet.title", rule: "free", forbidden: "< >" };
    const error = new InputError("log only", { code: "invalid_parameter", facts });

    expect(describeAdvice(error, english).markup).toContain(
      "YouTube doesn’t allow these characters in “title”: \\< \\>. Remove them.",
    );
  });

  it.each([
    [{ step: "set" }, "The picture was uploaded but not set as the banner. "],
    [{ written: "brandingSettings" }, "The channel’s settings were changed;"],
    [{ written: "snippet, status" }, "Changed so far: snippet, status."],
  ])("says first what an earlier step has left: %j", (facts, start) => {
    const outcome = "part";
    const error = new AccessError("log only", { code: "forbidden", outcome, facts });

    expect(said(error).text.replaceAll("\\", "").startsWith(start)).toBe(true);
    expect(said(error).text).toContain("The linked account has no right to do that.");
  });

  it("says nothing of a banner whose upload failed", () => {
    const facts = { step: "upload" };
    const error = new NetworkError("log only", { code: "cut", outcome: "unknown", facts });

    expect(said(error).text).not.toContain("The picture was uploaded");
  });

  it.each([
    [1, "1 credit had already been charged."],
    [0.25, "0.25 credits had already been charged."],
    ["unknown", "may have been charged."],
  ])("says what was charged: %s", (charged, sentence) => {
    const facts = { reason: "it is not a complete ZIP", charged };
    const options = { code: "cutout_damaged", outcome: "part", facts } as const;

    const { text } = said(new ServiceError("log only", options));
    expect(text).toContain(sentence);
    expect(text).not.toContain("Only part of it was done");
  });

  it("names the place that the service complains about", () => {
    const facts = { reason: "invalidParameter", status: 400, location: "body.snippet.title" };
    const error = new InputError("log only", { code: "invalid_parameter", facts });

    expect(describeAdvice(error, english).markup).toMatch(/ \(title\)$/u);
  });

  it("keeps the service's own names for places to itself", () => {
    const facts = { reason: "invalidParameter", status: 400, location: "part" };
    const error = new InputError("log only", { code: "invalid_parameter", facts });

    expect(describeAdvice(error, english).markup).not.toContain("(");
  });

  it.each([
    ["en-US", "“title” can have up to 100 characters; this has 1,234."],
    ["de", "„Titel“ darf höchstens 100 Zeichen haben; das sind 1.234."],
    ["ja", "「タイトル」は100文字までです。現在1,234文字あります。"],
  ])("names a field as people do, in %s", (tag, sentence) => {
    const parameter = "body.snippet.title";
    const facts = { parameter, rule: "chars", most: 100, length: 1_234 };
    const error = new InputError("log only", { code: "invalid_parameter", facts });

    expect(describeAdvice(error, words(tag)).markup).toContain(sentence);
  });

  it("reveals nothing of a fault of ours but the reference", () => {
    const shown = said(new Error("password hunter2 in /etc/secret"));

    expect(JSON.stringify(shown)).not.toMatch(/hunter2|secret/u);
    expect(shown.title).toBe("Something went wrong");
    expect(shown.footer).toBe("Reference 7K2M9P");
  });

  it("escapes what people and services have put into facts", () => {
    const name = "@everyone [a](https://b.example) {0}";
    const known = new InputError("log only", {
      code: "extra_unknown",
      facts: { name, known: "**b**" },
    });

    expect(said(known).text).toContain("\\@everyone \\[a\\]");
    expect(said(known).text).toContain("\\*\\*b\\*\\*");
  });

  it("is calm about what is there already", () => {
    const facts = { isThere: true };
    const error = new InputError("log only", { code: "duplicate", facts });

    expect(describeFailure(error, "7K2M9P", english)).toMatchObject({ tone: "neutral" });
    expect(said(error)).toEqual({
      title: "Already exists",
      text: "There was nothing to do.",
      footer: undefined,
    });
  });

  it("says that nothing was changed only where something was sent that could have changed it", () => {
    const facts = { status: 400 };
    const codes: readonly string[] = ["invalidTitle", "x"];
    const [refusal = "", other = ""] = codes;
    const refused = new InputError("the service says no", { code: refusal, facts });
    const typo = new InputError("our own check says no", { code: "upload_empty" });
    const absent = new InputError("no such thing", { code: other, facts: { status: 404 } });
    const outcome = (error: unknown, mayChange: boolean) =>
      formatted(describeFailure(error, "7K2M9P", english, { mayChange }).text ?? "").includes(
        "Nothing was changed",
      );

    expect(outcome(refused, true)).toBe(true);
    expect([outcome(refused, false), outcome(typo, true), outcome(absent, true)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("does not say that nothing was charged when looking things up has cost something", () => {
    const error = new ServiceError("it failed", { code: "service_unavailable" });
    const spent = "1 unit · 9,999 units left today";

    const failure = describeFailure(error, "7K2M9P", english, { spent, mayChange: true });

    expect(JSON.stringify(failure.text)).toContain("Nothing was changed.");
    expect(JSON.stringify(failure.text)).not.toContain("charged");
    expect(failure.footer).toBe("Reference 7K2M9P · 1 unit · 9,999 units left today");
  });

  it.each(locales)("blames the service that answered, in %s", (locale) => {
    const names = { background: "remove.bg", consent: "Google", discord: "Discord", "": "YouTube" };
    const codes = ["unreadable_answer", "web_page_answer"] as const;
    const outcomes = ["nothing", "unknown"] as const;

    for (const [service, name] of Object.entries(names)) {
      const others = Object.values(names).filter((other) => other !== name);
      for (const code of codes) {
        for (const outcome of outcomes) {
          for (const step of ["", "improve"]) {
            const facts = { ...(service !== "" && { service }), step };
            const error = new ServiceError("log only", { code, outcome, facts });
            const { title, text } = said(error, words(locale));

            expect(`${title} ${text}`).toContain(name);
            for (const other of others) expect(`${title} ${text}`).not.toContain(other);
          }
          const own = { service: "background", engineHost: "cut.example", step: "improve" };
          const error = new ServiceError("log only", { code, outcome, facts: own });
          const { title, text } = said(error, words(locale));
          expect(`${title} ${text}`).toContain("cut.example");
          expect(`${title} ${text}`).not.toContain("remove.bg");
        }
      }
    }
  });
});
