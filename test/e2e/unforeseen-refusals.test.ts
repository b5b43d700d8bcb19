import { describe, expect, it } from "vitest";
import { photo } from "../support/stage.ts";
import { expectText, useStage } from "../support/use-stage.ts";

describe("a refusal that nobody foresaw", () => {
  const { stage, owner, member } = useStage();
  const page = "<!doctype html><title>Blocked</title><p>by a proxy</p>";

  function refuse(service: "video" | "background", status: number, body: object | string): void {
    stage.sandbox[service].faults.add({
      kind: "answer",
      path: /\/(?:removebg|playlists)/u,
      status,
      ...(typeof body === "object" && { headers: { "content-type": "application/json" } }),
      body: typeof body === "object" ? JSON.stringify(body) : body,
    });
  }

  it.each([400, 403])("shows what YouTube says about a %i, marked as YouTube's", async (status) => {
    const message = "**Names** with a year need @everyone, see https://x.example/?key=abc123.";
    refuse("video", status, {
      error: { code: status, message, errors: [{ reason: "yearInName" }] },
    });

    const answer = await owner.run("playlists create", { title: "Best of 2026" });

    expectText(answer, "YouTube did not accept this", "YouTube’s answer: “", "yearInName");
    expect(answer.embeds[0]?.description).toContain(
      String.raw`\*\*Names\*\* with a year need \@everyone, see x.example \(yearInName\)`,
    );
  });

  it.each([400, 403])("shows what remove.bg says about a %i", async (status) => {
    const refusal = { title: "Plan too small", detail: "Upgrade first.", code: "plan_too_small" };
    refuse("background", status, { errors: [refusal] });

    const answer = await member.run("background remove", { image: await photo("cat") });

    expectText(answer, "remove.bg did not accept this");
    expectText(answer, "remove.bg’s answer: “Plan too small: Upgrade first. ");
  });

  it.each([
    ["video", "YouTube answered with a web page instead of data"],
    ["background", "remove.bg answered with a web page instead of data"],
  ] as const)("does not take a proxy's page for a refusal of %s", async (service, sentence) => {
    refuse(service, 403, page);

    const answer =
      service === "video"
        ? await owner.run("playlists create", { title: "Best of" })
        : await member.run("background remove", { image: await photo("cat") });

    expectText(answer, "An unexpected web page came back", sentence);
  });

  it.each(["video", "background"] as const)("shows plain text of %s too", async (service) => {
    refuse(service, 400, "Uploads from here are @everyone’s problem.");

    const answer =
      service === "video"
        ? await owner.run("playlists create", { title: "Best of" })
        : await member.run("background remove", { image: await photo("cat") });

    expectText(answer, "’s answer: “Uploads from here are @everyone’s problem.”");
    expect(answer.embeds[0]?.description).toContain(String.raw`\@everyone`);
  });

  it("speaks the person's language around the service's own words", async () => {
    owner.speak("de");
    refuse("video", 400, {
      error: { code: 400, message: "Too new.", errors: [{ reason: "tooNew" }] },
    });

    const answer = await owner.run("playlists erstellen", { titel: "Neu" });

    expectText(answer, "YouTube hat das nicht angenommen", "Antwort von YouTube: „Too new.");
  });

  describe("of Discord", () => {
    const secret = "MTk4Nj.Cl2FMQ.ZnCjZq8Xw1Yv7Ut6Sr5";

    /** What a person reads when Discord refuses their sticker with this body. */
    async function refusedSticker(body: object | string) {
      const { platform } = stage.sandbox;
      const isJson = typeof body === "object";
      platform.faults.add({
        kind: "answer",
        path: /\/stickers$/u,
        method: "POST",
        status: 400,
        times: 1,
        ...(isJson && { headers: { "content-type": "application/json" } }),
        body: isJson ? JSON.stringify(body) : body,
      });
      const made = await owner.run("background sticker", { image: await photo("cat") });
      return owner.submit(await owner.clickForm(made, "Add to this server"), {});
    }

    it("shows its message, with what it says of each field", async () => {
      const message = "No @everyone, **never**, see https://x.example/?token=abc123.";
      const errors = { note: { _errors: [{ code: "BAD", message: "Too odd" }] } };

      const answer = await refusedSticker({ code: 50035, message, errors });

      expect(answer.embeds[0]?.description).toContain(
        String.raw`Discord’s answer: “No \@everyone, \*\*never\*\*, see x.example\: note\[BAD\]\: Too odd \(50035\)”`,
      );
    });

    it.each([
      ["a secret", { code: 9, message: `Bot ${secret} is bad` }, "Bot [hidden] is bad (9)"],
      ["plain text", "error code: 1015", "error code: 1015"],
      ["much", { code: 9, message: "x".repeat(100_000) }, `${"x".repeat(300)}… (9)`],
      ["no code", { message: "Only words" }, "Only words"],
      ["a code alone", { code: 999_999 }, "999999"],
    ])("says what is there: %s", async (_, body, said) => {
      expectText(await refusedSticker(body), `Discord’s answer: “${said}”`);
    });

    it.each([
      ["a web page", "<!doctype html><h1>Blocked</h1>"],
      ["nothing", ""],
      ["odd JSON", { code: { a: 1 }, message: { b: 2 } }],
    ])("has no words of its own for %s", async (_, body) => {
      const answer = await refusedSticker(body);

      expectText(answer, "Discord did not accept this", "Nothing was changed");
      expect(answer.embeds[0]?.description).not.toContain("Discord’s answer");
    });
  });
});
