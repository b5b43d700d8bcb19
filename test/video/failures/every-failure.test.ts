import { describe, expect, it } from "vitest";
import { describeAdvice } from "../../../src/discord/draw/explain.ts";
import type { BotError } from "../../../src/errors.ts";
import { videoErrorFor } from "../../../src/video/failures/failure.ts";
import { failureByReason } from "../../../src/video/failures/known-failures.ts";
import { methods } from "../../../src/video/methods/index.ts";
import type { MethodSpec } from "../../../src/video/methods/spec.ts";
import { words } from "../../support/words.ts";
import documented from "../data/failures.json" with { type: "json" };

const now = Date.UTC(2026, 0, 15, 12);
const methodSpecs: Readonly<Record<string, MethodSpec>> = methods;
const raw = "Raw <b>text</b> of the service.";

function tell(method: string, status: number, reason: string): BotError {
  const methodSpec = methodSpecs[method] ?? methods["videos.list"];
  const error = { code: status, message: raw, errors: [{ domain: "d", reason, message: raw }] };
  const body = Buffer.from(JSON.stringify({ error }));
  return videoErrorFor(
    { status, headers: {}, body },
    { method, methodSpec, signedBy: "token", now },
  );
}

/** Kinds of failure that a status may stand for. */
function kindsOf(status: number): readonly string[] {
  if (status === 401) return ["connect"];
  if (status === 403) return ["access", "connect", "limit"];
  if (status === 429) return ["limit"];
  if (status >= 500) return ["service"];
  return ["input", "connect", "access", "limit", "service"];
}

const cases = documented.map((one) => [one.method, one.status, one.reason] as const);
/** These are recognised by status and text, before the reason is looked up. */
const limits = new Set(["quota_exceeded", "rate_limited"]);

describe("every documented failure", () => {
  it.each(cases)("has its own kind and code: %s %i %s", (method, status, reason) => {
    const error = tell(method, status, reason);

    if (!limits.has(error.code)) {
      expect(failureByReason(reason, status, method)).toMatchObject({
        kind: error.kind,
        code: error.code,
      });
    }
    expect(error.code).toMatch(/^[a-z][a-z0-9_]*$/);
    if (reason !== "invalidParameter") expect(error.code).not.toBe("invalid_parameter");
    expect(kindsOf(status)).toContain(error.kind);
    expect(error.outcome).toBe("nothing");
    expect(error.facts).toMatchObject({ method, status, reason });
  });

  it.each(cases)(
    "shows the service's text only where its reason leaves open what is wrong: %s %i %s",
    (method, status, reason) => {
      const { message, code, facts } = tell(method, status, reason);
      const { said, ...others } = facts;

      expect(JSON.stringify({ message, code, others })).not.toMatch(/[<>]|Raw|text of the/);
      const named = failureByReason(reason, status, method);
      const isShown = (named === undefined || named.isVague === true) && !limits.has(code);
      expect(said).toBe(isShown ? `Raw text of the service. (${reason})` : undefined);
    },
  );

  it.each([
    ["not found is an input", (reason: string) => reason.endsWith("NotFound"), ["input", "access"]],
    ["the day's end is a limit", (reason: string) => /^(quota|dailyLimit)/.test(reason), ["limit"]],
  ])("keeps to its kind: %s", (_, isMeant, kinds) => {
    const found = cases.filter(
      ([, , reason]) => isMeant(reason) && !/^cms|^subscriber/.test(reason),
    );

    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(kinds).toContain(tell(...one).kind);
  });

  it.each([
    ["captions.insert", 409, "captionExists"],
    ["playlistItems.insert", 409, "videoAlreadyInPlaylist"],
    ["subscriptions.insert", 400, "subscriptionDuplicate"],
    ["playlists.insert", 409, "duplicate"],
  ])("says that the same video is already there: %s %i %s", (method, status, reason) => {
    expect(tell(method, status, reason).facts).toMatchObject({ isThere: true });
  });
});

describe("the same word with another meaning", () => {
  it.each([
    ["channelNotFound", ["channels.list", 404], ["channels.list", 403]],
    ["subscriptionForbidden", ["subscriptions.insert", 400], ["subscriptions.insert", 403]],
    ["subscriptionForbidden", ["subscriptions.list", 403], ["subscriptions.insert", 403]],
    ["maxPlaylistExceeded", ["playlists.insert", 400], ["channelSections.insert", 400]],
    ["required", ["videos.list", 400], ["videos.list", 401]],
    ["rateLimitExceeded", ["videos.reportAbuse", 400], ["videos.reportAbuse", 403]],
    ["operationNotSupported", ["comments.insert", 400], ["comments.list", 400]],
  ] as const)("has another code: %s", (reason, [method, status], [otherMethod, otherStatus]) => {
    expect(tell(method, status, reason).code).not.toBe(tell(otherMethod, otherStatus, reason).code);
  });

  it.each([
    ["forbidden", "comments.delete", "thumbnails.set"],
    ["playlistItemsNotAccessible", "playlistItems.list", "playlistItems.insert"],
    ["playlistOperationUnsupported", "playlistItems.list", "playlistItems.delete"],
    ["invalidPageToken", "members.list", "playlists.list"],
  ])("gets other words: %s of %s and of %s", (reason, method, other) => {
    const advice = (of: string) => describeAdvice(tell(of, 403, reason), words());

    expect(advice(method)).not.toBe(advice(other));
  });
});
