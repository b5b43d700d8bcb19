import { describe, expect, it } from "vitest";
import { explain } from "../../src/discord/explain.ts";
import { formatted } from "../../src/discord/text.ts";
import { ConnectError, InputError, LimitError, NetworkError } from "../../src/errors.ts";
import { failureOf } from "../../src/video/failures/failure.ts";
import { methods } from "../../src/video/methods/index.ts";
import type { MethodSpec } from "../../src/video/methods/spec.ts";
import documented from "../video/data/failures.json" with { type: "json" };

const said = (error: unknown) => {
  const { title, text = "", footer } = explain(error, "7K2M9P");
  return { title, text: formatted(text), footer };
};

describe("explain", () => {
  it("tells what happened, what to do, what was left behind, and the reference", () => {
    const error = new InputError("log only", { code: "picture_empty", hint: "Send another." });

    expect(said(error)).toEqual({
      title: "The file is empty",
      text: "Send another.\nNothing was changed and nothing was charged.",
      footer: "Reference 7K2M9P",
    });
  });

  it("names the option that can't be read, and what it needs", () => {
    const facts = { option: "region", wanted: "a country" };
    const error = new InputError("log only", { code: "option_unreadable", hint: "Choose.", facts });

    expect(said(error).title).toBe("The option “region” needs a country");
  });

  it("falls back to the kind for a code without words of its own", () => {
    const error = new ConnectError("log only", { code: "brand_new", hint: "Reconnect." });

    expect(said(error).title).toBe("The connection needs attention");
  });

  it("says when a limit is over, in the reader's own time", () => {
    const retryAt = new Date("2026-11-22T08:00:00Z");
    const error = new LimitError("log only", { code: "quota_exceeded", hint: "Wait.", retryAt });

    expect(said(error).text).toContain("Back <t:1795334400:R>, at <t:1795334400:f>.");
  });

  it("says that it is not certain when it is not", () => {
    const error = new NetworkError("log only", { code: "cut", hint: "Look.", outcome: "unknown" });

    expect(said(error).text).toContain("It is not certain whether it was done.");
  });

  it("tells nothing of a fault of ours but the reference", () => {
    const shown = said(new Error("password hunter2 in /etc/secret"));

    expect(JSON.stringify(shown)).not.toMatch(/hunter2|secret/u);
    expect(shown.footer).toBe("Reference 7K2M9P");
  });

  it("escapes what a service put into a hint", () => {
    const error = new InputError("log only", {
      code: "x",
      hint: "@everyone [a](https://b.example)",
    });

    expect(said(error).text).toContain("\\@everyone \\[a\\]");
  });

  it("is calm about what is there already", () => {
    const facts = { isThere: true };
    const error = new InputError("log only", { code: "duplicate", hint: "Already there.", facts });

    expect(explain(error, "7K2M9P")).toMatchObject({ tone: "info", title: "It is there already" });
    expect(said(error)).toMatchObject({ text: "Already there.", footer: undefined });
  });

  it.each([
    ["channel_not_found", "That can't be found"],
    ["not_found", "That can't be found"],
    ["acting_channel_not_found", "The linked account can't act for that channel"],
  ])("has a title for %s", (code, title) => {
    expect(said(new InputError("log only", { code, hint: "Look." })).title).toBe(title);
  });
});

const general = [
  "The connection needs attention",
  "The service could not do it",
  "Too much for now",
  "The service could not be reached",
];

const rows: Readonly<Record<string, MethodSpec>> = methods;

describe("every documented failure of the video service", () => {
  it.each(documented.map(({ method, status, reason }) => [method, status, reason] as const))(
    "reads well: %s %i %s",
    (method, status, reason) => {
      const body = Buffer.from(JSON.stringify({ error: { errors: [{ reason }] } }));
      const row = rows[method] ?? methods["videos.list"];
      const how = { method, row, signedBy: "token", now: 0 } as const;
      const error = failureOf({ status, headers: {}, body }, how);

      const { title, text } = said(error);

      // What is entered wrongly or not allowed is told well enough by its kind; the rest has words of its own.
      if (error.code !== "service_unavailable") expect(general).not.toContain(title);
      expect(title).toMatch(/^[A-Z][^.]{4,60}$/);
      const words = text.replaceAll(/<t:\d+:[Rf]>/g, "");
      expect(words).not.toMatch(/[<>]|[a-z]_[a-z]|undefined/);
    },
  );
});
