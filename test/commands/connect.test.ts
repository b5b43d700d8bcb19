import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import { asForm, asMessage, isEphemeral, openStage, type Stage, textOf } from "../support/stage.ts";

describe("/connect", () => {
  let stage: Stage;
  /** How long the random waits between attempts are, of their usual length. */
  let patience = 1;
  beforeAll(async () => {
    stage = await openStage({ random: () => Math.random() * patience });
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

  /** Chooses everything that is offered. */
  async function askAboutAll() {
    const offered = asMessage(await owner().command("connect disconnect"));
    const values = [...JSON.stringify(offered.components).matchAll(/"value":"([^"]+)"/gu)];
    return asMessage(
      await owner().choose(
        offered,
        values.map(([, value = ""]) => value),
      ),
    );
  }

  it("shows moderators what is connected and what is left, in private", async () => {
    const status = asMessage(await stage.sandbox.user("moderator").command("connect status"));

    expect(isEphemeral(status)).toBe(true);
    expect(textOf(status)).toMatch(/🟢 \*\*YouTube API key\*\* · Connected by <@\d+> <t:\d+:R>/u);
    expect(textOf(status)).toMatch(/\d+ credits/u);
  });

  it("names the linked channel, what it may do, and what is left of each project today", async () => {
    const { video } = stage.sandbox;
    const title = video.channels.get(video.ownChannelId)?.title ?? "?";

    const status = textOf(asMessage(await owner().command("connect status")));

    expect(status).toContain(`**[${title}](https://www.youtube.com/channel/${video.ownChannelId})`);
    expect(status).not.toContain("Link a channel");
    expect(status).toContain(
      "- Run the channel and its comments\n- Upload (included in “Run the channel and its comments”)\n- See the members",
    );
    expect(status).toMatch(
      /Left today with the key\n[▰▱]{8} [\d,]+ of 10,000 units\n▰{8} 100 of 100 searches/u,
    );
    expect(status).toMatch(/Left today as the channel\n[▰▱]{8} [\d,]+ of 10,000 units/u);
  });

  it("speaks French with its names", async () => {
    owner().speak("fr");
    const status = textOf(asMessage(await owner().command("connexion état")));
    owner().speak("en-US");

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
    const refusal = asMessage(await member().command(path));

    expect(isEphemeral(refusal)).toBe(true);
    expect(textOf(refusal)).toMatch(/You don’t have permission for this\n.*(owner|moderator)/u);
  });

  it("offers what is connected, with nothing chosen and no button to press", async () => {
    const offered = asMessage(await owner().command("connect disconnect"));
    const parts = JSON.stringify(offered.components);

    expect(textOf(offered)).toContain("What do you want to disconnect?");
    expect(parts).toContain("Linked channel: Greenroom Studio");
    expect(parts).not.toContain('"default":true');
    expect(parts).not.toContain("Disconnect");
  });

  it("asks about what was chosen, and about nothing else", async () => {
    const offered = asMessage(await owner().command("connect disconnect"));
    const asked = asMessage(await owner().choose(offered, ["background-key"]));

    expect(textOf(asked)).toContain("The key for removing backgrounds");
    expect(textOf(asked)).not.toContain("Greenroom Studio");
  });

  it("asks before it disconnects, and changes nothing on Cancel", async () => {
    const question = await askAboutAll();
    const cancelled = asMessage(await owner().click(question, "Cancel"));

    expect(textOf(question)).toContain("will be erased");
    expect(textOf(cancelled)).toContain("Nothing was changed");
    expect(textOf(asMessage(await owner().command("connect status")))).toContain("Connected by");
  });

  it("says of each connection what will be lost, and what stays at the service", async () => {
    const question = textOf(await askAboutAll());

    expect(question).toContain("Linked channel\nGreenroom Studio\nActing as this channel");
    expect(question).toContain("The key for removing backgrounds");
    expect(question).toContain("Access will be revoked on the Google account too");
  });

  it("disconnects only the channel: what needs it says so, what the key can do still works", async () => {
    const done = await disconnect({ what: "channel" });
    const needs = asMessage(await owner().command("captions list", { video: "aaaaaaaaaaa" }));

    expect(textOf(done)).toContain("Deleted from Greenroom: Linked channel.");
    expect(textOf(done)).not.toContain("The key itself");
    expect(textOf(needs)).toContain("This needs a linked channel");
    expect(textOf(asMessage(await owner().command("connect status")))).toContain(
      "🔴 **Your YouTube channel** · not connected",
    );
    expect(textOf(asMessage(await member().command("search", { query: "light" })))).toContain(
      "Results for",
    );
    expect(
      textOf(asMessage(await owner().command("connect disconnect", { what: "channel" }))),
    ).toBe("There was nothing to disconnect");
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

    const form = asForm(await owner().click(refused, "Back to the form"));

    expect(textOf(refused)).toContain("YouTube rejected this key");
    expect(textOf(refused)).toContain("Check it and try again.");
    expect(JSON.stringify(form)).not.toContain("AIza-this-key-is-wrong");
    expect(textOf(asMessage(await owner().command("connect status")))).toContain(
      "🔴 **YouTube API key**",
    );
  });

  it("stores no key while the service can't be reached", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 503 });
    patience = 0;
    const unsure = await enter("connect key", stage.sandbox.video.key);
    stage.sandbox.video.faults.clear();
    patience = 1;

    expect(textOf(unsure)).toContain("Nothing was changed");
    expect(textOf(asMessage(await owner().command("connect status")))).toContain(
      "🔴 **YouTube API key**",
    );
  });

  it("connects again with the right keys, and search works", async () => {
    await disconnect();
    const video = await enter("connect key", ` ${stage.sandbox.video.key} `);
    const images = await enter("connect background-key", stage.sandbox.background.key);

    expect(textOf(video)).toContain("YouTube is connected");
    expect(textOf(images)).toContain("remove.bg is connected");
    expect(textOf(asMessage(await member().command("search", { query: "light" })))).toContain(
      "Results for",
    );
  });

  describe("region", () => {
    const region = async (options: Readonly<Record<string, string>> = {}) =>
      asMessage(await owner().command("connect region", options));

    it("sets country and time zone, and shows what clocks say there", async () => {
      const saved = textOf(await region({ region: "jp", "time-zone": "tokyo" }));
      const shown = textOf(await region());

      expect(saved).toContain("are for **Japan**");
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
      const countries = await owner().suggest("connect region", "region", "switz");
      const zones = await owner().suggest("connect region", "time-zone", "", { region: "BR" });
      const asMember = await member().suggest("connect region", "region", "switz");

      expect(countries).toContainEqual({ name: "Switzerland · CH", value: "CH" });
      expect(zones.map(({ value }) => value)).toContain("America/Sao_Paulo");
      expect(asMember).toEqual([]);
    });

    it.each([
      [{ region: "Atlantis" }, "region"],
      [{ region: "XX" }, "region"],
      [{ "time-zone": "+02:00" }, "time-zone"],
    ])("refuses %j and changes nothing", async (options, name) => {
      expect(textOf(await region(options))).toContain(`“${name}”`);
      expect(textOf(await region())).toContain("**Germany**");
    });

    it("forgets both on a press", async () => {
      const cleared = asMessage(await owner().click(await region(), "Clear both"));

      expect(textOf(cleared)).toContain("dates are read in UTC");
      expect(textOf(await region())).toContain("the United States (default)");
    });
  });

  describe("roles", () => {
    const roles = async (options: Readonly<Record<string, string>> = {}) =>
      asMessage(await owner().command("connect roles", options));
    // The moderator has that role alone, whose permissions make a moderator.
    const { id } = createSampleGuild().people.moderator.role;

    it("shows who may do what", async () => {
      expect(textOf(await roles())).toMatch(/Owner:\*\* no role\n\*\*Manager:\*\* no role/u);
    });

    it("lets a role count for more from the next command on, and takes it back", async () => {
      const moderator = stage.sandbox.user("moderator");
      const asManager = () => moderator.command("connect region");
      const saved = textOf(await roles({ role: id, rank: "owner" }));
      const allowed = asMessage(await asManager());
      const removed = textOf(await roles({ role: id, rank: "none" }));
      const refused = asMessage(await asManager());

      expect(saved).toContain(`<@&${id}> now has owner access`);
      expect(saved).toContain(`**Owner:** <@&${id}>`);
      expect(textOf(allowed)).toContain("Country and time zone");
      expect(removed).toContain("has no special access");
      expect(textOf(refused)).toContain("owner");
    });

    it("counts a role as one thing only", async () => {
      await roles({ role: id, rank: "manager" });

      const moved = textOf(await roles({ role: id, rank: "moderator" }));
      await roles({ role: id, rank: "none" });

      expect(moved).toContain("**Manager:** no role");
      expect(moved).toContain(`**Moderator:** <@&${id}>`);
    });

    it("takes neither half an answer nor the role that everybody has", async () => {
      const half = await roles({ rank: "manager" });
      const all = await roles({ role: stage.sandbox.platform.guildId, rank: "owner" });

      expect(textOf(half)).toContain("Choose both a role and an access level");
      expect(textOf(all)).toContain("@everyone can’t be used here");
      expect(textOf(await roles())).toContain("**Owner:** no role");
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

  it("keeps to Discord's specification in all of this", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
