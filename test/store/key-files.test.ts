import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { readOrMakeKeyFile } from "../../src/store/index.ts";
import { temporaryFolder } from "./setup.ts";

describe("readOrMakeKeyFile", () => {
  it("makes one random key with mode 0600 on first use and reads it afterwards", () => {
    const path = join(temporaryFolder(), "made", "master.key");

    const first = readOrMakeKeyFile(path);
    const second = readOrMakeKeyFile(path);

    expect(first).toMatchObject({ made: true, keys: [{ id: "main" }] });
    expect(first.keys[0]?.key).toHaveLength(32);
    expect(second).toEqual({ made: false, keys: first.keys });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path, ".."))).toEqual(["master.key"]);
  });

  it("makes another key for another file", () => {
    const folder = temporaryFolder();

    const [a] = readOrMakeKeyFile(join(folder, "a")).keys;
    const [b] = readOrMakeKeyFile(join(folder, "b")).keys;

    expect(a?.key).not.toEqual(b?.key);
  });

  it("holds what SECRET_KEYS takes", () => {
    const path = join(temporaryFolder(), "master.key");
    const { keys } = readOrMakeKeyFile(path);

    const config = readConfig({ SECRET_KEYS: readFileSync(path, "utf8") });

    expect(config.store.keys).toEqual(keys);
  });

  it.each([0o640, 0o604, 0o660, 0o644])("refuses mode %o and says how to mend it", (mode) => {
    const path = join(temporaryFolder(), "master.key");
    readOrMakeKeyFile(path);
    chmodSync(path, mode);

    expect(() => readOrMakeKeyFile(path)).toThrow(
      expect.objectContaining({ code: "key_file", hint: `Run: chmod 600 ${path}` }),
    );
  });

  it.each(["", "main:short\n", "no key at all\n"])(
    "refuses the content %j and keeps it",
    (text) => {
      const path = join(temporaryFolder(), "master.key");
      writeFileSync(path, text, { mode: 0o600 });

      expect(() => readOrMakeKeyFile(path)).toThrow(expect.objectContaining({ code: "key_file" }));
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );

  it("says so when the folder can't be made", () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");

    expect(() => readOrMakeKeyFile(join(file, "master.key"))).toThrow(
      expect.objectContaining({ code: "key_file" }),
    );
  });
});
