import { on, once } from "node:events";
import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import {
  type AutocompleteInteraction,
  ButtonStyles,
  type CommandInteraction,
  type ComponentInteraction,
  type EventReaction,
  Message,
  MessageTypes,
  type ModalSubmitInteraction,
  ApplicationCommandOptionTypes as optionTypes,
  type SelectMenuTypes,
  TextInputStyles,
  ComponentTypes as types,
} from "oceanic.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type Platform,
  type RestExchange,
  startPlatform,
} from "../../src/sandbox/platform/index.ts";
import type { OpenForm } from "../../src/sandbox/types.ts";
import { tinyPng } from "../sandbox/platform/tiny-png.ts";
import { checkExchange } from "../support/discord-spec.ts";
import { asMessage } from "../support/stage.ts";
import { type OceanicBot, startOceanicBot } from "./oceanic/bot.ts";

/** A bot that uses another library than Greenroom's does daily work, and the library reports no error or warning. */

const picture = { name: "dot.png", type: "image/png", data: tinyPng };
const attached = { name: "dot.png", contents: Buffer.from(tinyPng) };

/** The message in which Discord says that a message was pinned. */
async function pinNotice(client: OceanicBot["client"]): Promise<Message> {
  for await (const [message] of on(client, "messageCreate") as AsyncIterable<[Message]>) {
    if (message.type === MessageTypes.CHANNEL_PINNED_MESSAGE) {
      return message;
    }
  }
  throw new Error("the client was closed before it heard of the pin");
}

const commands = [
  {
    type: 1,
    name: "draw",
    nameLocalizations: { de: "zeichne" },
    description: "Draws",
    options: [
      {
        type: optionTypes.STRING,
        name: "what",
        description: "What",
        required: true,
        autocomplete: true,
      },
      { type: optionTypes.ATTACHMENT, name: "file", description: "A file" },
      { type: optionTypes.USER, name: "who", description: "Somebody" },
      { type: optionTypes.CHANNEL, name: "where", description: "A channel" },
      { type: optionTypes.BOOLEAN, name: "flag", description: "Yes or no" },
    ],
  },
  { type: 3, name: "Look closer" },
] as const;

const form = {
  customID: "form",
  title: "Form",
  components: [
    {
      type: types.LABEL,
      label: "Text",
      component: { type: types.TEXT_INPUT, customID: "text", style: TextInputStyles.SHORT },
    },
    {
      type: types.LABEL,
      label: "File",
      component: { type: types.FILE_UPLOAD, customID: "file", required: false },
    },
    {
      type: types.LABEL,
      label: "Pick",
      component: {
        type: types.STRING_SELECT,
        customID: "pick",
        options: [
          { label: "A", value: "a" },
          { label: "B", value: "b" },
        ],
      },
    },
  ],
} as const;

describe("a bot of oceanic.js", () => {
  let platform: Platform;
  let bot: OceanicBot;
  const exchanges: RestExchange[] = [];

  beforeAll(async () => {
    platform = await startPlatform({
      hasLimits: false,
      onExchange: (exchange) => exchanges.push(exchange),
    });
    bot = await startOceanicBot(platform, { gateway: { compress: "zlib-stream" } });
    await rest().applications.bulkEditGlobalCommands(
      platform.applicationId,
      structuredClone(commands) as never,
    );
  });

  afterEach(async () => {
    const found = await Promise.all(exchanges.splice(0).map(checkExchange));
    expect(bot.complaints).toEqual([]);
    expect(found.flat()).toEqual([]);
  });

  afterAll(async () => {
    bot.close();
    await platform.close();
  });

  const rest = () => bot.client.rest;
  const owner = () => platform.people("owner");

  it("knows who and where it is, with all that is there", () => {
    const guild = bot.client.guilds.get(platform.guildId);

    expect(bot.client.user.username).toBe("Greenroom");
    expect(guild?.name).toBe("Greenroom Studio");
    expect(guild?.members.size).toBe(4);
    expect(guild?.channels.map(({ name }) => name)).toEqual([
      "greenroom",
      "moderators",
      "review-forum",
      "announcements",
    ]);
    expect(guild?.roles.size).toBe(5);
  });

  it("defers, edits and follows up with a file", async () => {
    bot.answer(async (each) => {
      const interaction = each as CommandInteraction;
      const { options } = interaction.data;
      await interaction.defer();
      await interaction.editOriginal({
        content: [
          options.getString("what"),
          options.getUser("who")?.username,
          options.getChannel("where")?.name,
          options.getBoolean("flag"),
          options.getAttachment("file")?.filename,
        ].join(" "),
      });
      await interaction.createFollowup({ content: "and a file", files: [attached] });
    });

    const where = platform.channelId;
    await owner().command("draw", {
      what: "a dot",
      who: platform.ownerId,
      where,
      flag: true,
      file: picture,
    });

    const [first, second] = owner().messages().slice(-2);
    expect(first?.content).toBe("a dot robin greenroom true dot.png");
    expect(second).toMatchObject({ content: "and a file", attachments: [{ filename: "dot.png" }] });
  });

  it("suggests while somebody types", async () => {
    bot.answer(async (each) => {
      const interaction = each as AutocompleteInteraction;
      const { value } = interaction.data.options.getFocused(true);
      await interaction.result([{ name: `${value}!`, value: `${value}?` }]);
    });

    expect(await owner().suggest("draw", "what", "ha")).toEqual([{ name: "ha!", value: "ha?" }]);
  });

  it("opens a form and reads all that was filled in", async () => {
    bot.answer(async (each) => {
      await (each as CommandInteraction).createModal(structuredClone(form) as never);
    });
    const opened = (await owner().command("draw", { what: "x" })) as OpenForm;
    bot.answer(async (each) => {
      const interaction = each as ModalSubmitInteraction;
      const { components } = interaction.data;
      const [file] = components.getFileUploadValues("file", true);
      const words = [
        components.getTextInput("text"),
        components.getStringSelectValues("pick"),
        file?.filename,
      ];
      await interaction.createMessage({ content: words.join(" "), flags: 64 });
    });

    const answer = await owner().submit(opened, { text: "typed", pick: ["b"], file: [picture] });

    expect(asMessage(answer)).toMatchObject({ content: "typed b dot.png", flags: 64 });
  });

  it("hears buttons, selects and menus", async () => {
    const row = (...components: readonly object[]) => ({ type: types.ACTION_ROW, components });
    const options = ["a", "b"].map((value) => ({ label: value, value }));
    bot.answer(async (each) => {
      await (each as CommandInteraction).createMessage({
        content: "choose",
        components: [
          row({
            type: types.BUTTON,
            style: ButtonStyles.PRIMARY,
            label: "Press",
            customID: "press",
          }),
          row({ type: types.STRING_SELECT, customID: "pick", options }),
        ] as never,
      });
    });
    const shown = asMessage(await owner().command("draw", { what: "x" }));
    bot.answer(async (each) => {
      const interaction = each as ComponentInteraction;
      await interaction.deferUpdate();
      await interaction.editOriginal({ content: `${interaction.message.content} pressed` });
    });
    const pressed = asMessage(await owner().click(shown, "Press"));
    bot.answer(async (each) => {
      const interaction = each as ComponentInteraction<SelectMenuTypes>;
      await interaction.editParent({ content: interaction.data.values.getStrings().join() });
    });
    const chosen = asMessage(await owner().choose(shown, ["b"]));
    bot.answer(async (each) => {
      const { data } = each as CommandInteraction;
      const { target } = data as { readonly target: unknown };
      await (each as CommandInteraction).createMessage({
        content: target instanceof Message ? `looked at ${target.content}` : "nothing",
      });
    });
    const looked = asMessage(await owner().menu("Look closer", chosen));

    expect([pressed, chosen, looked].map(({ content }) => content)).toEqual([
      "choose pressed",
      "b",
      "looked at b",
    ]);
  });

  it("keeps commands of one server beside those of all", async () => {
    const { applications } = rest();
    const { applicationId, guildId } = platform;
    const made = await applications.createGuildCommand(applicationId, guildId, {
      type: 1,
      name: "here",
      description: "Only here",
    });
    bot.answer((each) =>
      (each as CommandInteraction).createMessage({
        content: `in ${(each as CommandInteraction).data.guildID}`,
      }),
    );

    const answered = asMessage(await owner().command("here"));
    await applications.editGuildCommand(applicationId, guildId, made.id, {
      type: 1,
      description: "Changed",
    });
    const kept = await applications.getGuildCommands(applicationId, guildId);
    await applications.deleteGuildCommand(applicationId, guildId, made.id);
    const left = await applications.bulkEditGuildCommands(applicationId, guildId, []);

    expect(answered.content).toBe(`in ${guildId}`);
    expect(kept).toMatchObject([{ name: "here", description: "Changed", guildID: guildId }]);
    expect(left).toEqual([]);
    expect(await applications.getGlobalCommands(applicationId)).toHaveLength(2);
  });

  it("finds members, and changes them where it may", async () => {
    const { guilds } = rest();
    const { guildId } = platform;
    platform.raiseBotRole();
    platform.setBotPermissions(bits.ManageNicknames | bits.ManageRoles);
    const all = await guilds.getMembers(guildId, { limit: 1_000 });
    const [alex] = await guilds.searchMembers(guildId, { query: "ale" });
    const id = alex?.id ?? "";
    const heard = once(bot.client, "guildMemberUpdate");

    const named = await guilds.editMember(guildId, id, { nick: "Lex" });
    const own = await guilds.editCurrentMember(guildId, { nick: "Green" });
    const chunk = await bot.client.guilds.get(guildId)?.fetchMembers({ query: "lex" });

    expect(all.map(({ username }) => username)).toEqual(["Greenroom", "robin", "kim", "alex"]);
    expect([named.nick, own.nick]).toEqual(["Lex", "Green"]);
    expect(await heard).toMatchObject([{ id, nick: "Lex" }, expect.anything()]);
    expect(chunk?.map((member) => member.id)).toEqual([id]);
    expect((await guilds.getMember(guildId, id)).displayName).toBe("Lex");
    await guilds.editMember(guildId, id, { nick: "" });
  });

  it("reacts, and hears who reacts", async () => {
    const { channels } = rest();
    const message = await owner().say("like this");
    const place = [platform.channelId, message.id] as const;
    const first = once(bot.client, "messageReactionAdd");
    platform.people("member").react(message, "🎉");
    const [, who, reaction] = (await first) as [unknown, { username: string }, EventReaction];

    await channels.createReaction(...place, "👍");
    await channels.createReaction(...place, "🎉");
    const users = await channels.getReactions(...place, "🎉");
    const read = await channels.getMessage(...place);

    expect([who.username, reaction.emoji.name]).toEqual(["alex", "🎉"]);
    expect(users.map(({ username }) => username)).toEqual(["Greenroom", "alex"]);
    expect(read.reactions.map(({ emoji, count, me }) => [emoji.name, count, me])).toEqual([
      ["🎉", 2, true],
      ["👍", 1, true],
    ]);
    await channels.deleteReaction(...place, "👍");
    platform.setBotPermissions(bits.ManageMessages);
    const cleared = once(bot.client, "messageReactionRemoveAll");
    await channels.deleteReactions(...place);
    await cleared;
    expect((await channels.getMessage(...place)).reactions).toEqual([]);
  });

  it("shows that it types, and sees others type", async () => {
    const heard = once(bot.client, "typingStart");
    owner().type();
    const [channel, member] = (await heard) as [{ id: string }, { username: string }];

    await rest().channels.sendTyping(platform.channelId);

    expect([channel.id, member.username]).toEqual([platform.channelId, "robin"]);
  });

  it("pins, by the address of today and the one before", async () => {
    const { channels } = rest();
    platform.setBotPermissions(bits.PinMessages);
    const { id } = await owner().say("keep this");
    const heard = once(bot.client, "channelPinsUpdate");
    const notice = pinNotice(bot.client);

    await channels.pinMessage(platform.channelId, id);
    await heard;
    expect((await notice).member?.displayName).toBe("Green");
    const pins = await channels.getPins(platform.channelId);
    const old = await channels.getPinnedMessages(platform.channelId);
    await channels.unpinMessage(platform.channelId, id);

    expect(pins.map(({ message }) => message.content)).toEqual(["keep this"]);
    expect(old.map((message) => [message.id, message.pinned])).toEqual([[id, true]]);
    expect(await channels.getPins(platform.channelId)).toEqual([]);
  });

  it("hears what is written, changed and deleted", async () => {
    const { channels } = rest();
    const created = once(bot.client, "messageCreate");
    await owner().say("hello there");
    const [message] = (await created) as [Message];

    const own = await channels.createMessage(platform.channelId, {
      content: "mine",
      files: [attached],
    });
    const updated = once(bot.client, "messageUpdate");
    await own.edit({ content: "changed" });
    const [after] = (await updated) as [Message];
    const deleted = once(bot.client, "messageDelete");
    await own.delete();
    const [gone] = (await deleted) as [{ id: string }];

    expect([message.content, message.member?.displayName]).toEqual(["hello there", "Robin"]);
    expect([after.content, gone.id]).toEqual(["changed", own.id]);
  });

  it("resumes after a cut, and identifies again when its session is over", async () => {
    bot.answer((each) => (each as CommandInteraction).createMessage({ content: "still here" }));
    const shard = bot.client.shards.get(0);
    const ends: string[] = [];
    const session = shard?.sessionID;
    const resumed = once(bot.client, "shardResume");

    platform.gateway.drop();
    await resumed;
    ends.push(asMessage(await owner().command("draw", { what: "x" })).content);
    const kept = shard?.sessionID;
    const again = once(bot.client, "shardPreReady");
    platform.gateway.invalidate();
    await again;
    ends.push(asMessage(await owner().command("draw", { what: "x" })).content);

    expect(ends).toEqual(["still here", "still here"]);
    expect(kept).toBe(session);
    expect(shard?.sessionID).not.toBe(session);
    expect(bot.complaints.splice(0)).toEqual([
      expect.stringContaining("Session is not resumable, requesting a new session"),
    ]);
  });
});

describe("another bot of oceanic.js", () => {
  it.each([
    ["zstd", 9, { compress: "zstd-stream" }],
    ["no compression at all", 10, {}],
  ] as const)("connects with %s and version %i", async (_, version, gateway) => {
    const platform = await startPlatform({ extraGuilds: 20 });
    const baseURL = `${platform.url}/api/v${version}`;

    const bot = await startOceanicBot(platform, { gateway, rest: { baseURL } });

    expect(bot.client.guilds.size).toBe(21);
    expect(bot.complaints).toEqual([]);
    bot.close();
    await platform.close();
  });
});
