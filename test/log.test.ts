import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceError } from "../src/errors.ts";
import { formatForTerminal } from "../src/log/format-for-terminal.ts";
import { createLog, createSecrets } from "../src/log.ts";

function collect(known: readonly string[] = [], level: "debug" | "warn" = "debug") {
  const secrets = createSecrets();
  for (const secret of known) secrets.add(secret);
  const lines: string[] = [];
  const log = createLog({ level, secrets, write: (line) => lines.push(line) });
  return { log, secrets, lines, text: () => lines.join("") };
}

const canaries = [
  "AIzaSyCANARY-plain_0123456789abcdefg",
  "ca\"na\\ry/with+every=kind&of <odd> char's!",
  "kanarienvögel-🐤-geheim",
  "sixsix",
];

const base64 = (before: string, secret: string) =>
  Buffer.from(`${before}${secret}~tail`).toString("base64");

const shapes: Record<string, (secret: string) => string> = {
  plain: (s) => s,
  "JSON text": (s) => JSON.stringify({ s }),
  "JSON in JSON": (s) => JSON.stringify(JSON.stringify({ s })),
  "URL component": encodeURIComponent,
  "URL component in lower case": (s) =>
    encodeURIComponent(s).replace(/%../g, (c) => c.toLowerCase()),
  "form field": (s) => new URLSearchParams({ s }).toString(),
  "URL component twice": (s) => encodeURIComponent(encodeURIComponent(s)),
  "every byte in percent": (s) => Buffer.from(s).toString("hex").replace(/../g, "%$&"),
  "base64 alone": (s) => Buffer.from(s).toString("base64"),
  "base64 shifted by 0": (s) => base64("abc", s),
  "base64 shifted by 1": (s) => base64("abcd", s),
  "base64 shifted by 2": (s) => base64("abcde", s),
  "base64url shifted by 1": (s) => Buffer.from(`a${s}bc`).toString("base64url"),
  "base64 in an address": (s) => encodeURIComponent(base64("a", s)),
  hex: (s) => Buffer.from(s).toString("hex"),
  "upper-case hex": (s) => Buffer.from(s).toString("hex").toUpperCase(),
};

/** Reverses the encodings that a reader of the log could reverse; returns whether the secret appears. */
function readable(text: string, secret: string): boolean {
  const views = [text];
  for (const run of text.match(/[A-Za-z0-9+/_-]{6,}/g) ?? []) {
    for (let skip = 0; skip < 4; skip++)
      views.push(Buffer.from(run.slice(skip), "base64").toString());
    for (let skip = 0; skip < 2; skip++) views.push(Buffer.from(run.slice(skip), "hex").toString());
  }
  let json = text;
  for (let depth = 0; depth < 4; depth++) {
    let address = json;
    for (let times = 0; times < 3; times++) {
      const form = address.replace(/\+/g, " ");
      address = address.replace(/(%[0-9a-f]{2})+/gi, decode);
      views.push(address, form.replace(/(%[0-9a-f]{2})+/gi, decode));
    }
    json = json.replace(/\\(["\\/])/g, "$1");
  }
  return views.some((view) => view.includes(secret));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

describe("createLog", () => {
  const cases = canaries.flatMap((secret) => Object.keys(shapes).map((name) => ({ name, secret })));

  it.each(cases)("removes $secret written as $name", ({ name, secret }) => {
    const written = shapes[name]?.(secret) ?? "";
    const { log, lines, text } = collect([secret]);

    log.info(`before ${written} after`, { value: written, deep: { list: [written] } });
    log.error("failed", { error: new Error(written, { cause: new TypeError(written) }) });
    log.child({ [written]: 1 }).warn("child");

    expect(readable(written, secret)).toBe(true);
    expect(readable(text(), secret)).toBe(false);
    expect(text()).toContain("[secret]");
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  it.each([
    ["the tail of a secret that overlaps another", "x abcdef-ghijkl-mnopqr y", "x [secret] y"],
    ["the longer of two that start alike", "abcdefghijkl abcdefgh", "[secret] [secret]"],
    ["no line break before it", "one\n-canary two n-canary", "one\n-canary two [secret]"],
    ["no value that is too short to differ from ordinary text", "abc ab", "abc ab"],
  ])("removes %s", (_, message, shown) => {
    const known = ["abcdef-ghijkl", "ghijkl-mnopqr", "abcdefgh", "abcdefghijkl", "n-canary"];
    const { log, text } = collect([...known, "abc", "  ab  ", ""]);

    log.info(message);

    expect(JSON.parse(text()).message).toBe(shown);
  });

  it("masks in the values, so that no secret can spoil a line", () => {
    const anyText = fc.oneof(
      fc.string({ minLength: 6 }),
      fc.constantFrom('"level":"', '","message":"', '{"level"', "message", '"}\n', "\\\\\\\\\\\\"),
    );
    fc.assert(
      fc.property(anyText, anyText, (secret, shown) => {
        const { log, text } = collect([secret]);

        log.child({ guild: "g" }).info("answered", { shown });

        const line = JSON.parse(text());
        expect(Object.keys(line)).toEqual(expect.arrayContaining(["level", "time", "message"]));
        expect(line.level).toBe("info");
        expect(shown.includes(secret.trim()) && String(line.shown).includes(secret.trim())).toBe(
          secret.trim().length < 6 && shown.includes(secret.trim()),
        );
      }),
    );
  });

  it("masks in a child's fields what is known as a secret only later", () => {
    const { log, secrets, text } = collect();

    const child = log.child({ reason: "with late-canary" });
    secrets.add("late-canary");
    child.child({ more: 1 }).info("said");

    expect(JSON.parse(text())).toMatchObject({ reason: "with [secret]", more: 1 });
  });

  it("remembers what is passing until thousands came after it, and the rest for good", () => {
    const secrets = createSecrets({ most: 100 });
    secrets.add("lasting-canary");
    secrets.addPassing("used-canary");
    secrets.addPassing("idle-canary");
    const token = (n: number) => `ya29.a0AfB_byCANARY${n}-`.padEnd(60, "x");
    for (let n = 0; n < 1_000; n++) {
      secrets.addPassing(token(n));
      secrets.addPassing("used-canary");
      if (n === 50) expect(secrets.remove("idle-canary")).toBe("[secret]");
    }

    expect(secrets.remove("lasting-canary used-canary")).toBe("[secret] [secret]");
    for (let n = 901; n < 1_000; n++) expect(secrets.remove(token(n))).toBe("[secret]");
    expect(secrets.remove("idle-canary")).toBe("idle-canary");
    expect(secrets.remove(token(1))).toBe(token(1));
  });

  it("counts long secrets by their length, so that its memory has a bound", () => {
    const secrets = createSecrets({ most: 10 });
    secrets.addPassing("idle-canary");
    for (let n = 0; n < 4; n++) secrets.addPassing(`${n}`.repeat(640));

    expect(secrets.remove("idle-canary")).toBe("idle-canary");
  });

  it.each([
    '"level":"',
    "}",
    "guildId",
    "answered",
    "900000000000000001",
    "900000000000000001900000000000000001",
    "processTicksAndRejections",
    "/api/v10/interactions/",
    "node:internal/process/task_queues",
    "src/discord/run/dispatch.ts",
    "2026-11-22T15:58:36.123Z",
    "a whole sentence With 3 capitals In It",
  ])("takes %s for no key when somebody types it as one", (typed) => {
    const secrets = createSecrets();

    secrets.addUnproven(typed);

    expect(secrets.remove(`before ${typed} after`)).toBe(`before ${typed} after`);
  });

  it("takes out what has the shape of a key before it is proven to be one", () => {
    const secrets = createSecrets();
    const digest = (n: number) => createHash("sha512").update(`${n}`).digest();
    const keys = Array.from({ length: 100 }, (_, n) => [
      `AIza${digest(n).toString("base64url").slice(0, 35)}`,
      digest(n).toString("base64").replace(/[+/=]/gu, "").slice(0, 24),
      digest(n).toString("hex").slice(0, 32),
      `ya29.a0${digest(n).toString("base64url")}`,
      `1//0g${digest(n).toString("base64url")}`,
    ]).flat();

    for (const key of keys) secrets.addUnproven(key);

    for (const key of keys) expect(secrets.remove(`key ${key}.`)).toBe("key [secret].");
  });

  it("forgets no stored secret for keys that somebody types", () => {
    const secrets = createSecrets({ most: 100 });
    const typed = (n: number) => `AIza${createHash("sha256").update(`${n}`).digest("base64url")}`;
    secrets.addPassing("stored-canary");

    for (let n = 0; n < 1_000; n++) secrets.addUnproven(typed(n));

    expect(secrets.remove("stored-canary")).toBe("[secret]");
    expect(secrets.remove(typed(0))).toBe(typed(0));
    expect(secrets.remove(typed(999))).toBe("[secret]");
  });

  it("looks at no more to learn a token when it knows thousands that start alike", () => {
    const secrets = createSecrets();
    let sorted = 0;
    const sort = Array.prototype.sort;
    const spy = vi.spyOn(Array.prototype, "sort").mockImplementation(function (
      this: unknown[],
      compare,
    ) {
      sorted += this.length;
      return sort.call(this, compare);
    });
    onTestFinished(() => spy.mockRestore());
    const learn = (from: number, to: number) => {
      sorted = 0;
      for (let n = from; n < to; n++) {
        const end = createHash("sha512").update(`${n}`).digest("base64url").repeat(2);
        secrets.addPassing(`ya29.a0AfB_by${end}`);
      }
      return sorted;
    };

    const first = learn(0, 100);
    learn(100, 900);

    // If it sorted all that begin alike each time, it would now sort nine times as many.
    expect(learn(900, 1_000)).toBeLessThan(1.5 * first);
  });

  it("removes a secret that is added after the log was made", () => {
    const { log, secrets, text } = collect();

    secrets.add("late-canary");
    log.info("late-canary");

    expect(text()).not.toContain("late-canary");
  });

  it("writes one JSON line with time, level, message and fields", () => {
    const { log, lines } = collect();

    log.child({ shard: 0 }).info("ready", { guilds: 3n, when: new Date(0), level: "mine" });

    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("}\n")).toBe(true);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: "info",
      message: "ready",
      shard: 0,
      guilds: "3",
      when: "1970-01-01T00:00:00.000Z",
      level_: "mine",
    });
  });

  it("keeps quiet below its level", () => {
    const { log, lines } = collect([], "warn");

    log.info("no");
    log.child({}).debug("no");
    log.error("yes");

    expect(lines).toHaveLength(1);
  });

  it("writes an error as its five parts and nothing that hangs on it", () => {
    const { log, text } = collect();
    const cause = Object.assign(new Error("Unknown interaction"), {
      code: 10062,
      url: "https://discord.com/api/v10/interactions/1/hanging-token/callback",
      requestBody: { json: { content: "hanging-body" } },
      rawError: { message: "hanging-raw" },
    });

    log.error("failed", { error: new ServiceError("no answer", { code: "c" as string, cause }) });

    const { error } = JSON.parse(text());
    expect(Object.keys(error)).toEqual(["name", "code", "message", "stack", "cause"]);
    expect(error.cause).toMatchObject({
      name: "Error",
      code: 10062,
      message: "Unknown interaction",
    });
    expect(text()).not.toContain("hanging");
  });

  it.each([
    ["https://discord.com/api/v10/interactions/123/aW5.t0-k_en/callback", "t0-k_en"],
    ["/webhooks/123/t0-k_en", "t0-k_en"],
    ["https://discord.com/api/webhooks/123/t0-k_en/messages/@original?thread_id=1", "t0-k_en"],
    ["https%3A%2F%2Fdiscord.com%2Fapi%2Fwebhooks%2F123%2Ft0-k_en%2Fmessages", "t0-k_en"],
    ["https:\\/\\/discord.com\\/api\\/webhooks\\/123\\/t0-k_en", "t0-k_en"],
    ["https://video.example/v3/search?part=id&key=k3y-canary&q=a", "k3y-canary"],
    ["GET /v3/search?access_token=ya29.k3y-canary", "k3y-canary"],
    ["next=https%3A%2F%2Fvideo.example%2F%3Fkey%3Dk3y-canary%26q", "k3y-canary"],
  ])("hides what lets a reader act in %s", (address, secret) => {
    const { log, text } = collect();

    log.info(`at ${address}`, {
      address,
      url: address.startsWith("https:/") ? new URL(address) : "",
    });
    log.warn("failed", { error: new Error(`request to ${address} failed`) });

    expect(text()).toContain("[secret]");
    expect(text()).not.toContain(secret);
  });

  it("leaves ordinary text with similar words alone", () => {
    const { log, text } = collect();
    const message = "monkey=1 /webhooks/ interactions/12 keys=3 https://a.b/?q=key";

    log.info(message);

    expect(JSON.parse(text()).message).toBe(message);
  });

  it("names what it can't write safely, and survives cycles and getters that throw", () => {
    const { log, text } = collect();
    const loop: Record<string, unknown> = {
      bytes: Buffer.from("hidden-bytes"),
      map: new Map([["a", "hidden"]]),
    };
    loop.self = loop;
    Object.defineProperty(loop, "bad", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });

    log.info("odd", { loop, call: () => 1, nothing: undefined, none: null });

    const { loop: written, ...rest } = JSON.parse(text());
    expect(written).toMatchObject({ bytes: "[12 bytes]", map: "[Map]", bad: "[unreadable]" });
    expect(rest).toMatchObject({ none: null });
    expect(text()).not.toContain("hidden");
  });
});

describe("formatForTerminal", () => {
  it("shows time, level, message, fields and the stack, without control characters", () => {
    const error = { name: "Error", message: "bad", stack: "Error: bad\n    at x", cause: null };
    const line = JSON.stringify({
      level: "warn",
      time: "2026-01-02T03:04:05.000Z",
      guild: "1",
      error,
      message: "m\u001b[2J",
    });

    expect(formatForTerminal(line)).toBe(
      '03:04:05 warn  m[2J guild="1" error="bad"\nError: bad\n    at x\n',
    );
  });
});
