import { DiscordAPIError, HTTPError, RateLimitError } from "@discordjs/rest";
import type { DiscordErrorData, RateLimitData } from "discord.js";
import { describe, expect, it } from "vitest";
import { checkRequest } from "../../src/background/check-request.ts";
import { sendTranslated } from "../../src/background/failure.ts";
import { createPacer } from "../../src/background/pace/pacer.ts";
import { ownCodes, serviceCodes } from "../../src/background/request-errors.ts";
import { refuseOver } from "../../src/budget/refuse-over.ts";
import { openDatabase } from "../../src/database/index.ts";
import { authorise, requireRank } from "../../src/discord/access/authorise.ts";
import {
  botMayNot,
  expressionError,
  personMayNot,
  undecided,
} from "../../src/discord/access/expressions/failure.ts";
import { readServerRoles } from "../../src/discord/access/roles/server-roles.ts";
import { readDate } from "../../src/discord/declare/dates.ts";
import { readDuration } from "../../src/discord/declare/durations.ts";
import {
  describeAdvice,
  describeFailure,
  describeFailureShortly,
} from "../../src/discord/draw/explain.ts";
import { formatted } from "../../src/discord/draw/text.ts";
import {
  type MessageRequest,
  messageError,
} from "../../src/discord/run/channel-messages/failure.ts";
import { BotError, NetworkError } from "../../src/errors.ts";
import { credentialMissing } from "../../src/features/context/credentials.ts";
import { option } from "../../src/features/declarations/option.ts";
import { readExtra } from "../../src/features/extra/extra.ts";
import { attachmentTooLarge } from "../../src/http/attachment.ts";
import { createDamagedError, pictureErrors } from "../../src/images/picture-errors.ts";
import { locales } from "../../src/language/index.ts";
import { decisionFailedError, shortageError } from "../../src/moderation/decide/send-batch.ts";
import { createModerationRecords } from "../../src/moderation/records/index.ts";
import { createMatcher } from "../../src/moderation/rules/matchers/matcher.ts";
import { refuseRule } from "../../src/moderation/rules/matchers/refuse-rule.ts";
import { createSavedReplies } from "../../src/moderation/saved-replies.ts";
import { clientMissing, tokenEndpointFailure as consentFailure } from "../../src/oauth/failure.ts";
import { accessTokenOver, consentOver } from "../../src/oauth/grant.ts";
import { linkError, linkErrors } from "../../src/oauth/links/failure.ts";
import { wrongCode } from "../../src/oauth/links/link-code.ts";
import { tokenNotAccepted } from "../../src/oauth/token-verifier.ts";
import { writeStore } from "../../src/store/failure.ts";
import type { Credential } from "../../src/store/index.ts";
import { storeUnavailable } from "../../src/store/index.ts";
import { unreadableAnswer } from "../../src/video/answer.ts";
import { checkCall } from "../../src/video/check/check.ts";
import { videoErrorFor } from "../../src/video/failures/failure.ts";
import {
  failureByReason,
  failureByStatus,
  snakeCase,
} from "../../src/video/failures/known-failures.ts";
import { oauthFailures } from "../../src/video/failures/reasons.ts";
import { methods } from "../../src/video/methods/index.ts";
import type { MethodSpec } from "../../src/video/methods/spec.ts";
import { checkBanner } from "../../src/video/rules/set-banner.ts";
import { splitLists } from "../../src/video/split-lists.ts";
import { checkMedia } from "../../src/video/upload/media.ts";
import { readMessages } from "../support/message-files.ts";
import { languages, words } from "../support/words.ts";
import { failureCodeOf } from "../support/written-messages.ts";
import documented from "../video/data/failures.json" with { type: "json" };

const methodSpecs: Readonly<Record<string, MethodSpec>> = methods;
const people = locales.map((locale) => [locale, words(locale)] as const);

/** A rule with such words or patterns. */
const ruled =
  (kind: "words" | "patterns", ...of: readonly string[]) =>
  () =>
    kind === "words"
      ? createMatcher({ kind, words: of, isFolded: true })
      : createMatcher({ kind, patterns: of, isFolded: true });

/** Replaces an error's own message, which is only for the log. */
const sentinel = "SENTINEL of the error itself.";

function muted<E extends BotError>(error: E): E {
  return Object.defineProperty(error, "message", { value: sentinel });
}

/**
 * The same failure with an unknown code, which gets the general words of its kind. A known code must have other words.
 */
function ofKind(error: BotError): BotError {
  const { service = "" } = error.facts;
  const unheard = { code: { value: "made_up_since" }, facts: { value: { service } } };
  return Object.create(error, unheard);
}

const reasons = documented.map(({ reason }) => snakeCase(reason));
const oauthCodes = Object.entries(oauthFailures).map(([reason, { code }]) => code ?? reason);
const byReason = documented.map(
  ({ reason, status, method }) =>
    (failureByReason(reason, status, method) ?? failureByStatus(status)).code,
);
const byStatus = [302, 400, 401, 403, 404, 410, 413, 429, 500].map((s) => failureByStatus(s).code);
const attemptCodes = ["timeout", "answer_too_large", "cut", "unreachable"] as const;

function networkError(code: (typeof attemptCodes)[number], outcome: "nothing" | "unknown") {
  return new NetworkError("GET http://h/x failed", {
    code,
    outcome,
    facts: { host: "h", attempts: 1 },
  });
}

/**
 * Codes thrown by the source have messages, or it would not compile; codes that YouTube and others name are only known
 * here.
 */
const codes = [
  ...new Set([
    ...[...readMessages("en-US").keys()].flatMap((key) => failureCodeOf(key) ?? []),
    ...byReason,
    ...byStatus,
    ...oauthCodes,
    ...attemptCodes,
    ...serviceCodes,
    ...ownCodes,
  ]),
].sort();

describe("every code", () => {
  it("is found", () => {
    expect(reasons.length).toBe(325);
    expect(codes.length).toBeGreaterThan(240);
    expect(codes).toEqual(expect.arrayContaining(["picture_empty", "banner_shape", "cut", "auth"]));
  });

  it.each(codes)("has a title and a next step in all languages: %s", (code) => {
    for (const what of ["title", "hint"]) {
      expect([...languages.each(`failures.${code}.${what}`).keys()]).toEqual([...locales]);
    }
  });
});

describe("every documented failure of the video service", () => {
  it.each(documented.map(({ method, status, reason }) => [method, status, reason] as const))(
    "is described from the message file, in every language: %s %i %s",
    (method, status, reason) => {
      const body = Buffer.from(JSON.stringify({ error: { errors: [{ reason }] } }));
      const how = {
        method,
        methodSpec: methodSpecs[method] ?? methods["videos.list"],
        now: 0,
      } as const;
      const error = muted(
        videoErrorFor({ status, headers: {}, body }, { ...how, signedBy: "token" }),
      );

      for (const [locale, person] of people) expectWhole(error, locale, person);
    },
  );
});

function shortAndAdvice(error: BotError, person: ReturnType<typeof words>): string {
  return `${describeFailureShortly(error, person)} ${describeAdvice(error, person).markup}`;
}

function expectWhole(error: BotError, locale: string, person: ReturnType<typeof words>): void {
  const { title, text = "" } = describeFailure(error, "7K2M9P", person);
  const whole = `${title}\n${formatted(text).replace(/<t:\d+:[Rf]>/gu, "")}`;
  expect(whole, locale).not.toMatch(/SENTINEL|[{}]|undefined|NaN|\[object/u);
  expect(title.length, locale).toBeLessThanOrEqual(100);
  expect(title, locale).not.toMatch(/[.。]$/u);
  expect(describeAdvice(error, person).markup.length, locale).toBeGreaterThan(5);
  expect(shortAndAdvice(error, person), locale).not.toBe(shortAndAdvice(ofKind(error), person));
  if (locale === "en-US") return;
  expect(describeAdvice(error, person).markup, locale).not.toBe(
    describeAdvice(error, words()).markup,
  );
  expect(describeFailureShortly(error, person), locale).not.toBe(
    describeFailureShortly(error, words()),
  );
}

async function thrownBy(work: () => unknown): Promise<BotError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof BotError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function cutOut(request: Parameters<typeof checkRequest>[0]) {
  return checkRequest(request, { body: "json", maxBytes: 1e6 });
}

function background(status: number, code?: string) {
  const body = Buffer.from(JSON.stringify({ errors: code === undefined ? [] : [{ code }] }));
  const answer = async () => ({ status, headers: {}, body, attempts: 1 });
  return () => sendTranslated("removebg", { now: () => 0, apiKey: "k" }, answer);
}

/** The first bytes of a PNG, which give its size; of a banner, no more is read. */
function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const banner = (data: Uint8Array) => async () => checkBanner({ data });
const given = (method: keyof typeof methods, params: object) => () =>
  checkCall(method, methods[method], params as Readonly<Record<string, unknown>>);
const media =
  (data: Uint8Array, type: string, maxBytes = 1_000) =>
  () =>
    checkMedia(
      "x",
      { direction: "up", maxBytes, accept: ["image/png"], protocol: "simple" },
      {
        data,
        type,
      },
    );
const left = { used: 0, limit: 5, left: 5, reserved: 5, blocked: false, resetsAt: new Date(0) };
const wanted = { method: "videos.list", bucket: "units", amount: 1, isModeration: false } as const;
const bound = { limit: 1, used: 1, left: 0, resetsAt: new Date(0) };
const hourly: RateLimitData = {
  global: false,
  hash: "x",
  limit: 50,
  majorParameter: "1",
  method: "POST",
  route: "/x",
  url: "x",
  retryAfter: 3_600_000,
  timeToReset: 3_600_000,
  sublimitTimeout: 0,
  scope: "user",
};
/** Discord's answer to a new emoji or sticker. */
const discord = (status: number, code: number, errors?: object) => () => {
  const raw = { code, message: "x", ...(errors && { errors }) } as DiscordErrorData;
  const error = new DiscordAPIError(raw, code, status, "POST", "x", {});
  return Promise.reject(expressionError(error, "sticker", 0));
};
/** Discord's answer to a message that is posted in a channel. */
const inChannel = (code: number, request: MessageRequest) => () => {
  const error = new DiscordAPIError({ code, message: "x" }, code, 403, "POST", "x", {});
  return Promise.reject(messageError(error, request));
};
const lost = (mayBeDone: boolean) => () =>
  Promise.reject(messageError(new Error("other side closed"), { what: "post", mayBeDone }));
const faulty = (field: string) => discord(400, 50_035, { [field]: { _errors: [] } });
const snippet = { part: ["snippet"] } as const;
const learnt = async () => undefined;

/** A server whose roles Discord does not return. */
const rolesUnread = (status: number, code: number) => async () => {
  const get = async () => {
    throw new DiscordAPIError({ code, message: "x" }, code, status, "GET", "x", {});
  };
  const read = await readServerRoles("1", { rest: { get }, random: () => 0 });
  if (read.state === "failed") throw read.error;
};

const bare = { headers: {}, body: Buffer.alloc(0) };
const reading = { option: "when", now: Date.UTC(2026, 0, 1), timeZone: "UTC", tag: "en-US" };

const linked = { kind: "channel", secret: "x", addedBy: "1" } as const;

/** Saves a reply in a server that already has the most it may have. */
async function putReply(name: string, text = "x"): Promise<unknown> {
  const database = await openDatabase({ url: "sqlite::memory:" });
  try {
    const records = createModerationRecords(database, { put: async () => undefined });
    for (let n = 0; n < 25; n += 1) {
      await records.replies.put("1".repeat(18), { id: `${n}`, name: `n${n}`, text });
    }
    return await createSavedReplies({ records }, "1".repeat(18)).put({ name, text });
  } finally {
    await database.close();
  }
}

/** Functions that really throw each failure, with the facts that fill its message. */
const throwers: Readonly<Record<string, () => unknown>> = {
  "an empty picture": () => Promise.reject(pictureErrors.empty()),
  "a picture of another type": () => Promise.reject(pictureErrors.type("heic")),
  "something that is no picture": () => Promise.reject(pictureErrors.type("unknown")),
  "a cut picture": () => Promise.reject(pictureErrors.truncated("png", 12_345)),
  "a damaged picture": () => Promise.reject(pictureErrors.unreadable("png")),
  "a picture of too many pixels": () => Promise.reject(pictureErrors.pixels(20_000, 10_000, 5e7)),
  "a picture of too many bytes": () => Promise.reject(pictureErrors.tooLarge(13e6, 12e6)),
  "a PNG that would be too large": () => Promise.reject(pictureErrors.png(5e3, 5e3, 1e7)),
  "a wrong background": () => Promise.reject(pictureErrors.background("blue")),
  "a damaged result": () => Promise.reject(createDamagedError("it is not a complete ZIP")),
  "a large attachment": () => Promise.reject(attachmentTooLarge(26_214_400)),
  "a saved reply without a name": () => putReply(" "),
  "a saved reply that is too long": () => putReply("x", "x".repeat(2_001)),
  "two saved replies of one name": () => putReply("N3"),
  "too many saved replies": () => putReply("x"),
  "a decision that failed": () => Promise.reject(decisionFailedError(new TypeError("x"))),
  "a server's part of what all share": () =>
    Promise.reject(shortageError({ at: Date.UTC(2026, 0, 2) })),
  "a small banner": banner(png(100, 100)),
  "a banner of another shape": banner(png(4_000, 4_000)),
  "a banner of too many bytes": banner(Buffer.alloc(6 * 1024 * 1024 + 1)),
  "a banner that is none": banner(Buffer.from("text")),
  "a media type that is not taken": media(Buffer.from("x"), "text/html"),
  "empty media": media(Buffer.alloc(0), "image/png"),
  "large media": media(Buffer.alloc(1_001), "image/png"),
  "a missing parameter": given("videos.delete", {}),
  "an unknown parameter": given("videos.delete", { id: "x", nope: 1 }),
  "a choice that is none": given("search.list", { ...snippet, order: "x" }),
  "a number out of bounds": given("search.list", { ...snippet, maxResults: 99 }),
  "parameters without company": given("search.list", { ...snippet, videoCaption: "any" }),
  "no filter of several": given("videos.list", snippet),
  "a long title": given("videos.update", {
    ...snippet,
    body: { id: "x", snippet: { title: "x".repeat(101), categoryId: "1" } },
  }),
  "a long description": given("videos.update", {
    ...snippet,
    body: { id: "x", snippet: { title: "x", categoryId: "1", description: "ü".repeat(5_000) } },
  }),
  "angle brackets": given("videos.update", {
    ...snippet,
    body: { id: "x", snippet: { title: "<b>", categoryId: "1" } },
  }),
  "a part that is not named": given("videos.update", {
    ...snippet,
    body: { id: "x", snippet: { title: "x", categoryId: "1" }, status: { embeddable: true } },
  }),
  "too many ids": () =>
    splitLists(
      "comments.delete",
      methodSpecs["comments.setModerationStatus"] ?? methods["videos.list"],
      {
        id: Array.from({ length: 51 }, (_, at) => `${at}`),
      },
    ),
  "an empty budget": () => refuseOver(wanted, { project: { ...left, left: 0 }, bounds: [] }),
  "a day that is too short": () =>
    refuseOver({ ...wanted, amount: 9 }, { project: { ...left, reserved: 0 }, bounds: [] }),
  "a reserved budget": () => refuseOver(wanted, { project: left, bounds: [] }),
  "a budget of one's own": () =>
    refuseOver(wanted, { project: left, bounds: [{ ...bound, of: "person" }] }),
  "a budget of a rank": () =>
    refuseOver(wanted, { project: left, bounds: [{ ...bound, of: "rank", rank: "member" }] }),
  "a server's share": () =>
    refuseOver(wanted, { project: left, bounds: [{ ...bound, of: "guild" }] }),
  "a lost answer": () => Promise.reject(networkError("timeout", "unknown")),
  "an unreachable service": () => Promise.reject(networkError("unreachable", "nothing")),
  "an unreadable answer": () =>
    Promise.reject(
      unreadableAnswer({ method: "videos.list", methodSpec: methods["videos.list"] }, "HTML"),
    ),
  "an unreadable answer to a write": () =>
    Promise.reject(
      unreadableAnswer({ method: "videos.rate", methodSpec: methods["videos.rate"] }, "HTML"),
    ),
  "a rank that is too low": () =>
    requireRank({ rank: "moderator" }, { rank: "member", learnRoles: learnt }),
  "a server without the bot": rolesUnread(403, 50_001),
  "a server whose roles are not told": rolesUnread(401, 0),
  "a missing key": () => Promise.reject(credentialMissing("video-key", "member")),
  "a missing image key": () => Promise.reject(credentialMissing("background-key", "owner")),
  "a missing channel": () => Promise.reject(credentialMissing("channel", "owner")),
  "no registration for links": () => Promise.reject(clientMissing()),
  "a link service in trouble": () => Promise.reject(consentFailure({ ...bare, status: 503 }, 0)),
  "a link service that is flooded": () =>
    Promise.reject(consentFailure({ ...bare, status: 429 }, 0)),
  "a link service that answers oddly": () =>
    Promise.reject(consentFailure({ ...bare, status: 400 }, 0)),
  ...Object.fromEntries(
    (Object.keys(linkErrors) as (keyof typeof linkErrors)[]).map((code) => [
      `a link refused: ${code}`,
      () => Promise.reject(linkError(code)),
    ]),
  ),
  "a link whose exchange was cut": () =>
    Promise.reject(new NetworkError("cut", { code: "link_interrupted" })),
  "a wrong code for a link": () => Promise.reject(wrongCode(2)),
  "a consent that is over": () => Promise.reject(consentOver({ ...linked, addedAt: 0 }, 1)),
  "a consent that is over after a week": () =>
    Promise.reject(consentOver({ ...linked, addedAt: 0 }, 7 * 86_400_000)),
  "an access token that is over": () => Promise.reject(accessTokenOver({ ...linked, addedAt: 0 })),
  "a named channel's consent that is over": () =>
    Promise.reject(consentOver({ ...linked, name: "Studio", addedAt: 0 }, 1)),
  "a refresh token that is not accepted": () => Promise.reject(tokenNotAccepted("refresh")),
  "an access token that is not accepted": () => Promise.reject(tokenNotAccepted("access")),
  "a store that can't be read": () => Promise.reject(storeUnavailable(undefined)),
  "a store that stopped halfway": () => writeStore(() => Promise.reject(new Error("disk")), "part"),
  "somebody else's buttons": () => {
    const requester = { guildId: "1", userId: "2", rank: "owner", learnRoles: learnt } as const;
    return authorise({}, requester, { begun: { guildId: "1", userId: "3" } });
  },
  "an option that is no video": () => option.video({}).parse("nonsense of many words", "video"),
  "an option of another kind": () =>
    option.playlist({}).parse("https://youtu.be/dQw4w9WgXcQ", "playlist"),
  "an option that is no country": () => option.country({}).parse("Atlantis", "region"),
  "too many values": () =>
    option
      .videos({})
      .parse(Array.from({ length: 51 }, (_, at) => `dQw4w9W${1_000 + at}`).join(" "), "videos"),
  "no date": () => readDate("gibberish", reading),
  "a date in the past": () => readDate("2020-01-01 12:00", { ...reading, must: "future" }),
  "a date to come": () => readDate("2030-01-01 12:00", { ...reading, must: "past" }),
  "no times of day": () => option.dayTimes({}).parse("gibberish", "quiet"),
  "everybody's role": () => option.pingRole({}).read?.("1", "role", { ...reading, guildId: "1" }),
  "no length of time": () => readDuration("gibberish", "length"),
  "an extra name that is unknown": () => readExtra("videos.list", new Set(), "nope=1"),
  "an extra value that can't be read": () => readExtra("videos.list", new Set(), "maxResults=x"),
  "two sources of a picture": () => cutOut({ image: png(9, 9), imageUrl: "https://x.y" }),
  "no address of a picture": () => cutOut({ imageUrl: "nope" }),
  "a picture without bytes": () => cutOut({ image: Buffer.alloc(0) }),
  "a picture for the service of too many bytes": () => cutOut({ image: Buffer.alloc(1e6 + 1) }),
  "a picture for the service that is none": () => cutOut({ image: Buffer.from("text") }),
  "a picture for the service of too many pixels": () => cutOut({ image: png(9e3, 9e3) }),
  "a PNG for the service that would be too large": () =>
    cutOut({ image: png(5e3, 5e3), format: "png" }),
  "a JPG that can't be transparent": () =>
    cutOut({ image: png(9, 9), format: "jpg", bgColor: "transparent" }),
  "a background in a body that holds no file": () =>
    cutOut({ image: png(9, 9), bgImageFile: png(9, 9) }),
  "a kind of subject that is none": () => cutOut({ image: png(9, 9), type: "x" as "car" }),
  "a detail of the subject that is none": () => cutOut({ image: png(9, 9), typeLevel: "9" as "1" }),
  "a kind of shadow that is none": () => cutOut({ image: png(9, 9), shadowType: "x" as "3D" }),
  "too many pictures": async () => {
    const pacer = createPacer({ now: () => 0 });
    await pacer.admit({ megapixels: 500 });
    await pacer.admit({ megapixels: 500, deadlineAt: 1 });
  },
  "image credits that are gone": background(402),
  "an image key that was refused": background(403),
  "images that are asked too often": background(429),
  "an image service in trouble": background(500),
  "an image refused without a code": background(400),
  "an expression that the person may not add": () => Promise.reject(personMayNot()),
  "an expression that the bot may not add": () => Promise.reject(botMayNot()),
  "an expression that the bot may no longer add": discord(403, 50_013),
  "a server full of emoji": discord(400, 30_008),
  "a server full of subscribers' emoji": discord(400, 30_056),
  "a server full of stickers": discord(400, 30_039),
  "a sticker that Discord finds too large": discord(400, 50_045),
  "a sticker that Discord can't read": discord(400, 50_046),
  "a name that Discord refuses": faulty("name"),
  "a description that Discord refuses": faulty("description"),
  "tags that Discord refuses": faulty("tags"),
  "a picture that Discord refuses": faulty("image"),
  "a refusal of Discord that names nothing": discord(400, 50_035),
  "a refusal of Discord that nobody knows": discord(400, 1),
  "a lost answer of Discord": () => Promise.reject(undecided(new TypeError("fetch failed"))),
  "a channel that is gone": inChannel(10_003, { what: "post" }),
  "a channel that is hidden from the bot": inChannel(50_001, { what: "post" }),
  "a channel that the bot may not write in": inChannel(50_013, { what: "post" }),
  "a forum that the bot may not post in": inChannel(50_013, { what: "post", isForum: true }),
  "a channel that the bot may not read": inChannel(50_013, { what: "look" }),
  "a message that is gone": inChannel(10_008, { what: "edit" }),
  "a server full of posts": inChannel(160_006, { what: "post", isForum: true }),
  "a message that nobody knows of": lost(true),
  "a chat that is out of reach": lost(false),
  "a server that takes no more emoji this hour": () =>
    Promise.reject(expressionError(new RateLimitError(hourly), "emoji", 0)),
  "a Discord in trouble": () => Promise.reject(undecided(new HTTPError(503, "x", "POST", "x", {}))),
  ...Object.fromEntries(
    [
      ...["(?=a)", "(a)\\1", "[a-", "(a", "a)", "*a", "a**", "[z-a]", "a*", " "],
      ...["a".repeat(501), "(?P<n"],
    ].map((pattern) => [
      `a pattern of a rule: ${pattern.slice(0, 12)}`,
      ruled("patterns", pattern),
    ]),
  ),
  "a pattern of a rule that would take too long": () =>
    Promise.reject(refuseRule("rule_pattern", { reason: "large", pattern: "a" })),
  "too many patterns of a rule": ruled("patterns", ...Array(21).fill("a")),
  "a rule without words": ruled("words"),
  "a word of a rule with a star inside": ruled("words", "a*b"),
  "a word of a rule that is too long": ruled("words", "a".repeat(101)),
  "too many words of a rule": ruled("words", ...Array(201).fill("a")),
  "a host of a rule that is none": () => createMatcher({ kind: "links", allowed: ["none"] }),
  "too many hosts of a rule": () =>
    createMatcher({ kind: "links", allowed: Array(51).fill("a.com") }),
  "a count of a rule that can't be": () =>
    createMatcher({ kind: "repeated", times: 1, withinMs: 1 }),
  "a rule about nobody": () => createMatcher({ kind: "authors", authors: [] }),
  "a rule about too many people": () =>
    createMatcher({ kind: "authors", authors: Array(201).fill({ id: "x" }) }),
  "a rule about somebody unread": () =>
    Promise.reject(refuseRule("rule_authors", { reason: "unread", given: "x" })),
  "too many rules": () => Promise.reject(refuseRule("too_many_rules", { most: 50 })),
  ...Object.fromEntries(
    serviceCodes.map((code) => [`an image refused: ${code}`, background(400, code)]),
  ),
};

describe("every failure that is thrown", () => {
  it("is never blamed on YouTube where remove.bg answered", async () => {
    for (const code of serviceCodes) {
      const error = muted(await thrownBy(background(400, code)));
      for (const [locale, person] of people) {
        const { title, text = "" } = describeFailure(error, "ABC", person);
        expect(`${title} ${formatted(text)}`, `${code}, ${locale}`).not.toContain("YouTube");
      }
    }
  });

  it.each(Object.entries(throwers))("has the facts that its words need: %s", async (_, work) => {
    const error = muted(await thrownBy(work));

    expect(languages.each(`failures.${error.code}.hint`).size).toBe(locales.length);
    for (const [locale, person] of people) expectWhole(error, locale, person);
  });

  const studio = { ...linked, channelTitle: "Studio", addedAt: 0 } as const;

  it.each([
    ["a consent", (one: Credential) => consentOver(one, 1)],
    ["a consent of a week", (one: Credential) => consentOver(one, 7 * 86_400_000)],
    ["an access token", accessTokenOver],
  ])("names the channel where it has a name: %s", (_, make) => {
    const pair = { ...studio, name: "Main" };
    for (const [locale, person] of people) {
      expect(describeFailureShortly(make(studio), person), locale).toContain("Studio");
      expect(describeFailureShortly(make(pair), person), locale).toContain("Main");
      expect(describeFailureShortly(make({ ...linked, addedAt: 0 }), person), locale).not.toMatch(
        /[“„«「]/u,
      );
    }
  });

  it.each(Object.entries(oauthFailures))("describes what OAuth says: %s", (reason) => {
    const body = Buffer.from(JSON.stringify({ error: reason }));
    const how = { method: "videos.list", methodSpec: methods["videos.list"], now: 0 } as const;
    const error = muted(
      videoErrorFor({ status: 400, headers: {}, body }, { ...how, signedBy: "token" }),
    );

    for (const [locale, person] of people) expectWhole(error, locale, person);
  });

  it.each([302, 400, 401, 403, 404, 413, 429, 500])("describes a bare status: %i", (status) => {
    const how = { method: "videos.list", methodSpec: methods["videos.list"], now: 0 } as const;
    const response = { status, headers: {}, body: Buffer.alloc(0) };
    const error = muted(videoErrorFor(response, { ...how, signedBy: "token" }));

    for (const [locale, person] of people) expectWhole(error, locale, person);
  });
});

describe("examples in the words about dates", () => {
  const examples = people.flatMap(([locale, person]) =>
    (["past", "future", "unreadable"] as const).flatMap((which) => {
      const text = person.say(`failures.date_${which}.hint`, { moment: "", timeZone: "" });
      return [...text.matchAll(/[“„«「]\s?([^”“»」]+?)\s?[”“»」]/gu)].map(
        ([, example = ""]) => [locale, which, example] as const,
      );
    }),
  );

  it.each(examples)("can be read in that language: %s %s %s", async (tag, which, example) => {
    const date = await readDate(example, { ...reading, tag });

    expect(Number.isNaN(date.getTime())).toBe(false);
    if (which === "past") expect(date.getTime()).toBeGreaterThan(reading.now);
    if (which === "future") expect(date.getTime()).toBeLessThan(reading.now);
  });
});
