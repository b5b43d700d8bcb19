import { AttachmentBuilder, type Interaction, MessageFlags } from "discord.js";
import type { APIMessage } from "discord-api-types/v10";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import type { OpenForm } from "../../../src/sandbox/types.ts";
import { startTestBot, type TestBot } from "../../support/test-bot.ts";
import { tinyPng } from "./tiny-png.ts";

const commands = [
  {
    name: "echo",
    description: "Says it back",
    options: [
      { type: 3, name: "text", description: "What to say", required: true, max_length: 20 },
      { type: 11, name: "image", description: "A picture" },
      { type: 4, name: "times", description: "How often", min_value: 1, max_value: 3 },
      {
        type: 3,
        name: "colour",
        description: "Which",
        choices: [
          { name: "Red", value: "r" },
          { name: "Blue", value: "b" },
        ],
      },
      { type: 3, name: "fruit", description: "Which", autocomplete: true },
    ],
  },
  { name: "slow", description: "Defers" },
  { name: "fails", description: "Deletes its deferral and follows up" },
  { name: "silent", description: "Never answers" },
  { name: "ask", description: "Opens a form" },
  { name: "buttons", description: "Shows buttons" },
  {
    name: "list",
    description: "Lists",
    options: [{ type: 1, name: "all", description: "All of them" }],
  },
  { name: "clean", description: "Cleans", default_member_permissions: "8192" },
  { name: "Look closer", type: 3 },
];

async function onCommand(interaction: Interaction): Promise<unknown> {
  if (interaction.isAutocomplete()) {
    const typed = interaction.options.getFocused();
    return interaction.respond([{ name: `${typed}!`, value: typed }]);
  }
  if (interaction.isMessageContextMenuCommand()) {
    const { targetMessage } = interaction;
    return interaction.reply(`${targetMessage.content} ${targetMessage.attachments.size}`);
  }
  if (interaction.isModalSubmit()) {
    const words = interaction.fields.getTextInputValue("words");
    return interaction.reply({ content: `Got ${words}`, flags: MessageFlags.Ephemeral });
  }
  if (interaction.isButton()) {
    if (interaction.customId === "later") {
      await interaction.deferUpdate();
      return interaction.editReply({ content: "edited", components: [] });
    }
    return interaction.update({ content: "updated" });
  }
  if (interaction.isStringSelectMenu()) return interaction.reply(interaction.values.join("+"));
  if (!interaction.isChatInputCommand()) return undefined;
  switch (interaction.commandName) {
    case "echo": {
      const image = interaction.options.getAttachment("image");
      return interaction.reply(
        `${interaction.options.getString("text")} ${image?.width}x${image?.height} ` +
          `${interaction.options.getInteger("times")} ${interaction.options.getString("colour")}`,
      );
    }
    case "slow":
      await interaction.deferReply();
      await new Promise((resolve) => setTimeout(resolve, 400));
      return interaction.editReply({
        content: "done",
        files: [new AttachmentBuilder(Buffer.from(tinyPng), { name: "my picture.png" })],
      });
    case "fails":
      await interaction.deferReply();
      await interaction.deleteReply();
      return interaction.followUp({ content: "It failed", flags: MessageFlags.Ephemeral });
    case "ask":
      return interaction.showModal({
        custom_id: "form",
        title: "Words",
        components: [
          {
            type: 18,
            label: "Your words",
            component: { type: 4, custom_id: "words", style: 1, max_length: 10 },
          },
        ],
      });
    case "buttons":
      return interaction.reply({
        content: "Press",
        components: [
          {
            type: 1,
            components: [
              { type: 2, style: 1, label: "Now", custom_id: "now" },
              { type: 2, style: 2, label: "Later on", custom_id: "later" },
            ],
          },
          {
            type: 1,
            components: [
              {
                type: 3,
                custom_id: "pick",
                max_values: 2,
                options: ["a", "b", "c"].map((value) => ({ label: value, value })),
              },
            ],
          },
        ],
      });
    case "list":
      return interaction.reply(interaction.options.getSubcommand());
    default:
      return undefined;
  }
}

describe("startPlatform with a discord.js bot", () => {
  let platform: Platform;
  let bot: TestBot;

  beforeEach(async () => {
    platform = await startPlatform();
    bot = await startTestBot(platform, { commands, onInteraction: onCommand });
  });

  afterEach(async () => {
    await bot.close();
    await platform.close();
  });

  const owner = () => platform.people("owner");
  const member = () => platform.people("member");

  it("logs the bot in without intents", () => {
    expect(bot.client.user.username).toBe("Greenroom");
    expect(bot.client.application.id).toBe(platform.applicationId);
  });

  it("carries options of every kind to the bot and its reply back", async () => {
    const image = { name: "a.png", type: "image/png", data: tinyPng };

    const message = (await owner().command("echo", {
      text: "hi",
      image,
      times: 2,
      colour: "Blue",
    })) as APIMessage;

    expect(message.content).toBe("hi 1x1 2 b");
    expect(message).toMatchObject({ type: 20, interaction: { name: "echo" }, flags: 0 });
  });

  it.each([
    ["a missing option", {}, /"text": it is required/],
    ["a text too long", { text: "x".repeat(21) }, /too long/],
    ["a number too large", { text: "x", times: 4 }, /at most 3/],
    ["a fraction", { text: "x", times: 1.5 }, /whole number/],
    ["a value that is no choice", { text: "x", colour: "green" }, /offered values/],
    ["an unknown option", { text: "x", nothing: 1 }, /no option "nothing"/],
  ])("refuses %s as the client would", async (_, options, words) => {
    await expect(owner().command("echo", options)).rejects.toThrow(words);
  });

  it("waits for a deferred reply and shows its file behind a signed address", async () => {
    const message = (await owner().command("slow")) as APIMessage;

    const [attachment] = message.attachments;
    expect(message).toMatchObject({ content: "done", flags: 0, edited_timestamp: null });
    expect(attachment).toMatchObject({
      filename: "my_picture.png",
      title: "my picture",
      content_type: "image/png",
      width: 1,
    });
    const served = await fetch(attachment?.url ?? "");
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(tinyPng);
    const forged = await fetch((attachment?.url ?? "").replace(/hm=../, "hm=00"));
    expect(forged.status).toBe(404);
  });

  it("gives the follow-up when the bot deleted its deferred reply", async () => {
    const message = (await member().command("fails")) as APIMessage;

    expect(message).toMatchObject({ content: "It failed", flags: 64 });
  });

  it("shows an ephemeral message to its person only", async () => {
    const message = (await member().command("fails")) as APIMessage;

    expect(
      member()
        .messages()
        .map(({ id }) => id),
    ).toContain(message.id);
    expect(
      owner()
        .messages()
        .map(({ id }) => id),
    ).not.toContain(message.id);
  });

  it("fails an interaction that is not answered within three seconds", async () => {
    await expect(owner().command("silent")).rejects.toThrow(/did not respond within 3 s/);
  });

  it("opens a form and carries its fields", async () => {
    const form = (await owner().command("ask")) as OpenForm;

    const message = (await owner().submit(form, { words: "some" })) as APIMessage;

    expect(form.title).toBe("Words");
    expect(message).toMatchObject({ content: "Got some", flags: 64 });
    await expect(owner().submit(form, { words: "" })).rejects.toThrow(/required/);
    await expect(owner().submit(form, { words: "x".repeat(11) })).rejects.toThrow(/at most 10/);
    await expect(owner().submit(form, { other: "x" })).rejects.toThrow(/no field "other"/);
  });

  it("carries presses and choices, and gives the changed message", async () => {
    const message = (await owner().command("buttons")) as APIMessage;

    const updated = (await owner().click(message, "Now")) as APIMessage;
    const chosen = (await owner().choose(message, ["a", "c"])) as APIMessage;
    const edited = (await owner().click(message, "Later")) as APIMessage;

    expect(updated).toMatchObject({ id: message.id, content: "updated" });
    expect(chosen).toMatchObject({ content: "a+c", type: 19 });
    expect(edited).toMatchObject({ id: message.id, content: "edited", components: [] });
    await expect(owner().click(message, "Now")).rejects.toThrow(
      /No button "Now"; buttons there: none/,
    );
  });

  it("asks for suggestions", async () => {
    const choices = await owner().suggest("echo", "fruit", "app");

    expect(choices).toEqual([{ name: "app!", value: "app" }]);
  });

  it("carries the target of a message menu with its attachments", async () => {
    const said = await member().say("look", [{ name: "a.png", type: "image/png", data: tinyPng }]);

    const message = (await owner().menu("Look closer", said)) as APIMessage;

    expect(message).toMatchObject({ content: "look 1", type: 23 });
  });

  it("hides commands from those who lack the permission", async () => {
    await expect(member().command("clean")).rejects.toThrow(/sees no command "clean"/);
  });

  it("finds subcommands", async () => {
    const message = (await owner().command("list all")) as APIMessage;

    expect(message.content).toBe("all");
    await expect(owner().command("list")).rejects.toThrow(/needs a subcommand/);
  });
});
