import { describe, expect, it } from "vitest";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import { asMessage, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

describe("/connect", () => {
  const { stage, owner, moderator, member, hurried } = useStage();
  const { run, click, choose, submit, runForm, clickForm } = owner;

  async function enter(path: string, key: string) {
    const form = await runForm(path);
    return await submit(form, { key });
  }

  async function disconnect(options: Readonly<Record<string, string>> = {}) {
    const question = await run("connect disconnect", options);
    return await click(question, "Disconnect");
  }

  /** Chooses everything that can be disconnected. */
  async function askAboutAll() {
    const offered = await run("connect disconnect");
    const values = [...JSON.stringify(offered.components).matchAll(/"value":"([^"]+)"/gu)];
    return await choose(
      offered,
      values.map(([, value = ""]) => value),
    );
  }

  it("shows moderators what is connected and what is left, in private", async () => {
    const status = await moderator.run("connect status");

    expectPrivate(status, /🟢 \*\*YouTube API key\*\* · Connected by <@\d+> · <t:\d+:R>/u);
    expectText(status, /\d+ credits/u);
  });

  it("names the linked channel, what it may do, and what is left of each project today", async () => {
    const { video } = stage.sandbox;
    const title = video.channels.get(video.ownChannelId)?.title ?? "?";

    const status = textOf(await run("connect status"));

    expect(status).toContain(`**[${title}](https://www.youtube.com/channel/${video.ownChannelId})`);
    expect(status).not.toContain("Link a channel");
    expect(status).toContain(
      "- Run the channel and its comments\n- Upload (included in “Run the channel and its comments”)\n- See the members",
    );
    expect(status).toMatch(
      /Left today with the key\n[▰▱]{8} [\d,]+ of 10,000 units\n▰{8} 100 of 100 searches/u,
    );
    expect(status).toMatch(/Left today as the channel\n[▰▱]{8} [\d,]+ of 10,000 units/u);
    // A key alone can't upload.
    expect(status.match(/of 100 uploads/gu)).toHaveLength(1);
  });

  it("speaks French with its names", async () => {
    owner.speak("fr");
    const status = textOf(await run("connexion état"));

    expect(status).toMatch(/Reste aujourd’hui avec la clé[\s\S]*🟢 \*\*Ta chaîne YouTube/u);
    expect(status).toMatch(/10\s000 unités sur 10\s000/u);
  });

  it.each([
    "connect channel",
    "connect channels",
    "connect token",
    "connect notices",
    "connect key",
    "connect background-key",
    "connect disconnect",
    "connect status",
    "connect region",
    "connect roles",
  ])("refuses members /%s and says who may", async (path) => {
    const refusal = await member.run(path);

    expectPrivate(refusal, /You don’t have permission for this\n.*(owner|moderator)/u);
  });

  it("offers what is connected, with nothing chosen and no button to press", async () => {
    const offered = await run("connect disconnect");
    const parts = JSON.stringify(offered.components);

    expect(textOf(offered)).toContain("What do you want to disconnect?");
    expect(parts).toContain("Linked channel: Greenroom Studio");
    expect(parts).not.toContain('"default":true');
    expect(parts).not.toContain("Disconnect");
  });

  it("asks about what was chosen, and about nothing else", async () => {
    const offered = await run("connect disconnect");
    const asked = await choose(offered, ["background-key"]);

    expect(textOf(asked)).toContain("The key for removing backgrounds");
    expect(textOf(asked)).not.toContain("Greenroom Studio");
  });

  it("asks before it disconnects, and changes nothing on Cancel", async () => {
    const question = await askAboutAll();
    const cancelled = await click(question, "Cancel");

    expect(textOf(question)).toContain("will be erased");
    expect(textOf(cancelled)).toContain("Nothing was changed");
    expect(textOf(await run("connect status"))).toContain("Connected by");
  });

  it("says of each connection what will be lost, and what stays at the service", async () => {
    const question = textOf(await askAboutAll());

    expect(question).toContain("Linked channel\nGreenroom Studio\nActing as this channel");
    expect(question).toContain("The key for removing backgrounds");
    expect(question).toContain("Access is also revoked at Google");
  });

  it("disconnects only the channel: what needs it says so, what the key can do still works", async () => {
    const done = await disconnect({ what: "channel" });
    const needs = await run("captions list", { video: "aaaaaaaaaaa" });

    expect(textOf(done)).toContain("Deleted from Greenroom: Linked channel.");
    expect(textOf(done)).not.toContain("The key itself");
    expect(textOf(needs)).toContain("This needs a linked channel");
    expectText(await run("connect status"), "🔴 **Your YouTube channel** · not connected");
    expect(textOf(await member.run("search", { query: "light" }))).toContain("Results for");
    expect(textOf(await run("connect disconnect", { what: "channel" }))).toBe(
      "There was nothing to disconnect",
    );
  });

  it("disconnects, and a command that needs the key says what to do and who can do it", async () => {
    await disconnect({ what: "video-key" });

    const asMember = await member.run("search", { query: "light" });
    const asOwner = await run("search", { query: "light" });

    expectPrivate(asMember, "Manage Server permission can connect it with /connect key");
    expect(textOf(asOwner)).toContain("Connect it with /connect key");
  });

  it("stores no key that the service refuses", async () => {
    const refused = await enter("connect key", "AIza-this-key-is-wrong");

    const form = await clickForm(refused, "Back to the form");

    expectText(refused, "YouTube rejected this key", "Check it and try again.");
    expect(JSON.stringify(form)).not.toContain("AIza-this-key-is-wrong");
    expect(textOf(await run("connect status"))).toContain("🔴 **YouTube API key**");
  });

  it("stores no key while the service can't be reached", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 503 });
    const unsure = await hurried(() => enter("connect key", stage.sandbox.video.key));
    stage.sandbox.video.faults.clear();

    expect(textOf(unsure)).toContain("Nothing was changed");
    expect(textOf(await run("connect status"))).toContain("🔴 **YouTube API key**");
  });

  it("connects again with the right keys, and search works", async () => {
    await disconnect();
    const video = await enter("connect key", ` ${stage.sandbox.video.key} `);
    const images = await enter("connect background-key", stage.sandbox.background.key);

    expect(textOf(video)).toContain("YouTube is connected");
    expect(textOf(images)).toContain("Background removal is connected");
    expect(textOf(await member.run("search", { query: "light" }))).toContain("Results for");
  });

  describe("region", () => {
    const region = async (options: Readonly<Record<string, string>> = {}) =>
      await run("connect region", options);

    it("sets country and time zone, and shows what clocks say there", async () => {
      const saved = textOf(await region({ region: "jp", "time-zone": "tokyo" }));
      const shown = textOf(await region());

      expect(saved).toContain("categories: **Japan**");
      expect(saved).toMatch(/in \*\*Asia\/Tokyo\*\*, where it is now \w{3} \d+, \d{4}/u);
      expect(shown).toContain("Country and time zone");
      expect(shown).toContain("**Japan**");
    });

    it("changes the one and keeps the other", async () => {
      const saved = textOf(await region({ region: "DE" }));

      expect(saved).toContain("**Germany**");
      expect(saved).toContain("**Asia/Tokyo**");
    });

    it("suggests countries and time zones by their names, to owners alone", async () => {
      const countries = await owner.suggest("connect region", "region", "switz");
      const zones = await owner
        .person()
        .suggest("connect region", "time-zone", "", { region: "BR" });
      const asMember = await member.suggest("connect region", "region", "switz");

      expect(countries).toContainEqual({ name: "Switzerland · CH", value: "CH" });
      expect(zones.map(({ value }) => value)).toContain("America/Sao_Paulo");
      expect(asMember).toEqual([]);
    });

    it.each([
      [{ region: "UK" }, "**United Kingdom**"],
      [{ region: "Switzerland" }, "**Switzerland**"],
      [{ region: "Deutschland" }, "**Germany**"],
      [{ "time-zone": "Kolkata" }, "in **Asia/Kolkata**, where"],
      [{ "time-zone": "Asia/Calcutta" }, "in **Asia/Kolkata**, where"],
      [{ "time-zone": "UTC+5:30" }, "in **UTC+05:30**, where"],
      [{ "time-zone": "ho chi minh" }, "in **Asia/Ho Chi Minh**, where"],
    ])("understands %j", async (options, shown) => {
      expect(textOf(await region(options))).toContain(shown);
      expect(textOf(await region())).toContain(shown);
    });

    it.each([
      ["UK", "GB"],
      ["USA", "US"],
      ["Brit", "GB"],
      ["Great Br", "GB"],
      ["Holland", "NL"],
      ["Suisse", "CH"],
    ])("suggests the country for %s", async (typed, code) => {
      const [first] = await owner.suggest("connect region", "region", typed);

      expect(first?.value).toBe(code);
    });

    it.each([
      [{ region: "Atlantis" }, "region"],
      [{ region: "XX" }, "region"],
      [{ region: "EU" }, "region"],
      [{ region: "AQ" }, "region"],
      [{ "time-zone": "USA" }, "time-zone"],
    ])("refuses %j and changes nothing", async (options, name) => {
      expect(textOf(await region(options))).toContain(`“${name}”`);
      expect(textOf(await region())).toContain("**Germany**");
    });

    it("forgets both on a press", async () => {
      const cleared = await click(await region(), "Clear both");

      expect(textOf(cleared)).toContain("dates are read in UTC");
      expect(textOf(await region())).toContain("the United States (default)");
    });
  });

  describe("roles", () => {
    const roles = async (options: Readonly<Record<string, string>> = {}) =>
      await run("connect roles", options);
    // It is the moderator's only role, and makes them one by its permissions.
    const { id } = createSampleGuild().people.moderator.role;

    it("shows who may do what, and how a role gets a level", async () => {
      expect(textOf(await roles())).toMatch(/Give a role .* with \/connect roles:/u);
      expect(textOf(await roles())).toMatch(
        /Owner:\*\* everyone with Manage Server\n\*\*Manager:\*\* everyone with Manage Channels\n\*\*Moderator:\*\* everyone with Manage Messages or Time out members/u,
      );
    });

    it("lets a role count for more from the next command on, and takes it back", async () => {
      const asManager = () => moderator.run("connect region");
      const saved = textOf(await roles({ role: id, rank: "owner" }));
      const allowed = asMessage(await asManager());
      const removed = textOf(await roles({ role: id, rank: "none" }));
      const refused = asMessage(await asManager());

      expect(saved).toContain(`<@&${id}> now has owner access`);
      expect(saved).toContain(`**Owner:** everyone with Manage Server, <@&${id}>`);
      expect(textOf(allowed)).toContain("Country and time zone");
      expect(removed).toContain("has no special access");
      expect(textOf(refused)).toContain("owner");
    });

    it("counts a role as one thing only", async () => {
      await roles({ role: id, rank: "manager" });

      const moved = textOf(await roles({ role: id, rank: "moderator" }));
      await roles({ role: id, rank: "none" });

      expect(moved).toContain("**Manager:** everyone with Manage Channels\n");
      expect(moved).toContain(
        `**Moderator:** everyone with Manage Messages or Time out members, <@&${id}>`,
      );
    });

    it("takes neither half an answer nor the role that everybody has", async () => {
      const half = await roles({ rank: "manager" });
      const all = await roles({ role: stage.sandbox.platform.guildId, rank: "owner" });

      expect(textOf(half)).toContain("Choose both a role and an access level");
      expect(textOf(all)).toContain("@\ufe00everyone can’t be used here");
      expect(textOf(await roles())).toContain("**Owner:** everyone with Manage Server\n");
    });
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
});
