import { describe, expect, it } from "vitest";
import { ConfigError, ServiceError } from "../../src/errors.ts";
import {
  createKeyring,
  openSealed,
  readSealingKeyId,
  type SealContext,
  seal,
} from "../../src/store/seal.ts";
import { guild, masterKey, otherGuild } from "./setup.ts";

const keyring = createKeyring([masterKey("k1")]);
const context: SealContext = {
  purpose: "credential",
  guildId: guild,
  kind: "video-key",
  field: "record",
};

describe("seal", () => {
  it("opens for the same context", () => {
    expect(openSealed(keyring, context, seal(keyring, context, "geheim 🐤"))).toBe("geheim 🐤");
  });

  it("never seals the same text twice alike, nor shows it", () => {
    const sealed = Array.from({ length: 50 }, () => seal(keyring, context, "canary-canary"));

    expect(new Set(sealed.map((text) => text.slice(-60))).size).toBe(50);
    expect(sealed.join("")).not.toContain(Buffer.from("canary").toString("base64url").slice(0, 7));
  });

  it("names its version and master key", () => {
    const sealed = seal(keyring, context, "x");

    expect(sealed).toMatch(/^1\.k1\.[\w-]+$/);
    expect(readSealingKeyId(sealed)).toBe("k1");
  });

  it("seals with the first key and opens with any", () => {
    const old = seal(createKeyring([masterKey("old", 1)]), context, "x");
    const both = createKeyring([masterKey("new", 2), masterKey("old", 1)]);

    expect(openSealed(both, context, old)).toBe("x");
    expect(readSealingKeyId(seal(both, context, "x"))).toBe("new");
  });

  it.each<[string, Partial<SealContext>]>([
    ["guild", { guildId: otherGuild }],
    ["kind", { kind: "background-key" }],
    ["field", { field: "other" }],
    ["purpose", { purpose: "canary" }],
  ])("does not open for another %s", (_, other) => {
    const sealed = seal(keyring, context, "x");

    expect(() => openSealed(keyring, { ...context, ...other }, sealed)).toThrow(ServiceError);
  });

  it("does not open when any byte was changed", () => {
    const sealed = seal(keyring, context, "some text");
    const start = sealed.lastIndexOf(".") + 1;
    const bytes = Buffer.from(sealed.slice(start), "base64url");

    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const text = sealed.slice(0, start) + changed.toString("base64url");
      expect(() => openSealed(keyring, context, text)).toThrow(
        expect.objectContaining({ code: "store_record" }),
      );
    }
  });

  it.each(["", "1.k1.", "1.k1.AAAA", "2.k1.AAAA", "nonsense", "1.k1.!!!!"])(
    "does not open the malformed text %j",
    (text) => {
      expect(() => openSealed(keyring, context, text)).toThrow(
        expect.objectContaining({ code: "store_record" }),
      );
    },
  );

  it("does not open under the same id with another key", () => {
    const sealed = seal(keyring, context, "x");

    expect(() => openSealed(createKeyring([masterKey("k1", 2)]), context, sealed)).toThrow(
      ServiceError,
    );
  });

  it("says which key id is unknown", () => {
    const sealed = seal(keyring, context, "x");
    const other = createKeyring([masterKey("k2")]);

    expect(() => openSealed(other, context, sealed)).toThrow(ConfigError);
    expect(() => openSealed(other, context, sealed)).toThrow(/"k1" is unknown/);
  });
});

describe("createKeyring", () => {
  it.each([
    ["no key", []],
    ["a key of 16 bytes", [{ id: "k", key: new Uint8Array(16) }]],
    ["an id twice", [masterKey("k", 1), masterKey("k", 2)]],
  ])("refuses %s", (_, keys) => {
    expect(() => createKeyring(keys)).toThrow(expect.objectContaining({ code: "store_keys" }));
  });
});
