import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maxAtomBytes, readAtom } from "../../src/announcements/push/atom.ts";
import { isSigned } from "../../src/announcements/push/receive.ts";
import { newSecret } from "../../src/announcements/push/subscription.ts";
import { feedXml } from "../../src/sandbox/hub/index.ts";
import { hostile } from "../support/hostile.ts";
import { seed, seeded } from "../support/random.ts";

const entry = {
  videoId: "abcdefghij_",
  channelId: `UC${"x".repeat(22)}`,
  channelTitle: "Canal & <co>",
  title: "One",
  publishedAt: 0,
};
const uploads = [{ videoId: entry.videoId, channelId: entry.channelId }];
const read = (text: string) => readAtom(Buffer.from(text));
const good = feedXml(entry, 0);

describe("readAtom", () => {
  it("finds the videos that a document names", () => {
    expect(read(good)).toEqual(uploads);
  });

  it("leaves out what was deleted", () => {
    expect(read(feedXml({ ...entry, isDeleted: true }, 0))).toEqual([]);
  });

  it.each(hostile.map((title) => [title.slice(0, 40), title]))(
    "reads past the title %s",
    (_, title) => {
      expect(read(feedXml({ ...entry, title, channelTitle: title }, 0))).toEqual(uploads);
    },
  );

  it.each([
    ["nothing", ""],
    ["JSON", "{}"],
    ["HTML", "<!DOCTYPE html><html><body>Hi</body></html>"],
    ["half a document", good.slice(0, good.length / 2)],
    ["another root", good.replaceAll("feed", "rss")],
    [
      "entities of its own",
      good.replace("<feed", '<!DOCTYPE feed [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><feed'),
    ],
    [
      "an entity of another file",
      good.replace("<feed", '<!DOCTYPE feed SYSTEM "file:///etc/passwd"><feed'),
    ],
    ["an unknown entity", good.replace("One", "&lol;")],
    ["a depth without end", `<feed>${"<a>".repeat(20_000)}`],
    ["a closed depth", `<feed>${"<a>".repeat(9_000)}${"</a>".repeat(9_000)}</feed>`],
    ["more than there is room for", `${good}<!--${" ".repeat(maxAtomBytes)}-->`],
  ])("refuses %s", (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it("refuses what is no UTF-8", () => {
    expect(readAtom(Buffer.from([0xff, 0xfe, 0x3c, 0x00]))).toBeUndefined();
  });

  it("takes ids of YouTube's shape only, and 50 of them", () => {
    const one = /<entry>[\s\S]*<\/entry>/u.exec(good)?.[0] ?? "";
    const many = Array.from({ length: 80 }, (_, index) =>
      one.replaceAll("abcdefghij_", `abcdefghi${String(index).padStart(2, "0")}`),
    );

    expect(read(good.replace(one, many.join("")))).toHaveLength(50);
    expect(read(good.replaceAll("abcdefghij_", "../../etc"))).toEqual([]);
    expect(read(good.replaceAll(entry.channelId, "UC1"))).toEqual([]);
  });

  it(`never throws over broken documents (seed ${seed})`, () => {
    const random = seeded(seed);
    const bytes = Buffer.from(good);
    for (let round = 0; round < 500; round += 1) {
      const broken = Buffer.from(bytes);
      for (let times = 0; times < 4; times += 1) {
        broken[Math.floor(random() * broken.length)] = Math.floor(random() * 256);
      }
      for (const one of readAtom(broken) ?? []) expect(one.videoId).toMatch(/^[\w-]{11}$/u);
    }
  });
});

describe("isSigned", () => {
  const secret = newSecret();
  const body = Buffer.from(good);
  const sign = (algorithm: string, key = secret) =>
    `${algorithm}=${createHmac(algorithm, key).update(body).digest("hex")}`;

  it.each(["sha1", "sha256", "sha384", "sha512"])("believes %s with the secret", (algorithm) => {
    expect(isSigned(body, sign(algorithm), secret)).toBe(true);
    expect(isSigned(body, sign(algorithm).toUpperCase().replace("SHA", "sha"), secret)).toBe(true);
  });

  it.each([
    ["none", undefined],
    ["another secret", sign("sha1", "x")],
    ["another algorithm", sign("md5")],
    ["a part", sign("sha1").slice(0, -2)],
    ["more", `${sign("sha1")}00`],
    ["no digest", "sha1="],
    ["no hexadecimal", "sha1=zz"],
    ["nonsense", "x".repeat(5_000)],
  ])("does not believe %s", (_, signature) => {
    expect(isSigned(body, signature, secret)).toBe(false);
  });

  it("has 256 bits, each time others", () => {
    expect(secret).toMatch(/^[\da-f]{64}$/u);
    expect(newSecret()).not.toBe(secret);
  });
});
