import type { APIMessage } from "discord-api-types/v10";
import { beforeAll, describe, expect, it } from "vitest";
import type { OAuthAccount } from "../../src/sandbox/oauth/index.ts";
import { type Walk, walkLink } from "../support/link-walk.ts";
import { asMessage, isEphemeral, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
const sendMessages = 1n << 11n;

/** These tests depend on their order: each goes on with the channels that earlier ones linked. */
describe("/connect, its channels", () => {
  let studio: OAuthAccount;
  let bakery: OAuthAccount;
  const { stage, owner, moderator, member, until } = useStage();
  const { run, click, choose, submit, runForm, clickForm } = owner;
  beforeAll(async () => {
    const [first, second] = stage.sandbox.oauth.accounts;
    if (first === undefined || second === undefined) throw new Error("too few accounts");
    studio = first;
    bakery = second;
  });

  function addressOf(message: APIMessage): string {
    return /"url":"([^"]+\/connect\/[^"]+)"/u.exec(JSON.stringify(message.components))?.[1] ?? "";
  }

  function labelsOf(message: APIMessage): readonly string[] {
    return [...JSON.stringify(message.components ?? []).matchAll(/"label":"([^"]+)"/gu)].flatMap(
      ([, label]) => label ?? [],
    );
  }

  /** The question that replaces the message in which a link was begun. */
  async function linked(begun: APIMessage, walk: Walk): Promise<APIMessage> {
    await walkLink(addressOf(begun), walk);
    const asked = owner.messages().find(({ id }) => id === begun.id);
    if (asked === undefined) throw new Error("the message is gone");
    return asked;
  }

  const typed: string[] = [];

  async function enter(fields: Readonly<Record<string, string | readonly string[]>>) {
    typed.push(String(fields.token));
    const form = await runForm("connect token");
    return await submit(form, fields);
  }

  it("begins a link in private, with a button to our own page", async () => {
    const begun = await run("connect channel");

    expectPrivate(begun, "Nothing is saved until you confirm");
    expect(addressOf(begun)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/connect\/[\w-]{43}$/u);
  });

  it("asks where it began whether it is the right channel, and says what was not granted", async () => {
    const asked = await linked(await run("connect channel"), {
      account: bakery,
      permissions: ["read", "upload"],
      scopes: ["youtube.readonly"],
    });

    expect(textOf(asked)).toContain("Is this your channel?");
    expectText(asked, `[${bakery.name}](https://www.youtube.com/channel/${bakery.channelId})`);
    expect(textOf(asked)).toContain("to the server **Greenroom Studio**");
    expectText(asked, "Greenroom may\n- See the channel\nTicked, but not granted\n- Upload");
    expect(textOf(asked)).toMatch(/Subscribers\n[\d.]+/u);
    expect(textOf(await run("connect channels"))).not.toContain(bakery.name);
  });

  it("keeps nothing of a link that is declined", async () => {
    const asked = await linked(await run("connect channel"), { account: bakery });
    const declined = await click(asked, "No");

    expect(textOf(declined)).toContain("Nothing was linked");
    expect(textOf(await run("connect channels"))).not.toContain(bakery.name);
  });

  it("links the channel on a yes, and says what can be done next", async () => {
    const asked = await linked(await run("connect channel"), { account: bakery });
    const done = await click(asked, "Yes");

    expectText(done, `“${bakery.name}” is linked`, `The default is still “${studio.name}”`);
    expect(textOf(done)).toContain("/playlists uploads");
    const list = textOf(await run("connect channels"));
    expect(list).toContain(`${studio.name} (default)`);
    expect(list).toContain(`**[${bakery.name}]`);
  });

  it("acts as the channel that is named, and its buttons go on as that one", async () => {
    const found = await moderator.run("playlists list", { as: bakery.name });
    const asked = stage.videoRequests.length;
    const details = await moderator.click(found, "Details");

    expectText(found, `Playlists of ${bakery.name}`, `as ${bakery.name} · `);
    expect(stage.videoRequests.slice(asked).length).toBeGreaterThan(0);
    expect(textOf(details)).toContain(`as ${bakery.name}`);
    expect(textOf(await moderator.run("playlists list"))).toContain(`Playlists of ${studio.name}`);
  });

  it("never shows one channel's answers as the other's", async () => {
    const list = async (as: string) =>
      // Without the cost, which differs: the second answer comes from the cache.
      textOf(await moderator.run("subscriptions subscribers", { as })).replace(/^-#.*$/mu, "");

    const [one, other] = [await list(studio.name), await list(bakery.name)];

    expect(other).not.toBe(one);
    expect(await list(studio.name)).toBe(one);
    expect(await list(bakery.name)).toBe(other);
  });

  it("suggests the linked channels to moderators, and names them when one is unknown", async () => {
    const suggested = await moderator.suggest("playlists list", "as", "");
    const refused = await moderator.run("playlists list", { as: "Nobody" });

    expect(suggested.map(({ name }) => name)).toEqual([`${studio.name} · default`, bakery.name]);
    expect(suggested.map(({ value }) => value)).toEqual([studio.channelId, bakery.channelId]);
    expectText(refused, "No linked channel is called “Nobody”", `${studio.name}, ${bakery.name}`);
  });

  it("lets no member act as another channel, nor see which there are", async () => {
    const refused = await member.run("playlists list", { as: bakery.name });

    expect(textOf(refused)).toContain("Only moderators can do this");
    expect(await member.suggest("playlists list", "as", "")).toEqual([]);
  });

  it("says before any call what a link lacks, with a button for owners", async () => {
    const asked = stage.videoRequests.length;
    const forOwner = await run("playlists create", { title: "New", as: bakery.name });
    const forModerator = await moderator.run("members levels", { as: bakery.name });

    expect(stage.videoRequests.length).toBe(asked);
    expectText(forOwner, "Reconnect the channel and tick “Run the channel and its comments”");
    expect(labelsOf(forOwner)).toEqual(["Reconnect"]);
    expect(textOf(forModerator)).toContain(
      "Ask someone with the Manage Server permission to reconnect the channel and tick “See the members”",
    );
    expect(labelsOf(forModerator)).toEqual([]);
  });

  it("reconnects with what was there and what was missing ticked, and keeps one link a channel", async () => {
    const failed = await run("playlists create", { title: "New", as: bakery.name });
    const begun = await click(failed, "Reconnect");
    const asked = await linked(begun, { account: bakery, permissions: ["read", "comments"] });
    await owner.click(asked, "Yes");

    const list = textOf(await run("connect channels"));
    expect(isEphemeral(begun)).toBe(true);
    expect(list.split(`**[${bakery.name}]`)).toHaveLength(2);
    expect(textOf(await run("playlists create", { title: "New", as: bakery.name }))).not.toContain(
      "lacks a permission",
    );
  });

  describe("by token", () => {
    it("takes a refresh token once it was confirmed, under the name it is given", async () => {
      const { refreshToken } = stage.sandbox.oauth.mint({ channelId: bakery.channelId ?? "" });
      const asked = await enter({ kind: ["refresh"], token: refreshToken, name: "Bread" });
      const before = textOf(await run("connect channels"));
      const done = await click(asked, "Yes");

      expect(textOf(asked)).toContain("Nickname here\nBread");
      expect(before).not.toContain("Bread");
      expect(textOf(done)).toContain("“Bread” is linked");
      expect(textOf(await run("connect channels"))).toContain("Bread\n**[");
    });

    it("says when an access token ends, and that it can't be renewed", async () => {
      const { accessToken } = stage.sandbox.oauth.mint({ channelId: bakery.channelId ?? "" });
      const asked = await enter({ kind: ["access"], token: accessToken });
      await owner.click(asked, "No");

      expect(textOf(asked)).toMatch(/Access token\nExpires <t:\d+:t> \(can’t be renewed\)/u);
    });

    it.each(["refresh", "access"])(
      "refuses a wrong %s token and shows nothing of it",
      async (kind) => {
        const refused = await enter({ kind: [kind], token: "1//0wrong-token-of-somebody" });

        expect(textOf(refused)).toContain("The token is not accepted");
        expect(textOf(refused)).not.toContain("wrong-token");
      },
    );
  });

  describe("the list", () => {
    it("makes another channel the default, and back", async () => {
      const choose = async (account: OAuthAccount) => click(await manage(account), "Make default");

      const changed = await choose(bakery);
      const status = textOf(await run("connect status"));
      const back = await choose(studio);

      expect(textOf(changed)).toContain("Bread (default)");
      expect(status).toContain("**Bread** · default");
      expect(textOf(back)).toContain(`${studio.name} (default)`);
    });

    it("renames one by a form, never to a name that another has", async () => {
      const renamed = async (name: string) => {
        const form = await clickForm(await manage(bakery), "Rename");
        return await submit(form, { name });
      };

      const taken = await renamed(` ${studio.name.toUpperCase()} `);
      const changed = await renamed("Loaves");

      expect(textOf(taken)).toContain("That name is taken");
      expect(textOf(changed)).toContain("Loaves\n**[");
    });

    it("disconnects one, ends its consent, and leaves the other", async () => {
      const { refreshToken } = stage.sandbox.oauth.mint({ channelId: bakery.channelId ?? "" });
      const entered = await enter({ kind: ["refresh"], token: refreshToken, name: "Loaves" });
      await owner.click(entered, "Yes");
      const question = await run("connect disconnect", { channel: "loaves" });
      const done = await click(question, "Disconnect");

      expect(textOf(question)).toContain("Linked channel “Loaves”");
      expect(textOf(question)).toContain("The other linked channels stay as they are.");
      expect(textOf(question)).not.toContain("API key");
      expect(textOf(done)).toContain("Deleted from Greenroom: Linked channel “Loaves”.");
      expect(textOf(done)).toContain("Access is also revoked at Google");
      expect(textOf(await run("connect channels"))).not.toContain("Loaves");
      expect(textOf(await run("connect channels"))).toContain(studio.name);
    });

    it("says as which channel commands act once the default is disconnected", async () => {
      const { refreshToken } = stage.sandbox.oauth.mint({ channelId: bakery.channelId ?? "" });
      await owner.click(await enter({ kind: ["refresh"], token: refreshToken }), "Yes");
      await owner.click(await manage(bakery), "Make default");
      const question = await run("connect disconnect", { channel: bakery.name });
      const done = await click(question, "Disconnect");

      expect(textOf(question)).toContain(`After that, commands act as “${studio.name}”`);
      expect(textOf(question)).not.toContain("stop working");
      expect(textOf(done)).toContain(`The default channel is “${studio.name}” now.`);
    });

    it("disconnects none by a name that two have, and none that was linked after the question", async () => {
      const before = await run("connect disconnect", { what: "channel" });
      const { refreshToken } = stage.sandbox.oauth.mint({ channelId: bakery.channelId ?? "" });
      const entered = await enter({ kind: ["refresh"], token: refreshToken, name: studio.name });
      await owner.click(entered, "Yes");

      const unclear = await run("connect disconnect", { channel: studio.name });
      expect(textOf(unclear)).not.toContain("Erased");
      expect(labelsOf(unclear)).not.toContain("Disconnect");

      await owner.click(before, "Disconnect");
      const left = textOf(await run("connect channels"));
      expect(left).toContain(bakery.channelId);
      expect(left).not.toContain(studio.channelId);

      const again = stage.sandbox.oauth.mint({ channelId: studio.channelId ?? "" });
      await owner.click(
        await enter({ kind: ["refresh"], token: again.refreshToken, name: "" }),
        "Yes",
      );
      const asked = await run("connect disconnect", { channel: bakery.channelId ?? "" });
      await owner.click(asked, "Disconnect");
    });

    it("answers an old button whose channel is gone", async () => {
      const { refreshToken } = stage.sandbox.oauth.mint({ channelId: bakery.channelId ?? "" });
      await owner.click(await enter({ kind: ["refresh"], token: refreshToken }), "Yes");
      const as = { as: bakery.name };
      const [playlist] = await owner.offered("playlists delete", "playlist", "", as);
      const question = await run("playlists delete", { playlist: `${playlist?.value}`, ...as });
      const asked = await run("connect disconnect", { channel: bakery.name });
      await owner.click(asked, "Disconnect");
      const late = await click(question, "Delete");

      expect(textOf(late)).toContain("Channel no longer linked here");
    });
  });

  describe("notices", () => {
    const channelCalled = (name: string) => {
      const found = stage.sandbox.platform.channels.find((channel) => channel.name === name);
      if (found === undefined) throw new Error(`no channel ${name}`);
      return found.id;
    };

    it("chooses a channel that the bot can write in", async () => {
      const id = channelCalled("moderators");
      const saved = await run("connect notices", { channel: id });

      expect(textOf(saved)).toContain(`are posted in <#${id}>`);
      expect(textOf(await run("connect notices"))).toContain(`<#${id}>`);
    });

    it("says a broken link there and to the owner, with a button for owners", async () => {
      const { refreshToken } = stage.sandbox.oauth.mint({ channelId: bakery.channelId ?? "" });
      const entered = await enter({ kind: ["refresh"], token: refreshToken, name: "Bread" });
      await owner.click(entered, "Yes");
      stage.sandbox.oauth.expire(refreshToken);
      stage.sandbox.oauth.expireAll();

      const failed = await run("members list", { as: "Bread" });
      const posted = await until(() => owner.messages("moderators").at(-1));
      const message = await until(() => owner.person().directMessages().at(-1));
      const forOthers = await moderator.run("members list", { as: "Bread" });

      expect(textOf(failed)).toContain("The link to “Bread” is broken");
      expect(labelsOf(failed)).toEqual(["Reconnect"]);
      expect(textOf(forOthers)).toContain("Ask someone with the Manage Server permission");
      expect(textOf(posted)).toContain("The link to “Bread” is broken");
      expect(labelsOf(posted)).toEqual(["Reconnect"]);
      expect(textOf(message)).toContain("The link to “Bread” is broken");
      expect(labelsOf(message)).toEqual(["To the server Greenroom Studio"]);
      const status = await run("connect status");
      expect(labelsOf(status)).toContain("Reconnect Bread");
      expect(textOf(status)).toMatch(/🔴 \*\*Bread\*\* · .*access was withdrawn or has expired/u);
    });

    it("lets only owners reconnect from there", async () => {
      const posted = owner.messages("moderators").at(-1);
      if (posted === undefined) throw new Error("nothing was posted");
      const refused = asMessage(
        await moderator.person().in("moderators").click(posted, "Reconnect"),
      );
      const begun = asMessage(await owner.person().in("moderators").click(posted, "Reconnect"));

      expect(textOf(refused)).toContain("Only owners can do this");
      expect(addressOf(begun)).toContain("/connect/");
    });

    it("refuses a channel that it can't write in, and clears on a press", async () => {
      stage.sandbox.platform.forbidBot(channelCalled("moderators"), sendMessages);
      const refused = await run("connect notices", { channel: channelCalled("moderators") });
      stage.sandbox.platform.forbidBot(channelCalled("moderators"), 0n);
      const cleared = await click(await run("connect notices"), "Don’t post in a channel");

      expect(textOf(refused)).toContain("Embed Links in #moderators");
      expect(textOf(cleared)).toContain("Nothing is posted in a channel");
    });
  });

  it("says all of it in French", async () => {
    owner.speak("fr");
    const begun = await run("connexion chaîne");
    const asked = await linked(begun, { account: bakery });
    const done = await click(asked, "Oui");

    expect(textOf(begun)).toContain("Rien n’est enregistré avant ta confirmation");
    expectText(asked, "Est-ce ta chaîne ?", "- Voir la chaîne");
    expect(textOf(done)).toContain("est associée");
  });

  it("shows no token that was entered, in no reply and in no log line", () => {
    const sent = JSON.stringify(stage.exchanges.map(({ requestBody }) => requestBody));
    const shown = sent + stage.logged.join("");
    const forms = typed.flatMap((token) => [
      token,
      encodeURIComponent(token),
      Buffer.from(token).toString("base64").replace(/=+$/u, ""),
    ]);

    expect(typed.length).toBeGreaterThan(5);
    expect(forms.filter((token) => shown.includes(token))).toEqual([]);
  });

  /** The page of one of several channels, with its buttons. */
  async function manage({ channelId }: OAuthAccount): Promise<APIMessage> {
    return await choose(await run("connect channels"), [channelId ?? ""]);
  }
});
