import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { runKeys } from "../../src/cli/run-keys.ts";
import { openStore, readOrMakeKeyFile } from "../../src/store/index.ts";
import { childEnvironment } from "../support/child-environment.ts";

const entry = fileURLToPath(new URL("../../src/cli/keys.ts", import.meta.url));
const main = Buffer.alloc(32, 7).toString("base64");
const lines = (value: string) =>
  `# mine\r\nDISCORD_TOKEN=abc\n  export SECRET_KEYS = ${value}  # the first seals\n#SECRET_KEYS=old\nLOG_LEVEL=info`;

function folderWith(env?: string) {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (env !== undefined) writeFileSync(join(folder, ".env"), env);
  return folder;
}

async function run(folder: string, words: string, changed: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const say = (text: string) => void said.push(`${text}\n`);
  const store = { STORE_URL: storeOf(folder) };
  const env = { ...store, ...changed };
  const code = await runKeys(words.split(" "), { env, folder, say, complain: say });
  return { code, text: said.join("") };
}

/** Runs the command in a process of its own. */
function start(cwd: string, words: readonly string[]) {
  const options = { cwd, env: childEnvironment };
  return new Promise<{ code: number; out: string; complaint: string }>((resolve) => {
    execFile(process.execPath, [entry, ...words], options, (error, out, complaint) => {
      resolve({ code: Number(error?.code ?? 0), out, complaint });
    });
  });
}

const storeOf = (folder: string) => `sqlite:${join(folder, "a.sqlite")}`;
const envOf = (folder: string) => readFileSync(join(folder, ".env"), "utf8");

/** Opens the store, reads and writes, as a starting bot does. */
async function startBot(folder: string) {
  const keys = /SECRET_KEYS = "?([^"# ]+)/u.exec(envOf(folder))?.[1]?.split(",") ?? [];
  const store = await openStore({
    url: storeOf(folder),
    keys: keys.map((text) => ({
      id: text.split(":")[0] ?? "",
      key: Buffer.from(text.split(":")[1] ?? "", "base64"),
    })),
  });
  const guildId = "111111111111111111";
  const read = await store.credentials.read(guildId, "video-key");
  await store.credentials.write(guildId, {
    kind: "video-key",
    secret: "a secret",
    addedBy: "1",
    addedAt: 1,
  });
  await store.close();
  return read.state;
}

describe("npm run keys", () => {
  it("changes the key of a running bot step by step, and .env in nothing else", async () => {
    const folder = folderWith(lines(`"main:${main}"`));
    chmodSync(join(folder, ".env"), 0o640);
    await startBot(folder);

    expect(await run(folder, "add")).toMatchObject({ code: 0, text: /restart every process/iu });
    expect(envOf(folder)).toMatch(/SECRET_KEYS = "main:[\w+/=]+,k1:[\w+/]{43}="/u);
    expect(await run(folder, "promote k1")).toMatchObject({
      code: 2,
      text: /no bot has been started with key "k1" yet[\s\S]*Restart every process/u,
    });
    expect(await startBot(folder)).toBe("found");
    expect(await run(folder, "promote k1")).toMatchObject({ code: 0, text: /"k1" is first now/u });
    expect(envOf(folder)).toMatch(/"k1:[\w+/=]+,main:/u);
    expect(await run(folder, "reseal")).toMatchObject({ code: 0, text: /^1 row was sealed anew/u });
    expect(await run(folder, "retire main")).toMatchObject({
      code: 2,
      text: /started last while key "main" was sealing/u,
    });
    expect(await startBot(folder)).toBe("found");
    expect(await run(folder, "retire main")).toMatchObject({
      code: 0,
      text: /"main" is taken out/u,
    });
    expect(await startBot(folder)).toBe("found");

    expect(envOf(folder).replace(/k1:[\w+/]{43}=/u, "KEY")).toBe(lines('"KEY"'));
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o640);
    expect((await run(folder, "status")).text).toMatch(/^k1 +yes +1 +0 +0 +0 +0 +ok$/mu);
  });

  it("says how many rows still need a key", async () => {
    const folder = folderWith(lines(`main:${main}`));
    await startBot(folder);
    await run(folder, "add second");
    await run(folder, "promote second --offline");

    expect(await run(folder, "retire main --offline")).toMatchObject({
      code: 2,
      text: /key "main" seals 1 row\n.*reseal/u,
    });
    expect(envOf(folder)).toContain("main:");
  });

  it("prints the new value where the environment says SECRET_KEYS, and writes nothing", async () => {
    const folder = folderWith(lines(`main:${main}`));

    const { code, text } = await run(folder, "add", { SECRET_KEYS: `env:${main}` });

    expect(code).toBe(0);
    expect(text).toMatch(
      /you have to change it yourself[\s\S]*\nenv:[\w+/]{43}=,k1:[\w+/]{43}=\n/u,
    );
    expect(envOf(folder)).toBe(lines(`main:${main}`));
  });

  it.each([
    ["nonsense", /there is no "nonsense"/u],
    ["promote", /needs the key's id/u],
    ["promote main now", /one word too many/u],
    ["status main", /takes no id/u],
    ["promote k9", /there is no key "k9"\nThe keys here are: main\./u],
    ["retire main", /key "main" seals everything new/u],
    ["add main", /the id "main" is taken/u],
    ["add Ä", /can't be a key's id/u],
    ["--nonsense", /--nonsense/u],
  ])("refuses %j and says what to do", async (words, text) => {
    const folder = folderWith(lines(`main:${main}`));

    expect(await run(folder, words)).toMatchObject({ code: 2, text });
    expect(envOf(folder)).toBe(lines(`main:${main}`));
  });

  it("explains itself, and says so where there are no keys", async () => {
    const folder = folderWith();

    expect(await start(folder, ["--help"])).toMatchObject({ code: 0, out: /promote <id>/u });
    expect(await start(folder, ["status"])).toMatchObject({
      code: 2,
      complaint: /no master keys here/u,
    });
  });

  it("changes the sandbox's key file where there is no token", async () => {
    const folder = folderWith();
    const path = join(folder, ".greenroom/master.key");
    readOrMakeKeyFile(path);

    const { code, text } = await run(folder, "add", { STORE_URL: "" });

    expect({ code, text }).toMatchObject({ code: 0, text: /master\.key says so now/u });
    expect(readOrMakeKeyFile(path).keys.map(({ id }) => id)).toEqual(["main", "k1"]);
  });
});
