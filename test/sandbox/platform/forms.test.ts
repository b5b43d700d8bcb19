import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelSelectMenuBuilder,
  CheckboxBuilder,
  CheckboxGroupBuilder,
  ComponentType,
  FileUploadBuilder,
  type Interaction,
  LabelBuilder,
  type MessageComponentInteraction,
  ModalBuilder,
  type ModalSubmitInteraction,
  RadioGroupBuilder,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from "discord.js";
import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { asForm, asMessage } from "../../support/stage.ts";
import { startTestBot, type TestBot } from "../../support/test-bot.ts";
import { tinyPng } from "./tiny-png.ts";

const label = (text: string) => new LabelBuilder().setLabel(text);
const choices = ["a", "b", "c"].map((value) => ({ label: value.toUpperCase(), value }));
const form = (title: string, ...parts: readonly (LabelBuilder | TextDisplayBuilder)[]) => {
  const made = new ModalBuilder().setCustomId(title).setTitle(title);
  for (const part of parts) {
    if (part instanceof LabelBuilder) made.addLabelComponents(part);
    else made.addTextDisplayComponents(part);
  }
  return made;
};

const forms = {
  words: () =>
    form(
      "words",
      new TextDisplayBuilder({ content: "**Words** first" }),
      label("Title")
        .setDescription("Up to twenty")
        .setTextInputComponent(
          new TextInputBuilder()
            .setCustomId("title")
            .setStyle(TextInputStyle.Short)
            .setMinLength(3)
            .setMaxLength(20)
            .setValue("As it was"),
        ),
      label("Note").setTextInputComponent(
        new TextInputBuilder()
          .setCustomId("note")
          .setStyle(TextInputStyle.Paragraph)
          .setRequired(false),
      ),
    ),
  choices: () =>
    form(
      "choices",
      label("One").setRadioGroupComponent(
        new RadioGroupBuilder()
          .setCustomId("one")
          .addOptions(choices.map((each) => ({ ...each, default: each.value === "b" }))),
      ),
      label("Several").setCheckboxGroupComponent(
        new CheckboxGroupBuilder()
          .setCustomId("several")
          .setMinValues(1)
          .setMaxValues(2)
          .addOptions(choices),
      ),
      label("Agreed").setCheckboxComponent(new CheckboxBuilder().setCustomId("agreed")),
      label("Listed").setStringSelectMenuComponent(
        new StringSelectMenuBuilder()
          .setCustomId("listed")
          .setMaxValues(2)
          .setRequired(false)
          .addOptions(choices),
      ),
    ),
  entities: (platform: Platform) =>
    form(
      "entities",
      label("Person").setUserSelectMenuComponent(
        new UserSelectMenuBuilder().setCustomId("person").addDefaultUsers(platform.ownerId),
      ),
      label("Role").setRoleSelectMenuComponent(new RoleSelectMenuBuilder().setCustomId("role")),
      label("Channel").setChannelSelectMenuComponent(
        new ChannelSelectMenuBuilder().setCustomId("channel").setRequired(false),
      ),
      label("Files").setFileUploadComponent(
        new FileUploadBuilder()
          .setCustomId("files")
          .setMinValues(1)
          .setMaxValues(2)
          .setFileTypes(["image", ".srt"] as never),
      ),
    ),
};

describe("forms of a discord.js bot", () => {
  let platform: Platform;
  let bot: TestBot;
  const works = new Map<string, Promise<unknown>>();
  let submitted: ModalSubmitInteraction | undefined;
  let onPress = (pressed: MessageComponentInteraction): Promise<unknown> =>
    pressed.showModal(forms.words());
  const owner = () => platform.people("owner");
  const png = { name: "dot.png", type: "image/png", data: tinyPng };

  async function onInteraction(interaction: Interaction): Promise<unknown> {
    if (interaction.isModalSubmit()) {
      submitted = interaction;
      return interaction.reply("taken");
    }
    if (interaction.isChatInputCommand()) {
      const name = interaction.options.getString("form", true);
      if (name !== "buttons") return interaction.showModal(forms[name as "entities"](platform));
      const open = new ButtonBuilder()
        .setCustomId("open")
        .setLabel("Open")
        .setStyle(ButtonStyle.Primary);
      const pick = new StringSelectMenuBuilder().setCustomId("pick").addOptions(choices);
      return interaction.reply({
        components: [
          new ActionRowBuilder<ButtonBuilder>().addComponents(open),
          new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(pick),
        ],
      });
    }
    if (interaction.isMessageComponent()) return onPress(interaction);
    return undefined;
  }

  beforeAll(async () => {
    platform = await startPlatform({ hasLimits: false });
    bot = await startTestBot(platform, {
      commands: [
        {
          name: "ask",
          description: "Asks",
          options: [{ type: 3, name: "form", description: "Which", required: true }],
        },
      ],
      onInteraction: (interaction) => {
        const work = onInteraction(interaction);
        works.set(interaction.id, work);
        return work;
      },
    });
    platform.useSettled(async (id) => {
      await works.get(id);
    });
  });
  afterAll(async () => {
    await bot.close();
    await platform.close();
  });

  const open = async (name: string) => asForm(await owner().command("ask", { form: name }));
  const fields = () => {
    if (submitted === undefined) throw new Error("nothing was submitted");
    return submitted.fields;
  };

  it("keep what was filled in by the bot and carry what the person wrote", async () => {
    await owner().submit(await open("words"), {});
    const kept = fields().getTextInputValue("title");
    await owner().submit(await open("words"), { Title: "New title", note: "line\nline" });

    expect(kept).toBe("As it was");
    expect(fields().getTextInputValue("title")).toBe("New title");
    expect(fields().getTextInputValue("note")).toBe("line\nline");
  });

  it.each([
    [{ title: "ab" }, /at least 3/],
    [{ title: "x".repeat(21) }, /at most 20/],
    [{ title: "" }, /required/],
    [{ nothing: "x" }, /no field/],
  ])("let no text through that they do not take: %o", async (given, words) => {
    await expect(owner().submit(await open("words"), given)).rejects.toThrow(words);
  });

  it("carry choices of every kind", async () => {
    await owner().submit(await open("choices"), { several: ["A", "c"], agreed: true });

    expect(fields().getRadioGroup("one")).toBe("b");
    expect(fields().getCheckboxGroup("several")).toEqual(["a", "c"]);
    expect(fields().getCheckbox("agreed")).toBe(true);
    expect(fields().getStringSelectValues("listed")).toEqual([]);
  });

  it.each([
    [{}, /"Several" is required/],
    [{ several: ["a", "b", "c"] }, /at most 2/],
    [{ several: ["a"], one: "d" }, /"d" is not one of the choices/],
    [{ several: ["a"], listed: ["a", "b", "c"] }, /at most 2/],
  ])("let no choice through that they do not offer: %o", async (given, words) => {
    await expect(owner().submit(await open("choices"), given)).rejects.toThrow(words);
  });

  it("carry people, roles, channels and files with what they stand for", async () => {
    const captions = { name: "a.SRT", type: "", data: new TextEncoder().encode("1") };

    await owner().submit(await open("entities"), {
      role: [platform.guildId],
      channel: [platform.channelId],
      files: [png, captions],
    });

    expect(fields().getSelectedUsers("person")?.first()?.username).toBe("robin");
    expect(fields().getSelectedMembers("person")?.size).toBe(1);
    expect(fields().getSelectedRoles("role")?.first()?.name).toBe("@everyone");
    expect(fields().getSelectedChannels("channel")?.first()?.name).toBe("greenroom");
    const files = [...(fields().getUploadedFiles("files")?.values() ?? [])];
    expect(files.map(({ name, size, width }) => [name, size, width])).toEqual([
      ["dot.png", tinyPng.byteLength, 1],
      ["a.SRT", 1, null],
    ]);
    const [first] = files;
    expect(Buffer.from(await (await fetch(first?.url ?? "")).bytes())).toEqual(
      Buffer.from(tinyPng),
    );
  });

  it.each([
    [[], /"Files" is required/],
    [[png, png, png], /at most 2/],
    [[{ ...png, name: "clip.mp4" }], /takes only image, .srt/],
  ])("let no file through that they do not take", async (files, words) => {
    const given = { role: [platform.guildId], files };

    await expect(owner().submit(await open("entities"), given)).rejects.toThrow(words);
  });

  it("open from a button and from a select, and know the message they came from", async () => {
    const shown = asMessage(await owner().command("ask", { form: "buttons" }));

    const fromButton = asForm(await owner().click(shown, "Open"));
    const fromSelect = asForm(await owner().choose(shown, ["A"]));
    const taken = asMessage(await owner().submit(fromSelect, {})) as APIMessage;

    expect(fromButton.title).toBe("words");
    expect(submitted?.message?.id).toBe(shown.id);
    expect(taken.interaction_metadata).toMatchObject({
      triggering_interaction_metadata: { interacted_message_id: shown.id },
    });
  });

  const control = (component: object) => ({ type: ComponentType.Label, label: "L", component });
  const group = (more: object) => ({ type: 22, custom_id: "g", options: choices, ...more });
  const several = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      control({ type: 4, custom_id: `t${index}`, style: 1 }),
    );

  it.each([
    ["no part", []],
    ["six parts", several(6)],
    ["an id twice", [several(1), several(1)].flat()],
    ["a label of 46", [{ ...several(1)[0], label: "x".repeat(46) }]],
    ["one radio button", [control({ type: 21, custom_id: "r", options: choices.slice(0, 1) })]],
    [
      "two radio buttons on",
      [
        control({
          type: 21,
          custom_id: "r",
          options: choices.map((each) => ({ ...each, default: true })),
        }),
      ],
    ],
    ["a group of nothing that is required", [control(group({ min_values: 0 }))]],
    ["a group of more than it has", [control(group({ max_values: 4 }))]],
    ["a group with a value twice", [control(group({ options: [...choices, ...choices] }))]],
    ["an upload of eleven", [control({ type: 19, custom_id: "f", max_values: 11 })]],
    ["an upload upside down", [control({ type: 19, custom_id: "f", min_values: 3 })]],
    ["a disabled select", [control({ type: 5, custom_id: "u", disabled: true })]],
    [
      "a role among the people",
      [control({ type: 5, custom_id: "u", default_values: [{ id: "1", type: "role" }] })],
    ],
    [
      "more presets than choices",
      [
        control({
          type: 8,
          custom_id: "c",
          default_values: ["1", "2"].map((id) => ({ id, type: "channel" })),
        }),
      ],
    ],
    ["a button", [control({ type: 2, custom_id: "b", style: 1, label: "B" })]],
    [
      "a text that is longer than it may be",
      [control({ type: 4, custom_id: "t", style: 1, max_length: 2, value: "abc" })],
    ],
  ])("are refused with %s", async (_, components) => {
    const broken = { custom_id: "f", title: "F", components };
    const made = asMessage(await owner().command("ask", { form: "buttons" }));
    let refused: unknown;
    onPress = async (pressed) => {
      refused = await pressed.showModal(broken as never).catch((error: unknown) => error);
      await pressed.deferUpdate();
    };

    await owner().click(made, "Open");

    expect(refused).toMatchObject({ status: 400, code: 50_035 });
  });
});
