import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asForm, asMessage, isEphemeral, openStage, type Stage, textOf } from "../support/stage.ts";

describe("/connect", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const owner = () => stage.sandbox.user("owner");
  const member = () => stage.sandbox.user("member");

  async function enter(path: string, key: string) {
    const form = asForm(await owner().command(path));
    return asMessage(await owner().submit(form, { key }));
  }

  async function disconnect(options: Readonly<Record<string, string>> = {}) {
    const question = asMessage(await owner().command("connect disconnect", options));
    return asMessage(await owner().click(question, "Disconnect"));
  }

  it("shows moderators what is connected and what is left, in private", async () => {
    const status = asMessage(await stage.sandbox.user("moderator").command("connect status"));

    expect(isEphemeral(status)).toBe(true);
    expect(textOf(status)).toMatch(/Video service\nConnected by <@\d+> <t:\d+:R>/u);
    expect(textOf(status)).toMatch(/\d+ credits/u);
  });

  it.each(["connect key", "connect background-key", "connect disconnect", "connect status"])(
    "refuses members /%s and says who may",
    async (path) => {
      const refusal = asMessage(await member().command(path));

      expect(isEphemeral(refusal)).toBe(true);
      expect(textOf(refusal)).toMatch(/You may not do that here\n.*(owner|moderator)/u);
    },
  );

  it("asks before it disconnects, and changes nothing on Cancel", async () => {
    const question = asMessage(await owner().command("connect disconnect"));
    const cancelled = asMessage(await owner().click(question, "Cancel"));

    expect(textOf(question)).toContain("will be erased");
    expect(textOf(cancelled)).toContain("Nothing was changed");
    expect(textOf(asMessage(await owner().command("connect status")))).toContain("Connected by");
  });

  it("disconnects, and a command that needs the key says what to do and who can do it", async () => {
    await disconnect({ what: "video-key" });

    const asMember = asMessage(await member().command("search", { query: "light" }));
    const asOwner = asMessage(await owner().command("search", { query: "light" }));

    expect(isEphemeral(asMember)).toBe(true);
    expect(textOf(asMember)).toContain("Manage Server permission can connect it with /connect key");
    expect(textOf(asOwner)).toContain("Connect it with /connect key");
  });

  it("stores no key that the service refuses", async () => {
    const refused = await enter("connect key", "AIza-this-key-is-wrong");

    expect(textOf(refused)).toContain("refused");
    expect(textOf(asMessage(await owner().command("connect status")))).toContain("Not connected");
  });

  it("stores no key while the service can't be asked", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 503 });
    const unsure = await enter("connect key", stage.sandbox.video.key);
    stage.sandbox.video.faults.clear();

    expect(textOf(unsure)).toContain("Nothing was changed");
    expect(textOf(asMessage(await owner().command("connect status")))).toContain("Not connected");
  });

  it("connects again with the right keys, and search works", async () => {
    await disconnect();
    const video = await enter("connect key", ` ${stage.sandbox.video.key} `);
    const images = await enter("connect background-key", stage.sandbox.background.key);

    expect(textOf(video)).toContain("The video service is connected");
    expect(textOf(images)).toContain("The image service is connected");
    expect(textOf(asMessage(await member().command("search", { query: "light" })))).toContain(
      "Results for",
    );
  });

  it("keeps both keys out of every log line and every reply", async () => {
    const canaries = [stage.sandbox.video.key, stage.sandbox.background.key];
    const encoded = canaries.flatMap((key) => [
      key,
      encodeURIComponent(key),
      Buffer.from(key).toString("base64").replace(/=+$/u, ""),
      Buffer.from(key).toString("hex"),
    ]);
    const sent = JSON.stringify(stage.exchanges.map(({ requestBody }) => requestBody));
    const logged = stage.logged.join("");

    expect(encoded.filter((key) => sent.includes(key))).toEqual([]);
    expect(encoded.filter((key) => logged.includes(key))).toEqual([]);
    expect(logged).not.toContain(stage.sandbox.platform.token);
  });

  it("keeps to Discord's specification in all of this", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
