import { describe, expect, it } from "vitest";
import {
  AccessError,
  ConfigError,
  ConnectError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../src/errors.ts";
import { createLanguages, locales } from "../../src/language/index.ts";
import { linkError, linkErrors } from "../../src/oauth/links/failure.ts";
import { describeOwnFailure, describePageFailure, type OwnFailure } from "../../src/web/failure.ts";
import type { PageTranslator } from "../../src/web/page-translator.ts";

const languages = createLanguages();
const sentinel = "SENTINEL of the error itself.";

/** The errors that the steps of a link throw. */
const thrown = [
  ...(Object.keys(linkErrors) as (keyof typeof linkErrors)[])
    // Thrown only in Discord, where the code is typed.
    .filter((code) => code !== "link_codes_spent")
    .map((code) => linkError(code)),
  new ServiceError("x", { code: "store_unavailable" }),
  new ServiceError("x", { code: "service_unavailable", facts: { service: "consent" } }),
  new ServiceError("x", { code: "unexpected_answer" }),
  new LimitError("x", { code: "rate_limited", facts: { service: "consent" } }),
  new NetworkError("x", { code: "unreachable" }),
  new NetworkError("x", { code: "timeout", outcome: "unknown" }),
  new ConnectError("x", { code: "oauth_client_refused" }),
  new ConnectError("x", { code: "oauth_client_missing" }),
  new ServiceError("x", { code: "restarting" }),
];

/** One error of each kind, with an unknown code. */
const unheard = [
  InputError,
  AccessError,
  ConnectError,
  ServiceError,
  LimitError,
  NetworkError,
  ConfigError,
];

describe.each(locales)("explain in %s", (locale) => {
  const translator = languages.of(locale);

  it.each(thrown.map((error) => [error.code, error] as const))(
    "has its own words for %s",
    (_code, error) => {
      Object.defineProperty(error, "message", { value: sentinel });

      const { status, message } = describePageFailure(error, translator);

      expect(message.title).toBe(
        translator.find(`failures.${error.code}.title`, { ...error.facts }),
      );
      expect(message.hint).not.toContain(sentinel);
      expect(message.hint).not.toMatch(/[{}]/u);
      expect(message.reference).toBeUndefined();
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).not.toBe(500);
    },
  );

  it.each(unheard.map((kind) => [kind.name, kind] as const))(
    "has words for any %s",
    (_name, Kind) => {
      const error = new Kind(sentinel, { code: "made_up_since" as string, hint: sentinel });

      const { message } = describePageFailure(error, translator);

      expect(message.title).toBe(translator.find(`failures.kinds.${error.kind}.title`, {}));
      expect(message.hint).not.toContain(sentinel);
    },
  );

  it("has the words of a fault where even those of its kind lack a value", () => {
    const find: PageTranslator["find"] = (key, values) => {
      if (key.includes("kinds")) throw new TypeError("a value is missing");
      return translator.find(key, values);
    };

    const { status, message } = describePageFailure(
      new AccessError(sentinel, { code: "made_up_since" as string }),
      { ...translator, find },
    );

    expect(status).toBe(403);
    expect(message).toEqual({
      title: translator.say("failures.bug.title"),
      hint: translator.say("failures.bug.hint"),
    });
  });

  it("reveals nothing of a fault of ours but an id", () => {
    const { status, message } = describePageFailure(new Error("inner workings"), translator);

    expect(status).toBe(500);
    expect(message.reference).toMatch(/^[0-9a-f]{8}$/u);
    expect(JSON.stringify(message)).not.toContain("inner workings");
  });

  it("has words for what this room refuses", () => {
    const refusals = {
      nothing_here: 404,
      foreign: 403,
      unknown_browser: 403,
      unreadable: 400,
      taken: 410,
      without_channel: 409,
      flood: 429,
    } as const satisfies Record<OwnFailure, number>;

    for (const [refusal, status] of Object.entries(refusals)) {
      const refused = describeOwnFailure(refusal as OwnFailure, translator);
      expect(refused.status).toBe(status);
      expect(refused.message.title.length).toBeGreaterThan(5);
      expect(refused.message.hint.length).toBeGreaterThan(15);
    }
  });
});
